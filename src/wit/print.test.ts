import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { decodeComponent } from '../engine/decode/component.ts';
import { validateComponent } from '../engine/validate/component.ts';
import { parsePackageDocs } from './docs.ts';
import { printWorld } from './print.ts';
import type { ComponentType, ExternType, FuncType, ValType } from './type.ts';

const fixtures = join(import.meta.dirname, '../../test/fixtures');
const typeOf = (path: string): ComponentType =>
  validateComponent(decodeComponent(readFileSync(join(fixtures, path)))).type;

function world(parts: {
  imports?: Record<string, ExternType>;
  exports?: Record<string, ExternType>;
}): ComponentType {
  return {
    imports: new Map(Object.entries(parts.imports ?? {})),
    exports: new Map(Object.entries(parts.exports ?? {})),
    importedResources: [],
    definedResources: [],
  };
}

const func = (params: FuncType['params'], result: ValType | null = null): ExternType => ({
  kind: 'func',
  type: { params, result, async: false },
});

// `npm run judge:wit` shows that WIT tools read these texts again and come to the same world.
test('a world with every kind of item prints as the text that WIT tools accept', () => {
  const expected = readFileSync(join(fixtures, 'worlds/rich.printed.wit'), 'utf8');
  assert.equal(printWorld(typeOf('worlds/rich.wasm')), expected);
});

test('docs stand before what they describe', () => {
  const path = 'wat/documented.wasm';
  const section = decodeComponent(readFileSync(join(fixtures, path))).customs.find(
    (custom) => custom.name === 'package-docs',
  )!;
  const text = printWorld(typeOf(path), { docs: parsePackageDocs(section.bytes) });
  assert.match(
    text,
    /\n {2}\/\/\/ Turns the sign of a number\n {2}export negate: func\(value: s32\) -> s32;\n/,
  );
  assert.match(
    text,
    /\n {4}\/\/\/ Adds two numbers\n {4}\/\/\/\n {4}\/\/\/ Wraps around at 32 bits\.\n {4}add: func/,
  );
});

test('keywords are escaped wherever a name can stand', () => {
  const shape: ValType = {
    kind: 'variant',
    cases: [
      { name: 'func', type: null },
      { name: 'plain', type: { kind: 'enum', names: ['type', 'use'] } },
    ],
  };
  const text = printWorld(
    world({
      imports: { record: { kind: 'type', type: { kind: 'value', type: shape } } },
      exports: { import: func([{ name: 'from', type: shape }], { kind: 'list', element: shape }) },
    }),
  );
  assert.match(text, /variant %record \{\n {4}%func,\n {4}plain\(unnamed\),\n/);
  assert.match(text, /enum unnamed \{\n {4}%type,\n {4}%use,\n/);
  assert.match(text, /export %import: func\(%from: %record\) -> list<%record>;/);
});

test('names that are no WIT names stay inside a comment', () => {
  const text = printWorld(
    world({
      exports: {
        'evil\n}\nworld other {': func([]),
        _start: func([]),
        add: func([{ name: 'a) -> string; import x: func(', type: { kind: 's32' } }]),
      },
    }),
  );
  assert.match(
    text,
    /\n {2}\/\/ export "evil\\n\}\\nworld other \{": function\n {2}\/\/ export "_start": function\n/,
  );
  assert.match(text, /export add: func\(p0: s32\);/);
  assert.equal(text.match(/^world/gm)?.length, 1);
});

test('a type that would unfold without end is refused', () => {
  let type: ValType = { kind: 'u8' };
  for (let n = 0; n < 40; n++) type = { kind: 'tuple', items: [type, type] };
  assert.throws(() => printWorld(world({ exports: { f: func([{ name: 'a', type }]) } })), {
    code: 'wit-too-large',
  });
});
