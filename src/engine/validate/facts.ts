// What the validator knows about a type besides its structure, computed once when the type is made: how big, how deep,
// what it contains. Facts are kept beside the types, since readers of types have no use for them.
// Invariant: substitution of resources changes none of these facts, so a substituted type shares its original's.

import type { DefinedType, PrimitiveKind, ValType } from '../../wit/type.ts';

/** Size of the unfolded tree and nesting: what a walk over the type costs. */
export interface Weight {
  readonly size: number;
  readonly depth: number;
}

export interface Facts extends Weight {
  readonly hasBorrow: boolean;
  /** Contains a string, list or map by value: needs linear memory. */
  readonly hasPointer: boolean;
  readonly hasResource: boolean;
  /** `elem_size` and `alignment` of the canonical ABI for 64-bit memories, the larger of the two layouts. */
  readonly bytes: number;
  readonly alignment: number;
}

/** The handle's resource under the name by which the type was written: aliases of a resource are told apart here. */
export type ResourceName = Extract<DefinedType, { kind: 'resource' }>;

const leaf = (bytes: number, hasPointer = false): Facts => ({
  size: 1,
  depth: 1,
  hasBorrow: false,
  hasPointer,
  hasResource: false,
  bytes,
  alignment: hasPointer ? 8 : bytes,
});

const PRIMITIVE_FACTS: Record<PrimitiveKind, Facts> = {
  bool: leaf(1),
  s8: leaf(1),
  u8: leaf(1),
  s16: leaf(2),
  u16: leaf(2),
  s32: leaf(4),
  u32: leaf(4),
  s64: leaf(8),
  u64: leaf(8),
  f32: leaf(4),
  f64: leaf(8),
  char: leaf(4),
  string: leaf(16, true),
  'error-context': leaf(4),
};

/** The one object of each primitive type. */
const PRIMITIVES = new Map<string, ValType>(
  (Object.keys(PRIMITIVE_FACTS) as PrimitiveKind[]).map((kind) => [kind, Object.freeze({ kind })]),
);

export function primitive(kind: PrimitiveKind): ValType {
  return PRIMITIVES.get(kind)!;
}

export function isPrimitive(type: ValType): boolean {
  return PRIMITIVES.has(type.kind);
}

const ENDPOINT = leaf(4);
const HANDLE: Facts = { ...ENDPOINT, hasResource: true };
const BORROW: Facts = { ...HANDLE, hasBorrow: true };

export type FactsOf = (type: ValType) => Facts;

/** The facts of a type whose parts are known already. */
export function computeFacts(type: ValType, of: FactsOf): Facts {
  switch (type.kind) {
    case 'record':
      return sequence(type.fields.map((field) => of(field.type)));
    case 'tuple':
      return sequence(type.items.map(of));
    case 'variant':
      return choice(
        type.cases.map((one) => one.type && of(one.type)),
        type.cases.length,
      );
    case 'option':
      return choice([of(type.some)], 2);
    case 'result':
      return choice([type.ok && of(type.ok), type.err && of(type.err)], 2);
    case 'enum':
      return leaf(discriminantBytes(type.names.length));
    case 'flags':
      return leaf(type.names.length <= 8 ? 1 : type.names.length <= 16 ? 2 : 4);
    case 'list':
      return { ...around([of(type.element)]), hasPointer: true, bytes: 16, alignment: 8 };
    case 'map':
      return { ...around([of(type.key), of(type.value)]), hasPointer: true, bytes: 16, alignment: 8 };
    case 'fixed-list': {
      const element = of(type.element);
      return { ...around([element]), bytes: element.bytes * type.length, alignment: element.alignment };
    }
    case 'stream':
    case 'future':
      return { ...around(type.element ? [of(type.element)] : []), hasPointer: false, bytes: 4, alignment: 4 };
    case 'own':
      return HANDLE;
    case 'borrow':
      return BORROW;
    default:
      return PRIMITIVE_FACTS[type.kind];
  }
}

function around(parts: readonly (Facts | null)[]): Facts {
  let size = 1;
  let depth = 1;
  let hasBorrow = false;
  let hasPointer = false;
  let hasResource = false;
  for (const part of parts) {
    if (!part) continue;
    size += part.size;
    depth = Math.max(depth, part.depth + 1);
    hasBorrow ||= part.hasBorrow;
    hasPointer ||= part.hasPointer;
    hasResource ||= part.hasResource;
  }
  return { size, depth, hasBorrow, hasPointer, hasResource, bytes: 0, alignment: 1 };
}

function sequence(parts: readonly Facts[]): Facts {
  let bytes = 0;
  let alignment = 1;
  for (const part of parts) {
    bytes = align(bytes, part.alignment) + part.bytes;
    alignment = Math.max(alignment, part.alignment);
  }
  return { ...around(parts), bytes: align(bytes, alignment), alignment };
}

function choice(parts: readonly (Facts | null)[], cases: number): Facts {
  const discriminant = discriminantBytes(cases);
  let payload = 0;
  let payloadAlignment = 1;
  for (const part of parts) {
    if (!part) continue;
    payload = Math.max(payload, part.bytes);
    payloadAlignment = Math.max(payloadAlignment, part.alignment);
  }
  const alignment = Math.max(discriminant, payloadAlignment);
  const bytes = align(align(discriminant, payloadAlignment) + payload, alignment);
  return { ...around(parts), bytes, alignment };
}

function discriminantBytes(cases: number): number {
  return cases <= 0x100 ? 1 : cases <= 0x10000 ? 2 : 4;
}

// Plain arithmetic, since sums may pass 2^32 before they are refused.
function align(offset: number, alignment: number): number {
  return Math.ceil(offset / alignment) * alignment;
}
