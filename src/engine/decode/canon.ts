// Canonical definitions: lift, lower, resource functions, and every built-in of WASI 0.3, which all decode to
// `builtin` with their immediates in order (Binary.md, "Canonical Definitions").

import type { CanonAst, CanonOptionsAst } from './ast.ts';
import { readCoreValType } from './core-types.ts';
import type { Reader } from './reader.ts';
import { readResultList } from './val-types.ts';

/** Immediates: t type index, r result list, o options, b flag, u core index or number, v core value type. */
const BUILTINS = new Map<number, readonly [name: string, immediates: string]>([
  [0x05, ['task.cancel', '']],
  [0x06, ['subtask.cancel', 'b']],
  [0x09, ['task.return', 'ro']],
  [0x0a, ['context.get', 'vu']],
  [0x0b, ['context.set', 'vu']],
  [0x0c, ['thread.yield', 'b']],
  [0x0d, ['subtask.drop', '']],
  [0x0e, ['stream.new', 't']],
  [0x0f, ['stream.read', 'to']],
  [0x10, ['stream.write', 'to']],
  [0x11, ['stream.cancel-read', 'tb']],
  [0x12, ['stream.cancel-write', 'tb']],
  [0x13, ['stream.drop-readable', 't']],
  [0x14, ['stream.drop-writable', 't']],
  [0x15, ['future.new', 't']],
  [0x16, ['future.read', 'to']],
  [0x17, ['future.write', 'to']],
  [0x18, ['future.cancel-read', 'tb']],
  [0x19, ['future.cancel-write', 'tb']],
  [0x1a, ['future.drop-readable', 't']],
  [0x1b, ['future.drop-writable', 't']],
  [0x1c, ['error-context.new', 'o']],
  [0x1d, ['error-context.debug-message', 'o']],
  [0x1e, ['error-context.drop', '']],
  [0x1f, ['waitable-set.new', '']],
  [0x20, ['waitable-set.wait', 'bu']],
  [0x21, ['waitable-set.poll', 'bu']],
  [0x22, ['waitable-set.drop', '']],
  [0x23, ['waitable.join', '']],
  [0x24, ['backpressure.inc', '']],
  [0x25, ['backpressure.dec', '']],
  [0x26, ['thread.index', '']],
  [0x27, ['thread.new-indirect', 'uu']],
  [0x28, ['thread.resume-later', '']],
  [0x29, ['thread.suspend', 'b']],
  [0x2a, ['thread.suspend-then-resume', 'b']],
  [0x2b, ['thread.yield-then-resume', 'b']],
  [0x2c, ['thread.suspend-then-promote', 'b']],
  [0x2d, ['thread.yield-then-promote', 'b']],
  [0x40, ['thread.spawn-ref', 'bu']],
  [0x41, ['thread.spawn-indirect', 'buu']],
  [0x42, ['thread.available-parallelism', 'b']],
]);

export function readCanon(r: Reader): CanonAst {
  const byte = r.byte();
  switch (byte) {
    case 0x00:
      readFuncSort(r);
      return { kind: 'lift', func: r.u32(), options: readOptions(r), type: r.u32() };
    case 0x01:
      readFuncSort(r);
      return { kind: 'lower', func: r.u32(), options: readOptions(r) };
    case 0x02:
      return { kind: 'resource.new', type: r.u32() };
    case 0x03:
      return { kind: 'resource.drop', type: r.u32(), async: false };
    case 0x04:
      return { kind: 'resource.rep', type: r.u32() };
    default:
      return readBuiltin(r, byte);
  }
}

function readFuncSort(r: Reader): void {
  const sort = r.byte();
  if (sort !== 0x00) throw r.unknown('the sort of a lifted or lowered function (0x00, func)', sort);
}

function readBuiltin(r: Reader, byte: number): CanonAst {
  const found = BUILTINS.get(byte);
  if (found === undefined) throw r.unknown('a canonical function', byte);
  const [name, immediateKinds] = found;
  let type: number | null = null;
  let result: ReturnType<typeof readResultList> = null;
  let options: CanonOptionsAst | null = null;
  const immediates: (number | boolean | string)[] = [];
  for (const kind of immediateKinds) {
    if (kind === 't') type = r.u32();
    else if (kind === 'r') result = readResultList(r);
    else if (kind === 'o') options = readOptions(r);
    else if (kind === 'b') immediates.push(r.bool('a flag'));
    else if (kind === 'u') immediates.push(r.u32());
    else immediates.push(readNumericType(r));
  }
  return { kind: 'builtin', name, type, result, options, immediates };
}

function readNumericType(r: Reader): string {
  const at = r.pos;
  const type = readCoreValType(r);
  if (typeof type !== 'string') throw r.malformed('not a core number type', at);
  return type;
}

const ENCODINGS = ['utf8', 'utf16', 'latin1+utf16'] as const;
const OPTIONS = ['memory', 'realloc', 'postReturn', 'async', 'callback', 'coreType', 'gc'] as const;

/** Each option at most once, and only one encoding: the tree could not show more. */
function readOptions(r: Reader): CanonOptionsAst {
  const options: { -readonly [K in keyof CanonOptionsAst]: CanonOptionsAst[K] } = {
    encoding: null,
    memory: null,
    realloc: null,
    postReturn: null,
    async: false,
    callback: null,
    gc: false,
    coreType: null,
  };
  r.vec('canonical options', 10, () => {
    const byte = r.byte();
    const encoding = ENCODINGS[byte];
    const option = encoding === undefined ? OPTIONS[byte - 3] : 'encoding';
    if (option === undefined) throw r.unknown('a canonical option', byte);
    if (options[option] !== null && options[option] !== false) {
      throw r.malformed(`canonical option "${option}" is given twice`, r.pos - 1);
    }
    if (option === 'encoding') options.encoding = encoding as (typeof ENCODINGS)[number];
    else if (option === 'async' || option === 'gc') options[option] = true;
    else options[option] = r.u32();
  });
  return options;
}
