// The core function that a component function becomes when lifted or lowered (CanonicalABI.md, "Flattening"): which
// core parameters and results, and when they are passed through memory instead.
// Flattenings are kept per type; one longer than any function may have is kept as null.

import type { CoreFuncType, FuncType, ValType } from '../../wit/type.ts';
import { factsOf, type Session } from './scope.ts';

const MAX_PARAMS = 16;
const MAX_ASYNC_PARAMS = 4;
const MAX_RESULTS = 1;

export interface AbiNeeds {
  readonly core: CoreFuncType;
  readonly memory: boolean;
  readonly realloc: boolean;
}

export interface AbiMode {
  readonly direction: 'lift' | 'lower';
  readonly async: boolean;
  readonly callback: boolean;
  readonly memory64: boolean;
}

/** The core signature of a function, and which canonical options it needs. */
export function flattenFunc(session: Session, type: FuncType, mode: AbiMode): AbiNeeds {
  const { direction, memory64 } = mode;
  const lifting = direction === 'lift';
  const pointer = memory64 ? 'i64' : 'i32';
  const hasPointer = (one: ValType) => factsOf(session, one).hasPointer;
  let memory = false;
  let realloc = false;

  const limit = !lifting && mode.async ? MAX_ASYNC_PARAMS : MAX_PARAMS;
  let params = concat(type.params.map((param) => flat(session, param.type, memory64)));
  if (type.params.some((param) => hasPointer(param.type))) {
    if (lifting) realloc = true;
    else memory = true;
  }
  if (!params || params.length > limit) {
    params = [pointer];
    memory = true;
    realloc ||= lifting;
  }

  let results: readonly string[] = [];
  if (type.result) {
    if (!lifting && hasPointer(type.result)) realloc = true;
    const flatResult = flat(session, type.result, memory64);
    if (mode.async) {
      // A lifted async function hands its result to `task.return`; a lowered one has it written to memory.
      if (lifting) memory ||= flatResult === null || hasPointer(type.result);
      else {
        params = [...params, pointer];
        memory = true;
      }
    } else if (flatResult && flatResult.length <= MAX_RESULTS) {
      results = flatResult;
    } else {
      memory = true;
      if (lifting) results = [pointer];
      else params = [...params, pointer];
    }
  }
  if (mode.async && (!lifting || mode.callback)) results = ['i32'];
  return { core: { params, results }, memory: memory || realloc, realloc };
}

type Flat = readonly string[] | null;

function flat(session: Session, type: ValType, memory64: boolean): Flat {
  const known = session.flat[memory64 ? 1 : 0];
  let found = known.get(type);
  if (found === undefined) {
    found = compute(session, type, memory64);
    known.set(type, found);
  }
  return found;
}

function compute(session: Session, type: ValType, memory64: boolean): Flat {
  const part = (one: ValType) => flat(session, one, memory64);
  const pointer = memory64 ? 'i64' : 'i32';
  switch (type.kind) {
    case 's64':
    case 'u64':
      return ['i64'];
    case 'f32':
    case 'f64':
      return [type.kind];
    case 'string':
    case 'list':
    case 'map':
      return [pointer, pointer];
    case 'record':
      return concat(type.fields.map((field) => part(field.type)));
    case 'tuple':
      return concat(type.items.map(part));
    case 'fixed-list':
      if (type.length > MAX_PARAMS) return null;
      return concat(Array.from({ length: type.length }, () => part(type.element)));
    case 'variant':
      return join(type.cases.map((one) => (one.type ? part(one.type) : [])));
    case 'option':
      return join([part(type.some)]);
    case 'result':
      return join([type.ok ? part(type.ok) : [], type.err ? part(type.err) : []]);
    default:
      return ['i32'];
  }
}

function concat(parts: readonly Flat[]): Flat {
  const whole: string[] = [];
  for (const part of parts) {
    if (!part || whole.length + part.length > MAX_PARAMS) return null;
    whole.push(...part);
  }
  return whole;
}

/** A discriminant, then for each position a core type that can hold every case's value there. */
function join(cases: readonly Flat[]): Flat {
  const joined: string[] = [];
  for (const one of cases) {
    if (!one) return null;
    for (const [index, type] of one.entries()) {
      const held = joined[index];
      joined[index] = held === undefined ? type : widen(held, type);
    }
  }
  return joined.length < MAX_PARAMS ? ['i32', ...joined] : null;
}

function widen(a: string, b: string): string {
  if (a === b) return a;
  return (a === 'i32' && b === 'f32') || (a === 'f32' && b === 'i32') ? 'i32' : 'i64';
}
