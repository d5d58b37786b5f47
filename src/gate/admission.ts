// Whether a request is let in at all: is the proof still good, is the address too busy, is the caller, has the caller
// had all its bytes of today. Asked for every request of every transport, before anything is done for it; the shape is
// what protocol/ asks for. Every refusal is counted; of a flood only some are written down, or the log would be flooded.

import { type AuditSink, NO_CALL } from '../audit/entry.ts';
import { addressKey } from '../core/address-key.ts';
import type { Caller } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { flowOf } from '../core/flow.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Meter } from '../telemetry/ports.ts';
import { type Buckets, createBuckets } from './limits/bucket.ts';
import { createDailyBytes, type DailyBytes } from './limits/daily-bytes.ts';
import { quotaRefusal, rateRefusal } from './limits/refusals.ts';
import type { BucketOptions, LimitOptions } from './options.ts';

/** Where answers go; what is counted is passed on. */
interface Route {
  send(text: string): void;
  end(text: string, status: number, headers?: Readonly<Record<string, string>>): void;
  skip(): void;
  closeStream(): void;
}

export interface Admission {
  /** Throws what keeps the caller from being served now. */
  admit(caller: Caller, request: { readonly method: string; readonly size: number }): void;
  counted(caller: Caller, route: Route): Route;
  set(options: LimitOptions): void;
}

export interface AdmissionDeps {
  readonly meter: Meter;
  readonly audit: AuditSink | null;
  /** Throws if what the caller once proved no longer holds. */
  readonly check?: (caller: Caller) => void;
  /** Counts that outlive the process; without them each start begins anew. */
  readonly bytes?: DailyBytes;
  /** Since 1970, in milliseconds. */
  readonly now?: () => number;
  /** Monotonic, in milliseconds. */
  readonly elapsed?: () => number;
}

const LINES: BucketOptions = { rate: 1, burst: 5 };

export function createAdmission(initial: LimitOptions, deps: AdmissionDeps): Admission {
  const { meter, audit } = deps;
  const now = deps.now ?? Date.now;
  const elapsed = deps.elapsed ?? (() => performance.now());
  const bytes = deps.bytes ?? createDailyBytes(now);
  const lines = createBuckets(LINES, elapsed);
  const callers = createBuckets(initial.caller.requests ?? LINES, elapsed);
  const addresses = createBuckets(initial.address.requests ?? LINES, elapsed);
  let options = initial;

  const refuse = (caller: Caller, method: string, reason: string, refusal: WitboxError): never => {
    meter.denied(reason, '');
    const outcome = reason === 'unauthenticated' ? 'unauthenticated' : 'limited';
    if (audit !== null && lines.take(flowOf(caller)) === 0) {
      audit.record({
        ...NO_CALL,
        kind: 'decision',
        action: method.slice(0, 128),
        caller: caller.id,
        address: caller.address,
        outcome,
        error: refusal.code,
      });
    }
    throw refusal;
  };

  return {
    admit(caller, { method, size }) {
      try {
        deps.check?.(caller);
      } catch (error) {
        if (error instanceof WitboxError) refuse(caller, method, 'unauthenticated', error);
        throw error;
      }
      // Whoever is asked must answer promptly, and to refuse would cost more than to answer.
      if (method === 'ping') return;
      const { address, caller: own } = options;
      if (address.requests !== null && caller.address !== null) {
        const refusal = take(
          addresses,
          addressKey(caller.address),
          'limits.address.requests',
          address.requests,
        );
        if (refusal !== null) refuse(caller, method, 'rate', refusal);
      }
      if (own.requests === null && own.bytesPerDay === null) return;
      const flow = flowOf(caller);
      if (own.requests !== null) {
        const refusal = take(callers, flow, 'limits.caller.requests', own.requests);
        if (refusal !== null) refuse(caller, method, 'rate', refusal);
      }
      if (own.bytesPerDay === null) return;
      const wait = bytes.exhausted(flow, own.bytesPerDay);
      if (wait > 0) {
        refuse(caller, method, 'bytes', quotaRefusal('limits.caller.bytes-per-day', own.bytesPerDay, wait));
      }
      bytes.add(flow, size);
    },
    counted(caller, route) {
      if (options.caller.bytesPerDay === null) return route;
      const flow = flowOf(caller);
      const add = (text: string): void => bytes.add(flow, Buffer.byteLength(text));
      return {
        send(text) {
          add(text);
          route.send(text);
        },
        end(text, status, headers) {
          add(text);
          route.end(text, status, headers);
        },
        skip: () => route.skip(),
        closeStream: () => route.closeStream(),
      };
    },
    set(next) {
      options = next;
      if (next.caller.requests !== null) callers.set(next.caller.requests);
      if (next.address.requests !== null) addresses.set(next.address.requests);
    },
  };
}

function take(buckets: Buckets, key: string, limit: string, options: BucketOptions): Refusal | null {
  const wait = buckets.take(key);
  return wait === 0 ? null : rateRefusal(limit, wait, options);
}
