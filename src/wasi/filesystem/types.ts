// wasi:filesystem/types: each method is one question to the broker, which decides it. Only what the guest already knows
// (flags and type of its own descriptor) is answered here.

import type { WireValue } from '../../core/port.ts';
import { type HostFunc, type HostInstance, hostResource, suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import type { Call } from '../call.ts';
import { datetime } from '../clocks/clocks.ts';
import type { FileContent } from '../file-content.ts';
import { errorResource, type IoError } from '../io/error.ts';
import { CHUNK, inputStreamResource } from '../io/input-stream.ts';
import { outputStreamResource } from '../io/output-stream.ts';
import { err, ok, settle } from '../result.ts';
import {
  createDescriptor,
  type Descriptor,
  descriptorResource,
  type Opened,
  readStream,
  writeStream,
} from './descriptor.ts';
import { fileError, isFileError } from './errors.ts';

interface Listing {
  readonly id: number;
  page: readonly (readonly [string, string])[];
  at: number;
}

type StatRow = readonly [string, bigint, bigint, bigint, bigint, bigint];

export function createFilesystemTypes(call: Call): HostInstance {
  const listing = hostResource({
    name: 'directory-entry-stream',
    drop: (rep) => call.drop((rep as Listing).id),
  });
  return {
    descriptor: descriptorResource,
    'directory-entry-stream': listing,
    'input-stream': inputStreamResource,
    'output-stream': outputStreamResource,
    error: errorResource,
    'filesystem-error-code': (error) => {
      const { failure } = error as IoError;
      return isFileError(failure) ? failure.code : undefined;
    },
    ...prefixed(contentMethods(call)),
    ...prefixed(statusMethods(call)),
    ...prefixed(nameMethods(call)),
    '[method]directory-entry-stream.read-directory-entry': suspending((rep) =>
      nextEntry(call, rep as Listing),
    ),
  };
}

function prefixed(methods: Readonly<Record<string, HostFunc>>): Readonly<Record<string, HostFunc>> {
  return Object.fromEntries(
    Object.entries(methods).map(([name, run]) => [`[method]descriptor.${name}`, run]),
  );
}

/** Asks the broker; `args` makes the arguments after the descriptor's number. */
function asker({ port }: Call) {
  const request = async (op: string, args: readonly (WireValue | Promise<number>)[]): Promise<WireValue> =>
    port.request(op, await Promise.all(args));
  return (
    op: string,
    args: (...given: Value[]) => readonly (WireValue | Promise<number>)[],
    toValue: (answer: WireValue) => Value = () => undefined,
  ): HostFunc =>
    suspending((self, ...given) =>
      settle(request(op, [(self as Descriptor).handle(), ...args(...given)]), toValue, fileError),
    );
}

async function onHandle(self: Value, ask: (id: number) => Promise<WireValue>): Promise<WireValue> {
  return ask(await (self as Descriptor).handle());
}

const none = (): readonly WireValue[] => [];
const same = (...given: Value[]): readonly WireValue[] => given as WireValue[];

function contentMethods(call: Call): Readonly<Record<string, HostFunc>> {
  const ask = asker(call);
  const onFile = (
    self: Value,
    right: string,
    make: (file: Descriptor, content: FileContent) => object,
  ): Value => {
    const file = self as Descriptor;
    if (file.content === null) return err('is-directory');
    return file.flags.includes(right) ? ok(make(file, file.content)) : err('bad-descriptor');
  };
  return {
    'read-via-stream': (self, offset) =>
      onFile(self, 'read', (file, content) => readStream(file, content, offset as bigint)),
    'write-via-stream': (self, offset) =>
      onFile(self, 'write', (file) => writeStream(call, file, offset as bigint)),
    'append-via-stream': (self) => onFile(self, 'write', (file) => writeStream(call, file, null)),
    read: suspending((self, length, offset) => {
      const asked = length as bigint;
      const most = asked > BigInt(CHUNK) ? CHUNK : Number(asked);
      const { content, flags } = self as Descriptor;
      if (content === null) return err('is-directory');
      if (!flags.includes('read')) return err('bad-descriptor');
      const give = (bytes: Uint8Array): Value => [bytes, most > 0 && bytes.byteLength === 0];
      const bytes = content.read(offset as bigint, most);
      return bytes instanceof Promise ? settle(bytes, give, fileError) : ok(give(bytes));
    }),
    write: suspending((self, bytes, offset) => {
      const part = (bytes as Uint8Array).subarray(0, CHUNK);
      return settle(
        onHandle(self, (id) => call.port.request('fs.write', [id, offset as bigint, part])),
        (count) => BigInt(count as number),
        fileError,
      );
    }),
    'set-size': ask('fs.set-size', same),
    sync: ask('fs.sync', none),
    'sync-data': ask('fs.sync-data', none),
    advise: (self) => ((self as Descriptor).type === 'directory' ? err('bad-descriptor') : ok()),
  };
}

function statusMethods(call: Call): Readonly<Record<string, HostFunc>> {
  const ask = asker(call);
  const stat = (answer: WireValue): Value => {
    const [type, links, size, accessed, modified, changed] = answer as unknown as StatRow;
    return {
      type,
      'link-count': links,
      size,
      'data-access-timestamp': timestamp(accessed),
      'data-modification-timestamp': timestamp(modified),
      'status-change-timestamp': timestamp(changed),
    };
  };
  const hash = (answer: WireValue): Value => {
    const [lower, upper] = answer as [bigint, bigint];
    return { lower, upper };
  };
  return {
    'get-flags': (self) => ok((self as Descriptor).flags),
    'get-type': (self) => ok((self as Descriptor).type),
    stat: ask('fs.stat', none, stat),
    'stat-at': ask('fs.stat-at', same, stat),
    'set-times': ask('fs.set-times', (accessed, modified) => [newTime(accessed), newTime(modified)]),
    'set-times-at': ask('fs.set-times-at', (flags, path, accessed, modified) => [
      flags as WireValue,
      path as string,
      newTime(accessed),
      newTime(modified),
    ]),
    'metadata-hash': ask('fs.metadata-hash', none, hash),
    'metadata-hash-at': ask('fs.metadata-hash-at', same, hash),
    'is-same-object': suspending(
      async (self, other) =>
        (await call.port.request('fs.is-same-object', [
          await (self as Descriptor).handle(),
          await (other as Descriptor).handle(),
        ])) as boolean,
    ),
  };
}

function nameMethods(call: Call): Readonly<Record<string, HostFunc>> {
  const ask = asker(call);
  return {
    'open-at': ask('fs.open-at', same, (answer) => createDescriptor(call, answer as unknown as Opened)),
    'read-directory': ask(
      'fs.list',
      none,
      (id): Value => ({ id: id as number, page: [], at: 0 }) satisfies Listing,
    ),
    'create-directory-at': ask('fs.create-directory-at', same),
    'remove-directory-at': ask('fs.remove-directory-at', same),
    'unlink-file-at': ask('fs.unlink-file-at', same),
    'symlink-at': ask('fs.symlink-at', same),
    'readlink-at': ask('fs.readlink-at', same, (aim) => aim as string),
    'rename-at': ask('fs.rename-at', (oldPath, to, newPath) => [
      oldPath as string,
      (to as Descriptor).handle(),
      newPath as string,
    ]),
    'link-at': ask('fs.link-at', (flags, oldPath, to, newPath) => [
      flags as WireValue,
      oldPath as string,
      (to as Descriptor).handle(),
      newPath as string,
    ]),
  };
}

function nextEntry({ port }: Call, listing: Listing): Value | Promise<Value> {
  const entry = (): Value => {
    const found = listing.page[listing.at++];
    return found === undefined ? undefined : { type: found[0], name: found[1] };
  };
  if (listing.at < listing.page.length) return ok(entry());
  return settle(
    port.request('fs.list-next', [listing.id]),
    (page) => {
      listing.page = page as unknown as Listing['page'];
      listing.at = 0;
      return entry();
    },
    fileError,
  );
}

/** Times before 1970 cannot be told. */
const timestamp = (nanoseconds: bigint): Value => (nanoseconds < 0n ? undefined : datetime(nanoseconds));

function newTime(value: Value): WireValue {
  const { tag, val } = value as { tag: string; val?: { seconds: bigint; nanoseconds: number } };
  return val === undefined ? tag : val.seconds * 1_000_000_000n + BigInt(val.nanoseconds);
}
