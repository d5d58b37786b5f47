// wasi:io/streams: the methods of both ends, blocking and not. A write beyond the budget traps, as the interface says.
// What is at hand is given without suspending the guest.

import { HostFailure } from '../../core/port.ts';
import { type HostInstance, suspending } from '../../engine/engine.ts';
import type { Value } from '../../wit/value.ts';
import { err, ok } from '../result.ts';
import { errorResource } from './error.ts';
import { CHUNK, type InputStream, inputStreamResource } from './input-stream.ts';
import { type OutputStream, outputStreamResource } from './output-stream.ts';
import { alwaysReady, type Pollable, pollableResource, waitForAny } from './pollable.ts';

const clamp = (length: Value, most = CHUNK): number => {
  const asked = length as bigint;
  return asked > BigInt(most) ? most : Number(asked);
};

/** Turns what a stream throws into its `stream-error`. */
function guarded(work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    if (error instanceof HostFailure) return err({ tag: 'last-operation-failed', val: { failure: error } });
    throw error;
  }
}

const closed = (): Value => err({ tag: 'closed' });

export function createStreams(): HostInstance {
  return {
    error: errorResource,
    pollable: pollableResource,
    'input-stream': inputStreamResource,
    'output-stream': outputStreamResource,
    ...inputMethods(),
    ...outputMethods(),
    ...spliceMethods(),
  };
}

function inputMethods(): HostInstance {
  type Finish = (bytes: Uint8Array) => Value;
  const read = (
    stream: InputStream,
    length: Value,
    blocks: boolean,
    finish: Finish,
  ): Value | Promise<Value> => {
    const most = clamp(length);
    const take = (): Value =>
      guarded(() => {
        const bytes = most === 0 ? new Uint8Array(0) : stream.take(most);
        return bytes === null ? closed() : ok(finish(bytes));
      });
    if (most === 0 || stream.ready()) return take();
    const filled = stream.fill(most);
    return blocks || stream.waits ? filled.then(take) : take();
  };
  const whole: Finish = (bytes) => bytes;
  const count: Finish = (bytes) => BigInt(bytes.byteLength);
  return {
    '[method]input-stream.read': suspending((s, length) => read(s as InputStream, length, false, whole)),
    '[method]input-stream.blocking-read': suspending((s, length) =>
      read(s as InputStream, length, true, whole),
    ),
    '[method]input-stream.skip': suspending((s, length) => read(s as InputStream, length, false, count)),
    '[method]input-stream.blocking-skip': suspending((s, length) =>
      read(s as InputStream, length, true, count),
    ),
    '[method]input-stream.subscribe': (stream) =>
      // A file may always be read: waiting for it happens in the reading.
      (stream as InputStream).waits ? alwaysReady : (stream as Pollable),
  };
}

function write(stream: OutputStream, bytes: Uint8Array): Value {
  return guarded(() => {
    const budget = stream.budget();
    if (budget === null) return closed();
    if (bytes.byteLength > budget)
      throw new Error(`write of ${bytes.byteLength} bytes, only ${budget} permitted`);
    stream.write(bytes);
    return ok();
  });
}

/** Writes all of it, piece by piece as there is room, and waits until it has been taken. */
async function writeAndFlush(stream: OutputStream, bytes: Uint8Array): Promise<Value> {
  let rest = bytes;
  while (rest.byteLength > 0) {
    await waitForAny([stream]);
    const written = guarded(() => {
      const budget = stream.budget();
      if (budget === null) return closed();
      stream.write(rest.subarray(0, budget));
      rest = rest.subarray(budget);
      return ok();
    });
    if ((written as { tag: string }).tag === 'err') return written;
  }
  return flush(stream);
}

async function flush(stream: OutputStream): Promise<Value> {
  await stream.flushed();
  return state(stream);
}

const state = (stream: OutputStream): Value => guarded(() => (stream.budget() === null ? closed() : ok()));

function zeroes(length: Value): Uint8Array {
  const size = length as bigint;
  if (size > BigInt(CHUNK)) throw new Error(`write of ${size} zeroes, at most ${CHUNK} permitted`);
  return new Uint8Array(Number(size));
}

function outputMethods(): HostInstance {
  return {
    '[method]output-stream.check-write': (s) =>
      guarded(() => {
        const budget = (s as OutputStream).budget();
        return budget === null ? closed() : ok(BigInt(budget));
      }),
    '[method]output-stream.write': (s, bytes) => write(s as OutputStream, bytes as Uint8Array),
    '[method]output-stream.blocking-write-and-flush': suspending((s, bytes) =>
      writeAndFlush(s as OutputStream, bytes as Uint8Array),
    ),
    '[method]output-stream.flush': (s) => state(s as OutputStream),
    '[method]output-stream.blocking-flush': suspending((s) => flush(s as OutputStream)),
    '[method]output-stream.subscribe': (stream) => stream as Pollable,
    '[method]output-stream.write-zeroes': (s, length) => write(s as OutputStream, zeroes(length)),
    '[method]output-stream.blocking-write-zeroes-and-flush': suspending((s, length) =>
      writeAndFlush(s as OutputStream, zeroes(length)),
    ),
  };
}

function spliceMethods(): HostInstance {
  const splice = (to: OutputStream, from: InputStream, length: Value): Value =>
    guarded(() => {
      const budget = to.budget();
      if (budget === null) return closed();
      const bytes = from.take(Math.min(budget, clamp(length)));
      if (bytes === null) return closed();
      to.write(bytes);
      return ok(BigInt(bytes.byteLength));
    });
  return {
    '[method]output-stream.splice': suspending((to, from, length) => {
      const source = from as InputStream;
      const now = (): Value => splice(to as OutputStream, source, length);
      if (source.ready()) return now();
      const filled = source.fill(clamp(length));
      return source.waits ? filled.then(now) : now();
    }),
    '[method]output-stream.blocking-splice': suspending(async (to, from, length) => {
      await waitForAny([to as OutputStream]);
      await (from as InputStream).fill(clamp(length));
      return splice(to as OutputStream, from as InputStream, length);
    }),
  };
}
