import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
  component,
  coreAlias,
  coreFunc,
  coreInstance,
  func,
  imports,
  is,
  lift,
  type,
} from '../../../test/support/component-ast.ts';
import { assertRefused } from '../../../test/support/rules.ts';
import type {
  CoreModuleAst,
  CoreModuleDecl,
  CoreSubTypeAst,
  CoreTypeAst,
  CoreValTypeAst,
} from '../decode/ast.ts';
import { validateComponent } from './component.ts';
import { mismatchCoreExtern } from './core-match.ts';
import { coreModuleType } from './core-modules.ts';

const sub = (
  params: readonly CoreValTypeAst[],
  more: Partial<Omit<CoreSubTypeAst, 'type'>> = {},
): CoreSubTypeAst => ({
  final: true,
  supers: [],
  shared: false,
  ...more,
  type: { kind: 'func', params, results: [] },
});
const rec = (...types: CoreSubTypeAst[]): CoreTypeAst => ({ kind: 'rec', types });
const ref = (heap: number | string): CoreValTypeAst => ({ nullable: true, shared: false, heap });
const struct = (...types: CoreValTypeAst[]): CoreSubTypeAst => ({
  final: true,
  supers: [],
  shared: false,
  type: { kind: 'struct', fields: types.map((type) => ({ type, mutable: false })) },
});

/** A module that exports one function of each type index. */
const moduleOf = (types: readonly CoreTypeAst[], functions: readonly number[]): CoreModuleAst => ({
  types,
  imports: [],
  functions,
  tables: [],
  memories: [],
  globals: [],
  tags: [],
  exports: functions.map((_, index) => ({ name: `f${index}`, kind: 'func', index })),
  start: null,
  customs: [],
});
const exportsOf = (types: readonly CoreTypeAst[], ...functions: number[]) =>
  coreModuleType(moduleOf(types, functions)).exports.map((one) => one.type);

it('coreModuleType() types imports and exports', () => {
  const memory = {
    kind: 'memory',
    limits: { min: 1n, max: null, is64: false, shared: false },
    pageSizeLog2: 16,
  } as const;
  const resolved = coreModuleType({
    ...moduleOf([rec(sub(['i32'])), rec(sub([ref('extern')]))], [1, 0]),
    imports: [{ module: 'm', name: 'g', type: { kind: 'func', type: 1 } }],
    memories: [memory],
    exports: [
      { name: 'f', kind: 'func', index: 1 },
      { name: 'mem', kind: 'memory', index: 0 },
    ],
  });
  assert.deepEqual(resolved, {
    imports: [
      {
        module: 'm',
        name: 'g',
        type: { kind: 'func', type: { params: ['(ref null extern)'], results: [] } },
      },
    ],
    exports: [
      { name: 'f', type: { kind: 'func', type: { params: ['i32'], results: [] } } },
      { name: 'mem', type: memory },
    ],
  });
});

it('coreModuleType() refuses indices that lead nowhere', () => {
  assert.throws(() => exportsOf([], 0), /unknown core type 0/);
  assert.throws(() => exportsOf([rec(struct('i32'))], 0), /core type 0 is not a function type/);
  assert.throws(
    () => coreModuleType({ ...moduleOf([], []), exports: [{ name: 'x', kind: 'table', index: 3 }] }),
    /exports unknown table 3/,
  );
  assert.throws(() => exportsOf([rec(sub([ref(7)]))], 0), /unknown core type 7/);
});

it('types of equal structure are the same, wherever they stand', () => {
  const one = exportsOf([rec(struct('i32')), rec(sub([ref(0)]))], 1);
  const other = exportsOf([rec(sub([])), rec(struct('i32')), rec(sub([ref(1)]))], 2);
  assert.equal(mismatchCoreExtern(one[0]!, other[0]!), null);
  const different = exportsOf([rec(struct('i64')), rec(sub([ref(0)]))], 1);
  assert.match(mismatchCoreExtern(one[0]!, different[0]!)!, /expected .*, found/);
});

it('a type within a recursion group differs from the same type alone', () => {
  const [alone] = exportsOf([rec(sub(['i32']))], 0);
  const [first, second] = exportsOf([rec(sub(['i32']), sub(['i32']))], 0, 1);
  assert.notEqual(mismatchCoreExtern(alone!, first!), null);
  assert.notEqual(mismatchCoreExtern(first!, second!), null);
  assert.equal(mismatchCoreExtern(first!, first!), null);
});

