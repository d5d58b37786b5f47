// The `requestState` of multi-round-trip requests: a tool's state on its way through the client and back.
// Signed, bound to caller, method and arguments, short-lived, and good for one use (2026-07-28, patterns/mrtr).

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Caller } from '../core/caller.ts';
import type { JsonObject } from '../core/json.ts';
import { invalid } from './params.ts';

/** What a state is bound to: the same request, by the same caller. */
interface StateOwner {
  readonly caller: Pick<Caller, 'id'>;
  readonly method: string;
  /** The parameters that say what is asked for, without answers and metadata. */
  readonly subject: JsonObject;
}

export interface RequestStates {
  seal(state: string, owner: StateOwner): string;
  /** Gives the state back once. Throws `invalid-params` if it is not ours, not for this owner, expired or used. */
  open(sealed: string, owner: StateOwner): string;
}

export interface RequestStateOptions {
  readonly ttlMs?: number;
  readonly now?: () => number;
  /** Used states that are remembered; beyond it the oldest, which expire soonest, are forgotten. */
  readonly maxUsed?: number;
}

const refused = () =>
  invalid('"requestState" was not given for this request, was changed, used or has expired');

export function createRequestStates(secret: Buffer, options: RequestStateOptions = {}): RequestStates {
  const { ttlMs = 600_000, now = Date.now, maxUsed = 100_000 } = options;
  const used = new Map<string, number>();
  const mac = (body: string, owner: StateOwner): Buffer =>
    createHmac('sha256', secret)
      .update(`state\0${owner.caller.id}\0${owner.method}\0${digest(owner.subject)}\0`)
      .update(body)
      .digest();
  const spend = (nonce: string, expires: number): void => {
    for (const [old, until] of used) {
      if (until > now() && used.size < maxUsed) break;
      used.delete(old);
    }
    used.set(nonce, expires);
  };
  return {
    seal(state, owner) {
      const nonce = randomBytes(16).toString('base64url');
      const body = Buffer.from(JSON.stringify([nonce, now() + ttlMs, state])).toString('base64url');
      return `${body}.${mac(body, owner).toString('base64url')}`;
    },
    open(sealed, owner) {
      const [body = '', signature = '', ...rest] = sealed.split('.');
      const given = Buffer.from(signature, 'base64url');
      const wanted = mac(body, owner);
      const sound = rest.length === 0 && given.toString('base64url') === signature;
      if (!sound || given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw refused();
      const [nonce, expires, state] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
        string,
        number,
        string,
      ];
      if (now() >= expires || used.has(nonce)) throw refused();
      spend(nonce, expires);
      return state;
    },
  };
}

function digest(subject: JsonObject): string {
  return createHash('sha256').update(JSON.stringify(subject, sortedKeys)).digest('base64url');
}

// A client may send the same object with its keys in another order.
function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
