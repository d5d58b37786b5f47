// The key-value operations of one call. A bucket belongs to the component: its directory is named by hashes of the
// component and the bucket, so that no identifier of a guest is ever part of a path.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { HostFailure, type WireValue } from '../../core/port.ts';
import type { Denials } from '../denials.ts';
import type { Grants } from '../grants.ts';
import type { Handles } from '../handles.ts';
import type { HostLimits } from '../limits.ts';
import type { Operation, Operations } from '../operations.ts';
import { bytes, integer, list, text, u64 } from '../wire-args.ts';
import { type Bucket, openBucket } from './bucket.ts';

type Args = readonly WireValue[];
const MOST_AT_ONCE = 256;

export function createKeyvalue(
  grants: Grants,
  denials: Denials,
  handles: Handles,
  limits: HostLimits,
  place: { readonly directory: string | undefined; readonly componentId: string },
): Operations {
  const bucket = (args: Args): Bucket => handles.get<Bucket>('bucket', integer(args, 0));
  const key = (args: Args, at: number): string => text(args, at, limits.keyBytes);
  const operations: Operations = {
    'kv.open': async (args) => {
      const name = text(args, 0, 256) || 'default';
      denials.require(grants.decide({ kind: 'keyvalue', name }), 'access-denied');
      if (place.directory === undefined) throw new HostFailure('no-such-store');
      const directory = join(place.directory, digest(place.componentId), digest(name));
      return handles.add(await openBucket(directory, limits));
    },
    'kv.get': (args) => bucket(args).get(key(args, 1)),
    'kv.set': async (args) => done(await bucket(args).set(key(args, 1), bytes(args, 2, limits.valueBytes))),
    'kv.delete': async (args) => done(await bucket(args).delete(key(args, 1))),
    'kv.exists': (args) => bucket(args).exists(key(args, 1)),
    'kv.keys': async (args) => {
      const { keys, next } = await bucket(args).keys(integer(args, 1));
      return [keys, next];
    },
    'kv.increment': (args) => bucket(args).increment(key(args, 1), u64(args, 2)),
    'kv.get-many': async (args) => {
      const held = bucket(args);
      const found: WireValue[] = [];
      let left = limits.valueBytes * 4;
      for (const name of keys(args, limits)) {
        const value = await held.get(name);
        left -= value?.byteLength ?? 0;
        if (left < 0) throw new HostFailure('other', 'Values are too large to be read at once');
        found.push(value);
      }
      return found;
    },
    'kv.set-many': async (args) => {
      const held = bucket(args);
      for (const pair of list(args, 1, MOST_AT_ONCE)) {
        const row = list([pair], 0, 2);
        await held.set(key(row, 0), bytes(row, 1, limits.valueBytes));
      }
      return null;
    },
    'kv.delete-many': async (args) => {
      const held = bucket(args);
      for (const name of keys(args, limits)) await held.delete(name);
      return null;
    },
  };
  return Object.fromEntries(Object.entries(operations).map(([name, run]) => [name, guarded(run)]));
}

function keys(args: Args, limits: HostLimits): string[] {
  return list(args, 1, MOST_AT_ONCE).map((_, at, all) => text(all, at, limits.keyBytes));
}

/** No error of the file system may name a path to the guest. */
const guarded =
  (run: Operation): Operation =>
  async (args) => {
    try {
      return await run(args);
    } catch (error) {
      throw error instanceof HostFailure ? error : new HostFailure('other', 'The store failed');
    }
  };

const digest = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 32);

const done = (_: unknown): null => null;
