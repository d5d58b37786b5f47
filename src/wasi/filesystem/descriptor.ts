// A descriptor as the guest holds it: the broker's handle, and how many still need it (streams outlive the descriptor
// they were made from). The broker checks every right again; what is kept here only saves questions.

import { HostFailure } from '../../core/port.ts';
import { hostResource } from '../../engine/engine.ts';
import type { Beginning, Call } from '../call.ts';
import { createFileContent, type FileContent } from '../file-content.ts';
import { createInputStream, type InputStream } from '../io/input-stream.ts';
import { createOutputStream, type OutputStream } from '../io/output-stream.ts';

export interface Descriptor {
  /** The broker's handle in the call that is running. */
  handle(): number | Promise<number>;
  readonly type: string;
  readonly flags: readonly string[];
  /** Null for directories. */
  readonly content: FileContent | null;
  /** One more holder; each calls `close` once. */
  hold(): void;
  close(): void;
}

export const descriptorResource = hostResource({
  name: 'descriptor',
  drop: (descriptor) => (descriptor as Descriptor).close(),
});

/** What the broker says of something opened: handle, type, flags, and the content of a small file. */
export type Opened = readonly [number, string, readonly string[], Uint8Array | null];

export function createDescriptor(call: Call, [id, type, flags, first]: Opened): Descriptor {
  let holders = 1;
  return {
    handle: () => id,
    type,
    flags,
    content: type === 'directory' ? null : createFileContent(call, id, flags, first),
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
    content: null,
    hold() {},
    close() {},
  };
}

export function readStream(descriptor: Descriptor, content: FileContent, offset: bigint): InputStream {
  descriptor.hold();
  let at = offset;
  return createInputStream({
    waits: true,
    async pull(most) {
      const bytes = await content.read(at, most);
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
