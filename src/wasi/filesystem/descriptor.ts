// A descriptor as the guest holds it: the broker's handle, and how many still need it (streams outlive the descriptor
// they were made from). The broker checks every right again; what is kept here only saves questions.

import { HostFailure } from '../../core/port.ts';
import { hostResource } from '../../engine/engine.ts';
import type { Beginning, Call } from '../call.ts';
import { CHUNK, createInputStream, type InputStream } from '../io/input-stream.ts';
import { createOutputStream, type OutputStream } from '../io/output-stream.ts';

export interface Descriptor {
  /** The broker's handle in the call that is running. */
  handle(): number | Promise<number>;
  readonly type: string;
  readonly flags: readonly string[];
  /** One more holder; each calls `close` once. */
  hold(): void;
  close(): void;
}

export const descriptorResource = hostResource({
  name: 'descriptor',
  drop: (descriptor) => (descriptor as Descriptor).close(),
});

export function createDescriptor(call: Call, id: number, type: string, flags: readonly string[]): Descriptor {
  let holders = 1;
  return {
    handle: () => id,
    type,
    flags,
    hold() {
      holders++;
    },
    close() {
      if (--holders === 0) call.drop(id);
    },
  };
}

/** A granted directory: opened anew by each call that an instance serves, and never let go of by the guest. */
export function createPreopen(call: Call, path: string, flags: readonly string[]): Descriptor {
  const pick = ({ preopens }: Beginning): number => {
    const own = preopens.find(([, name]) => name === path);
    // Granted to an earlier call, and no longer.
    if (own === undefined) throw new HostFailure('bad-descriptor');
    return own[0];
  };
  return {
    handle() {
      const beginning = call.begin();
      return beginning instanceof Promise ? beginning.then(pick) : pick(beginning);
    },
    type: 'directory',
    flags,
    hold() {},
    close() {},
  };
}

export function readStream({ port }: Call, descriptor: Descriptor, offset: bigint): InputStream {
  descriptor.hold();
  let at = offset;
  // A file that this descriptor cannot change is read ahead: small reads would cost a round trip each.
  const ahead = !descriptor.flags.includes('write');
  return createInputStream({
    waits: true,
    async pull(most) {
      const bytes = (await port.request('fs.read', [
        await descriptor.handle(),
        at,
        ahead ? CHUNK : most,
      ])) as Uint8Array;
      at += BigInt(bytes.byteLength);
      return bytes;
    },
    close: () => descriptor.close(),
  });
}

/** `offset` null: each write goes to the end of the file. */
export function writeStream({ port }: Call, descriptor: Descriptor, offset: bigint | null): OutputStream {
  descriptor.hold();
  let at = offset;
  return createOutputStream({
    async push(bytes) {
      let rest = bytes;
      const id = await descriptor.handle();
      while (rest.byteLength > 0) {
        const written =
          at === null
            ? ((await port.request('fs.append', [id, rest])) as [number])[0]
            : ((await port.request('fs.write', [id, at, rest])) as number);
        if (at !== null) at += BigInt(written);
        rest = rest.subarray(written);
      }
    },
    close: () => descriptor.close(),
  });
}
