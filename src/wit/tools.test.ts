import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeComponent } from '../engine/decode/component.ts';
import { validateComponent } from '../engine/validate/component.ts';
import { parsePackageDocs } from './docs.ts';
import { listTools } from './tools.ts';
import type { ComponentType, ExternType, ValType } from './type.ts';

const fixtures = join(import.meta.dirname, '../../test/fixtures');

function load(path: string): { type: ComponentType; section: Uint8Array | undefined } {
  const ast = decodeComponent(readFileSync(join(fixtures, path)));
  const section = ast.customs.find((custom) => custom.name === 'package-docs')?.bytes;
  return { type: validateComponent(ast).type, section };
}

const func: ExternType = { kind: 'func', type: { params: [], result: null, async: false } };

function exporting(exports: Record<string, ExternType | Record<string, ExternType>>): ComponentType {
  const entries = Object.entries(exports).map(([name, item]): [string, ExternType] => [
    name,
    typeof item.kind === 'string'
      ? (item as ExternType)
      : { kind: 'instance', type: { exports: new Map(Object.entries(item as object)), fresh: [] } },
  ]);
  return { imports: new Map(), exports: new Map(entries), importedResources: [], definedResources: [] };
}

const names = (type: ComponentType): string[] => listTools(type).tools.map((tool) => tool.name);

test('every exported function is a tool, in the order of the binary, with the path to call it by', () => {
  const { tools, leftovers } = listTools(load('worlds/rich.wasm').type);
  assert.deepEqual(
    tools.map((tool) => [tool.name, tool.path.join(' '), tool.stateful]),
    [
      ['add', 'add', false],
      ['moved', 'moved', false],
      ['area', 'example:rich/shapes@1.2.0 area', false],
      ['paint', 'example:rich/shapes@1.2.0 paint', false],
      ['hull', 'example:rich/shapes@1.2.0 hull', false],
      ['counter.constructor', 'example:rich/counters@1.2.0 [constructor]counter', true],
      ['counter.increment', 'example:rich/counters@1.2.0 [method]counter.increment', true],
      ['counter.where', 'example:rich/counters@1.2.0 [method]counter.where', true],
      ['counter.merge', 'example:rich/counters@1.2.0 [static]counter.merge', true],
      ['tint', 'example:rich/counters@1.2.0 tint', false],
      ['all', 'example:rich/counters@1.2.0 all', true],
      ['handler.area', 'example:rich/handler@1.2.0 area', false],
      ['use', 'example:rich/type@1.2.0 use', false],
      ['f', 'inner f', false],
      ['list', 'inner list', false],
    ],
  );
  assert.deepEqual(leftovers, [
    {
      path: ['example:rich/handler@1.2.0', 'handle'],
      reason: 'uses handles of resources that only the host could make',
    },
  ]);
});

test('docs of the component become docs of its tools, and words from beside it win', () => {
  const { type, section } = load('wat/documented.wasm');
  const docs = parsePackageDocs(section!);
  const described = listTools(type, { docs }).tools.map((tool) => [tool.name, tool.docs.description]);
  assert.deepEqual(described, [
    ['add', 'Adds two numbers\n\nWraps around at 32 bits.'],
    ['negate', 'Turns the sign of a number'],
  ]);
  const override = (path: readonly string[]) =>
    path[0] === 'negate' ? { title: 'Negate', params: new Map([['value', 'Any number']]) } : undefined;
  const negate = listTools(type, { docs, override }).tools[1]!;
  assert.equal(negate.docs.title, 'Negate');
  assert.equal(negate.docs.description, 'Turns the sign of a number');
  assert.deepEqual(negate.inputSchema.properties, {
    value: { description: 'Any number', type: 'integer', minimum: -2147483648, maximum: 2147483647 },
  });
});

test('docs of types describe schemas wherever the type is mentioned', () => {
  const docs = parsePackageDocs(
    Buffer.from(
      `\u0001${JSON.stringify({
        interfaces: {
          shapes: {
            types: { color: { docs: 'A color', items: { red: 'Warm' } }, point: { items: { x: 'Across' } } },
          },
        },
      })}`,
    ),
  );
  const tools = listTools(load('worlds/rich.wasm').type, { docs }).tools;
  const hull = JSON.stringify(tools.find((tool) => tool.name === 'hull')!.inputSchema);
  const paint = JSON.stringify(tools.find((tool) => tool.name === 'paint')!.inputSchema);
  assert.match(hull, /"x":\{"description":"Across"/);
  assert.match(paint, /"c":\{"description":"A color\\n\\nred: Warm","type":"string"/);
});

test('a taken name is qualified by as much as it takes', () => {
  const type = exporting({
    run: func,
    'a:b/one@1.0.0': { run: func },
    'c:d/one@1.0.0': { run: func },
    'e:d/one@1.0.0': { run: func },
    'e:d/one@2.0.0': { run: func },
    'e:d/two': { run: func },
  });
  assert.deepEqual(names(type), [
    'run',
    'one.run',
    'd.one.run',
    'e.d.one.run',
    '2.0.0.e.d.one.run',
    'two.run',
  ]);
});

test('any text becomes a name that MCP allows', () => {
  const long = 'x'.repeat(300);
  const type = exporting({
    'do it!': func,
    do_it_: func,
    '': func,
    'ä/b': func,
    [long]: func,
    [`${long}y`]: func,
  });
  assert.deepEqual(names(type), ['do_it_', 'do_it__2', '_', '__b', 'x'.repeat(128), `${'x'.repeat(120)}_2`]);
  for (const name of names(type)) assert.match(name, /^[A-Za-z0-9_.-]{1,128}$/);
});

test('what is for linkers, or cannot be JSON, is left over with the reason', () => {
  const stream: ExternType = {
    kind: 'func',
    type: { params: [{ name: 's', type: { kind: 'stream', element: null } }], result: null, async: false },
  };
  const { tools, leftovers } = listTools(
    exporting({ _initialize: func, cabi_realloc: func, go: func, s: stream }),
  );
  assert.deepEqual(
    tools.map((tool) => tool.name),
    ['go'],
  );
  assert.deepEqual(
    leftovers.map((left) => left.path[0]),
    ['_initialize', 'cabi_realloc', 's'],
  );
  assert.match(leftovers[2]!.reason, /stream/);
});

test('the function that took the script into a JavaScript component is no tool, another init is', () => {
  const string: ValType = { kind: 'string' };
  const init = (...params: string[]): ExternType => ({
    kind: 'func',
    type: { params: params.map((name) => ({ name, type: string })), result: null, async: false },
  });
  assert.deepEqual(names(exporting({ init: init('shim', 'script', 'entry-path') })), []);
  assert.deepEqual(names(exporting({ init: init('path') })), ['init']);
});
