// Failed attempts to prove who one is: counted by address, so that whoever has too many is told to wait, shown to those
// who watch, and written down. Of a flood only some are written, or it would fill the log. Good credentials are never
// held up by what others at the same address do.

import { type AuditSink, NO_CALL } from '../../audit/entry.ts';
import { addressKey } from '../../core/address-key.ts';
import { ANYBODY } from '../../core/caller.ts';
import type { WitboxError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { Meter } from '../../telemetry/ports.ts';
import { createBuckets } from '../limits/bucket.ts';
import type { BucketOptions } from '../options.ts';

export interface FailureDeps {
  readonly log: Logger;
  /** One more failed attempt from this address: how long it has to wait, in milliseconds. */
  readonly failures?: { take(address: string): number };
  readonly meter?: Pick<Meter, 'denied'>;
  readonly audit?: AuditSink | null;
}

export interface FailedAttempts {
  /** Milliseconds that this address has to wait now; 0: it may go on. */
  add(address: string | null, refusal: WitboxError): number;
}

const LINES: BucketOptions = { rate: 1, burst: 5 };

export function createFailedAttempts({ log, failures, meter, audit }: FailureDeps): FailedAttempts {
  const lines = createBuckets(LINES, () => performance.now());
  return {
    add(address, { code, message }) {
      const key = addressKey(address ?? '');
      log.debug('not authenticated', { address, reason: message });
      meter?.denied('unauthenticated', '');
      if (audit && lines.take(key) === 0) {
        const { durable } = audit.record({
          ...NO_CALL,
          kind: 'decision',
          action: 'authenticate',
          caller: ANYBODY.id,
          address,
          transport: 'network',
          outcome: 'unauthenticated',
          error: code,
        });
        // The log of the audit itself says so; the caller is refused in any case.
        durable.catch(() => {});
      }
      return failures?.take(key) ?? 0;
    },
  };
}
