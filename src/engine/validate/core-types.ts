// Core WebAssembly types of components and modules, resolved to canonical spellings: two types are the same exactly if
// their spellings are equal, across files too. Long spellings are replaced by their digest, since a type that names
// its predecessor twice doubles in length.
// Function bodies are not looked at here or anywhere else in the validator: V8 checks them when it compiles.

import { createHash } from 'node:crypto';
import type { CoreFuncType, CoreModuleType, CoreValType } from '../../wit/type.ts';
import type { CoreCompositeAst, CoreFieldAst, CoreSubTypeAst, CoreValTypeAst } from '../decode/ast.ts';
import { refuse } from './refuse.ts';

export interface CoreSubType {
  readonly kind: CoreCompositeAst['kind'];
  readonly final: boolean;
  readonly shared: boolean;
  /** Set exactly for functions. */
  readonly func: CoreFuncType | null;
  /** Own spelling first, then supertypes, nearest first; made when somebody asks. */
  lineage(): readonly string[];
}

export type CoreTypeEntry =
  | { readonly kind: 'sub'; readonly type: CoreSubType }
  | { readonly kind: 'module'; readonly type: CoreModuleType };

const MAX_SPELLING = 160;
const MAX_SUBTYPE_DEPTH = 63;

type TypeAt = (index: number) => CoreSubType;
type Spell = (index: number) => string;

/** Resolves one recursion group whose first type will have the index `base`. */
export function resolveRecGroup(
  types: readonly CoreSubTypeAst[],
  base: number,
  typeAt: TypeAt,
  at: number,
): CoreSubType[] {
  const [only] = types;
  if (types.length === 1 && isPlainFunc(only!)) return [plainFunc(only)];
  const inGroup: Spell = (index) => {
    if (index >= base + types.length) refuse(at, `unknown core type ${index}: type index out of bounds`);
    return index >= base ? `rec.${index - base}` : typeAt(index).lineage()[0]!;
  };
  const group = spellGroup(types, inGroup);
  const outside: Spell = (index) => (index >= base ? `${group}.${index - base}` : inGroup(index));
  const resolved: CoreSubType[] = [];
  for (const [position, type] of types.entries()) {
    const lineage = [outside(base + position)];
    for (const parent of type.supers) {
      if (parent >= base + position)
        refuse(at, `core type ${parent} is used as a supertype before it is defined`);
      const above = parent >= base ? resolved[parent - base]! : typeAt(parent);
      if (above.final || above.kind !== type.type.kind) {
        refuse(at, `core type ${parent} cannot have this subtype`);
      }
      lineage.push(...above.lineage());
    }
    if (lineage.length > MAX_SUBTYPE_DEPTH + 1) refuse(at, 'core subtypes are nested too deep');
    const func = type.type.kind === 'func' ? { ...spellFunc(type.type, outside), lineage } : null;
    const { final, shared } = type;
    resolved.push({ kind: type.type.kind, final, shared, func, lineage: () => lineage });
  }
  return resolved;
}

/** Most types by far: functions that nobody extends, of numbers and references to nothing of their own. */
export function isPlainFunc(type: CoreSubTypeAst): type is CoreSubTypeAst & { type: { kind: 'func' } } {
  if (type.type.kind !== 'func' || !type.final || type.shared || type.supers.length > 0) return false;
  const plain = (one: CoreValTypeAst) => typeof one === 'string' || typeof one.heap === 'string';
  return type.type.params.every(plain) && type.type.results.every(plain);
}

export function plainFunc(type: CoreSubTypeAst & { type: { kind: 'func' } }): CoreSubType {
  const func = spellFunc(type.type, String);
  let lineage: readonly string[] | null = null;
  return {
    kind: 'func',
    final: true,
    shared: false,
    func,
    lineage: () => {
      lineage ??= [coreFuncSpelling(func)];
      return lineage;
    },
  };
}

/** The spelling by which a function type is known. */
export function coreFuncSpelling(type: CoreFuncType): string {
  if (type.lineage) return type.lineage[0]!;
  return digest(`(func (${type.params.join(' ')}) (${type.results.join(' ')}))`);
}

/** Piece by piece: the spelling of a large group could be longer than any string may be. */
function spellGroup(types: readonly CoreSubTypeAst[], spellIndex: Spell): string {
  const hash = createHash('sha256');
  let spelling = '(rec';
  let isShort = true;
  for (const type of types) {
    const piece = ` ${spellSubType(type, spellIndex)}`;
    hash.update(piece);
    if (isShort) spelling += piece;
    isShort &&= spelling.length < MAX_SPELLING;
  }
  return isShort ? `${spelling})` : `#${hash.digest('base64url')}`;
}

function digest(spelling: string): string {
  if (spelling.length <= MAX_SPELLING) return spelling;
  return `#${createHash('sha256').update(spelling).digest('base64url')}`;
}

export function spellValType(type: CoreValTypeAst, typeAt: TypeAt): CoreValType {
  return spell(type, (index) => typeAt(index).lineage()[0]!);
}

function spell(type: CoreValTypeAst, spellIndex: Spell): CoreValType {
  if (typeof type === 'string') return type;
  const heap = typeof type.heap === 'string' ? type.heap : spellIndex(type.heap);
  return `(ref ${type.nullable ? 'null ' : ''}${type.shared ? `(shared ${heap})` : heap})`;
}

function spellFunc(type: CoreCompositeAst & { kind: 'func' }, spellIndex: Spell): CoreFuncType {
  return {
    params: type.params.map((one) => spell(one, spellIndex)),
    results: type.results.map((one) => spell(one, spellIndex)),
  };
}

function spellSubType(type: CoreSubTypeAst, spellIndex: Spell): string {
  const supers = type.supers.map((index) => ` ${spellIndex(index)}`).join('');
  const traits = `${type.final ? ' final' : ''}${type.shared ? ' shared' : ''}${supers}`;
  return `(sub${traits} ${spellComposite(type.type, spellIndex)})`;
}

function spellComposite(type: CoreCompositeAst, spellIndex: Spell): string {
  switch (type.kind) {
    case 'func': {
      const { params, results } = spellFunc(type, spellIndex);
      return `(func (${params.join(' ')}) (${results.join(' ')}))`;
    }
    case 'array':
      return `(array ${spellField(type.field, spellIndex)})`;
    case 'struct':
      return `(struct ${type.fields.map((field) => spellField(field, spellIndex)).join(' ')})`;
    case 'cont':
      return `(cont ${spellIndex(type.type)})`;
  }
}

function spellField(field: CoreFieldAst, spellIndex: Spell): string {
  const type = field.type === 'i8' || field.type === 'i16' ? field.type : spell(field.type, spellIndex);
  return field.mutable ? `(mut ${type})` : type;
}