it('recursive types are told apart by what they lead back to', () => {
  const loop = (more: CoreValTypeAst[]) => exportsOf([rec(sub([ref(0), ...more]))], 0)[0]!;
  assert.equal(mismatchCoreExtern(loop([]), loop([])), null);
  assert.notEqual(mismatchCoreExtern(loop([]), loop(['i32'])), null);
});

it('a declared subtype stands where its supertypes are asked for, and not the other way round', () => {
  const open = { final: false };
  const [top, middle, bottom] = exportsOf(
    [rec(sub([], open)), rec(sub([], { ...open, supers: [0] })), rec(sub([], { supers: [1] }))],
    0,
    1,
    2,
  );
  assert.equal(mismatchCoreExtern(bottom!, top!), null);
  assert.equal(mismatchCoreExtern(bottom!, middle!), null);
  assert.notEqual(mismatchCoreExtern(top!, bottom!), null);
});

it('the spelling of a type that names its predecessor twice stays short', () => {
  const types: CoreTypeAst[] = [rec(struct('i32'))];
  for (let index = 0; index < 200; index++) types.push(rec(struct(ref(index), ref(index))));
  types.push(rec(sub([ref(200)])));
  const [last] = exportsOf(types, 201);
  assert.ok(JSON.stringify(last).length < 1_000);
});

it('only a plain function type can be lifted', () => {
  const open = rec(sub([], { final: false }));
  const decls: CoreModuleDecl[] = [
    { kind: 'type', type: open },
    { kind: 'export', name: 'f', type: { kind: 'func', type: 0 } },
  ];
  const parts = [
    { kind: 'core type', type: { kind: 'module', decls } },
    imports('m', is.module(0)),
    coreInstance(0),
    coreAlias('func', 0, 'f'),
    type(func()),
  ] as const;
  validateComponent(component(...parts));
  assertRefused(component(...parts, lift(0, 0)), /has a type that cannot be lifted/);
});

it('module types and function types do not stand in for one another', () => {
  const module: CoreTypeAst = { kind: 'module', decls: [] };
  const define = (...types: CoreTypeAst[]) =>
    component(...types.map((one) => ({ kind: 'core type', type: one }) as const));
  const decls = (...list: CoreModuleDecl[]): CoreTypeAst => ({ kind: 'module', decls: list });
  assertRefused(define(module, rec(sub([ref(0)]))), /is a module type, not a sub type/);
  assertRefused(define(decls({ kind: 'type', type: module })), /cannot define module types/);
  assertRefused(
    define(module, decls({ kind: 'outer alias', count: 1, index: 0 })),
    /cannot alias a module type/,
  );
  validateComponent(define(rec(sub([])), decls({ kind: 'outer alias', count: 1, index: 0 })));
  assert.throws(() => exportsOf([module]), /cannot define module types/);
});

it('tags return nothing', () => {
  const tag = (results: readonly CoreValTypeAst[]): CoreTypeAst => ({
    kind: 'module',
    decls: [
      { kind: 'type', type: coreFunc(['i32'], results) },
      { kind: 'export', name: 't', type: { kind: 'tag', type: 0 } },
    ],
  });
  validateComponent(component({ kind: 'core type', type: tag([]) }));
  assertRefused(component({ kind: 'core type', type: tag(['i32']) }), /tag cannot have results/);
});

it('supertypes come first, are open, and of the same kind', () => {
  const define = (...types: CoreTypeAst[]) =>
    component(...types.map((type) => ({ kind: 'core type', type }) as const));
  assertRefused(define(rec(sub([])), rec(sub([], { supers: [0] }))), /cannot have this subtype/);
  assertRefused(define(rec(sub([], { supers: [0] }))), /before it is defined/);
  assertRefused(
    define(rec({ ...struct('i32'), final: false }), rec(sub([], { supers: [0] }))),
    /cannot have this subtype/,
  );
  const chain = [rec(sub([], { final: false }))];
  for (let index = 0; index < 70; index++) chain.push(rec(sub([], { final: false, supers: [index] })));
  assertRefused(define(...chain), /nested too deep/);
});
