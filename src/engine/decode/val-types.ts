// Value types as they stand inside other definitions: a primitive's opcode or a type index, sharing one signed number
// space (Binary.md, "Type Definitions"). Negative numbers that name no primitive are refused, however they are padded.

import type { PrimitiveAst, ValTypeAst } from './ast.ts';
import type { Reader } from './reader.ts';

const PRIMITIVES = new Map<number, PrimitiveAst>([
  [0x7f, 'bool'],
  [0x7e, 's8'],
  [0x7d, 'u8'],
  [0x7c, 's16'],
  [0x7b, 'u16'],
  [0x7a, 's32'],
  [0x79, 'u32'],
  [0x78, 's64'],
  [0x77, 'u64'],
  [0x76, 'f32'],
  [0x75, 'f64'],
  [0x74, 'char'],
  [0x73, 'string'],
  [0x64, 'error-context'],
]);

export function primitiveOf(byte: number): PrimitiveAst | undefined {
  return PRIMITIVES.get(byte);
}

export function readValType(r: Reader): ValTypeAst {
  const primitive = PRIMITIVES.get(r.peek());
  if (primitive !== undefined) {
    r.byte();
    return primitive;
  }
  const at = r.pos;
  const index = r.s33();
  if (index < 0) throw r.malformed('not a value type', at);
  return index;
}

export function readOptionalValType(r: Reader): ValTypeAst | null {
  return r.bool('an optional value type') ? readValType(r) : null;
}

/** One unnamed result, or none. */
export function readResultList(r: Reader): ValTypeAst | null {
  const none = r.bool('a result list');
  if (!none) return readValType(r);
  const count = r.byte();
  if (count !== 0) throw r.unknown('the number of named results (0x00)', count);
  return null;
}
