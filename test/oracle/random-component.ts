// Components made from random types, as text for wasm-tools to assemble: `echo` gives a list of the type back,
// `spill` gives one value back that came through memory, `digest` mixes the flat parameters into one number in the
// order in which they came. Flattening is written here once more, from the specification, not taken from the engine.

import type { ValType } from '../../src/wit/type.ts';

type Flat = 'i32' | 'i64' | 'f32' | 'f64';

/** `echoed` may be of any kind, `digested` must not hold pointers. */
export function randomComponent(echoed: ValType, digested: ValType): string {
  const definitions: string[] = [];
  const exports: string[] = [];

  /** Writes out the definition and gives the type's name. Kinds that must be named are exported. */
  function define(type: ValType): string {
    const body = spell(type, define);
    if (body === type.kind) return body;
    const name = `t${definitions.length}`;
    definitions.push(`(type $${name} ${body})`);
    if (NAMED.has(type.kind)) exports.push(`(export "${name}" (type $${name}))`);
    return `$${name}`;
  }

  const [e, d] = [define(echoed), define(digested)];
  const flat = flatten(digested);
  const passed = flat.length > 16 ? (['i32'] satisfies Flat[]) : flat;
  const pad = '(tuple u64 u64 u64 u64 u64 u64 u64 u64 u64 u64 u64 u64 u64 u64 u64 u64)';
  const memory = '(memory (core memory $i "memory")) (realloc (core func $i "realloc"))';
  const many = flatten(echoed).length > 1;
  return `(component
  (core module $m
    (memory (export "memory") 1)
    (global $next (mut i32) (i32.const 64))
    (func (export "realloc") (param i32 i32 i32 i32) (result i32)
      (local $at i32)
      (local.set $at (i32.and (i32.add (global.get $next) (i32.const 7)) (i32.const -8)))
      (global.set $next (i32.add (local.get $at) (local.get 3)))
      (if (i32.gt_u (global.get $next) (i32.mul (memory.size) (i32.const 65536)))
        (then (drop (memory.grow (i32.const 64)))))
      (memory.copy (local.get $at) (local.get 0) (local.get 1))
      (local.get $at))
    (func (export "echo") (param i32 i32) (result i32)
      (global.set $next (i32.const 64))
      (i32.store (i32.const 16) (local.get 0))
      (i32.store (i32.const 20) (local.get 1))
      (i32.const 16))
    (func (export "spill") (param i32) (result i32) (global.set $next (i32.const 64)) (local.get 0))
    (func (export "digest") ${passed.map((type) => `(param ${type})`).join(' ')} (result i64)
      (local $sum i64)
      ${flat.length > 16 ? '' : flat.map(mix).join('\n      ')}
      (global.set $next (i32.const 64))
      (local.get $sum)))
  (core instance $i (instantiate $m))
  ${definitions.join('\n  ')}
  (func $echo (param "v" (list ${e})) (result (list ${e})) (canon lift (core func $i "echo") ${memory}))
  (func $digest (param "v" ${d}) (result u64) (canon lift (core func $i "digest") ${memory}))
  ${many ? `(func $spill (param "v" ${e}) (param "pad" ${pad}) (result ${e}) (canon lift (core func $i "spill") ${memory}))` : ''}
  (instance $faces ${exports.join(' ')}
    (export "echo" (func $echo)) (export "digest" (func $digest)) ${many ? '(export "spill" (func $spill))' : ''})
  (export "fixture:random/faces" (instance $faces)))`;
}

const NAMED = new Set<string>(['record', 'variant', 'flags', 'enum']);

function spell(type: ValType, name: (type: ValType) => string): string {
  switch (type.kind) {
    case 'record':
      return `(record ${type.fields.map((field) => `(field "${field.name}" ${name(field.type)})`).join(' ')})`;
    case 'variant':
      return `(variant ${type.cases.map((one) => `(case "${one.name}"${one.type ? ` ${name(one.type)}` : ''})`).join(' ')})`;
    case 'list':
      return `(list ${name(type.element)})`;
    case 'tuple':
      return `(tuple ${type.items.map(name).join(' ')})`;
    case 'flags':
    case 'enum':
      return `(${type.kind} ${type.names.map((label) => `"${label}"`).join(' ')})`;
    case 'option':
      return `(option ${name(type.some)})`;
    case 'result':
      return `(result${type.ok ? ` ${name(type.ok)}` : ''}${type.err ? ` (error ${name(type.err)})` : ''})`;
    default:
      return type.kind;
  }
}

function flatten(type: ValType): Flat[] {
  switch (type.kind) {
    case 'u64':
    case 's64':
      return ['i64'];
    case 'f32':
    case 'f64':
      return [type.kind];
    case 'string':
    case 'list':
      return ['i32', 'i32'];
    case 'record':
      return type.fields.flatMap((field) => flatten(field.type));
    case 'tuple':
      return type.items.flatMap(flatten);
    case 'variant':
      return flattenCases(type.cases.map((one) => one.type));
    case 'option':
      return flattenCases([null, type.some]);
    case 'result':
      return flattenCases([type.ok, type.err]);
    default:
      return ['i32'];
  }
}

function flattenCases(payloads: readonly (ValType | null)[]): Flat[] {
  const joined: Flat[] = [];
  for (const payload of payloads) {
    for (const [i, type] of (payload === null ? [] : flatten(payload)).entries()) {
      const before = joined[i] ?? type;
      const both = new Set([before, type]);
      joined[i] = both.size === 1 ? type : both.has('i32') && both.has('f32') ? 'i32' : 'i64';
    }
  }
  return ['i32', ...joined];
}

/** sum = sum × 31 + bits of the parameter. */
function mix(type: Flat, at: number): string {
  const bits = {
    i32: `(i64.extend_i32_u (local.get ${at}))`,
    i64: `(local.get ${at})`,
    f32: `(i64.extend_i32_u (i32.reinterpret_f32 (local.get ${at})))`,
    f64: `(i64.reinterpret_f64 (local.get ${at}))`,
  }[type];
  return `(local.set $sum (i64.add (i64.mul (local.get $sum) (i64.const 31)) ${bits}))`;
}
