// Value and function types: from the indices of a type definition to resolved, checked types.
// The rules are those of Explainer.md "Type definitions" and of the canonical ABI's element size.

import type { FuncType, PrimitiveKind, ValType } from '../../wit/type.ts';
import type { TypeAst, ValTypeAst } from '../decode/ast.ts';
import { primitive } from './facts.ts';
import { resourceNameAt, valTypeAt } from './lookup.ts';
import { isLabel } from './names.ts';
import { quote, refuse } from './refuse.ts';
import { checkWeight, factsOf, type Scope, weigh } from './scope.ts';

const MAX_FLAGS = 32;
const MAX_BYTES = 2 ** 28;
const KEYS: ReadonlySet<string> = new Set<PrimitiveKind>([
  'bool',
  's8',
  'u8',
  's16',
  'u16',
  's32',
  'u32',
  's64',
  'u64',
  'char',
  'string',
]);

export type ValueTypeAst = Exclude<TypeAst, { kind: 'func' | 'resource' | 'component' | 'instance' }>;
type FuncTypeAst = Extract<TypeAst, { kind: 'func' }>;

export function resolveValueType(scope: Scope, ast: ValueTypeAst, at: number): ValType {
  const type = resolve(scope, ast, at);
  const facts = factsOf(scope.session, type);
  checkWeight(scope.session, facts, at);
  if (facts.bytes >= MAX_BYTES) refuse(at, `${type.kind} type exceeds maximum byte size`);
  return type;
}

function resolve(scope: Scope, ast: ValueTypeAst, at: number): ValType {
  const part = (type: ValTypeAst) => resolveValType(scope, type, at);
  const optional = (type: ValTypeAst | null) => (type === null ? null : part(type));
  switch (ast.kind) {
    case 'primitive':
      return primitive(ast.type);
    case 'record': {
      checkLabels(labels(ast.fields), 'record field', 'record type must have at least one field', at);
      const fields = ast.fields.map((field) => ({ name: field.name, type: part(field.type) }));
      return { kind: 'record', fields };
    }
    case 'variant': {
      checkLabels(labels(ast.cases), 'variant case', 'variant type must have at least one case', at);
      const cases = ast.cases.map((one) => ({ name: one.name, type: optional(one.type) }));
      return { kind: 'variant', cases };
    }
    case 'flags':
      checkLabels(ast.names, 'flag', 'flags must have at least one entry', at);
      if (ast.names.length > MAX_FLAGS) refuse(at, `cannot have more than ${MAX_FLAGS} flags`);
      return { kind: 'flags', names: ast.names };
    case 'enum':
      checkLabels(ast.names, 'enum tag', 'enum type must have at least one variant', at);
      return { kind: 'enum', names: ast.names };
    case 'tuple':
      if (ast.items.length === 0) refuse(at, 'tuple type must have at least one type');
      return { kind: 'tuple', items: ast.items.map(part) };
    case 'list':
      return { kind: 'list', element: part(ast.element) };
    case 'fixed-list':
      if (ast.length === 0) refuse(at, 'fixed-length lists must have more than zero elements');
      return { kind: 'fixed-list', element: part(ast.element), length: ast.length };
    case 'option':
      return { kind: 'option', some: part(ast.some) };
    case 'result':
      return { kind: 'result', ok: optional(ast.ok), err: optional(ast.err) };
    case 'map': {
      const key = part(ast.key);
      if (!KEYS.has(key.kind)) refuse(at, `${key.kind} cannot be the key type of a map`);
      return { kind: 'map', key, value: part(ast.value) };
    }
    case 'own':
    case 'borrow': {
      const name = resourceNameAt(scope, ast.resource, at);
      const handle: ValType = { kind: ast.kind, resource: name.type };
      scope.session.handleNames.set(handle, name);
      return handle;
    }
    case 'stream':
    case 'future': {
      const element = optional(ast.element);
      if (ast.kind === 'stream' && element?.kind === 'char') refuse(at, '`stream<char>` is not valid');
      return { kind: ast.kind, element };
    }
  }
}

export function resolveValType(scope: Scope, ast: ValTypeAst, at: number): ValType {
  return typeof ast === 'number' ? valTypeAt(scope, ast, at) : primitive(ast);
}

export function resolveFuncType(scope: Scope, ast: FuncTypeAst, at: number): FuncType {
  const { session } = scope;
  checkLabels(labels(ast.params), 'function parameter', null, at);
  const params = ast.params.map((param) => ({
    name: param.name,
    type: resolveValType(scope, param.type, at),
  }));
  const result = ast.result === null ? null : resolveValType(scope, ast.result, at);
  if (result && factsOf(session, result).hasBorrow) {
    refuse(at, 'function result cannot contain a `borrow` type');
  }
  const type: FuncType = { params, result, async: ast.async };
  const parts = [...params.map((param) => param.type), ...(result ? [result] : [])];
  session.weights.set(
    type,
    weigh(
      session,
      parts.map((part) => factsOf(session, part)),
      at,
    ),
  );
  return type;
}

const labels = (list: readonly { readonly name: string }[]) => list.map((one) => one.name);

/** Labels are kebab case and differ in more than case. `empty` is what to say when there are none. */
function checkLabels(names: readonly string[], what: string, empty: string | null, at: number): void {
  if (names.length === 0 && empty !== null) refuse(at, empty);
  const taken = new Map<string, string>();
  for (const name of names) {
    if (name === '') refuse(at, `${what} name cannot be empty`);
    if (!isLabel(name)) refuse(at, `${what} name ${quote(name)} is not in kebab case`);
    const key = name.toLowerCase();
    const previous = taken.get(key);
    if (previous !== undefined) {
      refuse(at, `${what} name ${quote(name)} conflicts with previous name ${quote(previous)}`);
    }
    taken.set(key, name);
  }
}
