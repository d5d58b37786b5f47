// wasi:keyvalue: store, atomics and batch, on buckets that the broker keeps for the component.

import type { HostFailure, WireValue } from '../core/port.ts';
import { type HostFunc, type HostInstance, hostResource, suspending } from '../engine/engine.ts';
import type { Value } from '../wit/value.ts';
import type { Call } from './call.ts';
import { settle } from './result.ts';

interface Bucket {
  readonly id: number;
}

function storeError({ code, detail }: HostFailure): Value {
  if (code === 'no-such-store' || code === 'access-denied') return { tag: code };
  if (code === 'invalid') return { tag: 'other', val: 'Key or value is too large' };
  return { tag: 'other', val: typeof detail === 'string' ? detail : code };
}

const keep = (answer: WireValue): Value => answer as Value;
const orNone = (answer: WireValue): Value => (answer === null ? undefined : (answer as Value));
const nothing = (): Value => undefined;

export function createKeyvalue(call: Call): Readonly<Record<'store' | 'atomics' | 'batch', HostInstance>> {
  const bucket = hostResource({ name: 'bucket', drop: (rep) => call.drop((rep as Bucket).id) });
  const ask = (op: string, toValue: (answer: WireValue, ...args: Value[]) => Value): HostFunc =>
    suspending((self, ...args) =>
      settle(
        call.port.request(op, [(self as Bucket).id, ...(args as WireValue[])]),
        (answer) => toValue(answer, ...args),
        storeError,
      ),
    );
  return {
    store: {
      bucket,
      open: suspending((name) =>
        settle(call.port.request('kv.open', [name as string]), (id) => ({ id: id as number }), storeError),
      ),
      '[method]bucket.get': ask('kv.get', orNone),
      '[method]bucket.set': ask('kv.set', nothing),
      '[method]bucket.delete': ask('kv.delete', nothing),
      '[method]bucket.exists': ask('kv.exists', keep),
      '[method]bucket.list-keys': suspending((self, cursor) => {
        const from = cursor === undefined ? 0n : (cursor as bigint);
        const at = from > 0xffff_ffffn ? 0xffff_ffff : Number(from);
        return settle(
          call.port.request('kv.keys', [(self as Bucket).id, at]),
          (answer) => {
            const [keys, next] = answer as unknown as [string[], number | null];
            return { keys, cursor: next === null ? undefined : BigInt(next) };
          },
          storeError,
        );
      }),
    },
    atomics: { bucket, increment: ask('kv.increment', keep) },
    batch: {
      bucket,
      'get-many': ask('kv.get-many', (answer, keys) =>
        (answer as (Uint8Array | null)[]).map((value, at) =>
          value === null ? undefined : [(keys as string[])[at], value],
        ),
      ),
      'set-many': ask('kv.set-many', nothing),
      'delete-many': ask('kv.delete-many', nothing),
    },
  };
}
