import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSidecar } from './sidecar.ts';

test('a tools file describes, renames and hides', () => {
  const sidecar = parseSidecar(
    'tools:\n  add: { name: plus, title: Plus, params: { a: First } }\n  debug: { hidden: true }\n  render: { task: optional }\n',
    'x',
  );
  assert.deepEqual(sidecar.get('add'), { name: 'plus', title: 'Plus', params: { a: 'First' } });
  assert.equal(sidecar.get('debug')?.hidden, true);
  assert.equal(sidecar.get('render')?.task, 'optional');
});

test('a tools file that cannot be meant is refused with the place', () => {
  const refused = (text: string, why: RegExp) => assert.throws(() => parseSidecar(text, 'x.tools.yaml'), why);
  refused('tools: [1]', /tools must be a mapping/);
  refused('tool: {}', /unknown key "tool"/);
  refused('tools: { add: { colour: red } }', /unknown key "tools.add.colour"/);
  refused('tools: { add: { title: 5 } }', /tools.add.title must be a string/);
  refused('tools: { add: { name: "with space" } }', /expected 1 to 128/);
  refused('tools: { add: { task: always } }', /tools.add.task must be optional or required/);
  refused('tools: {\n', /x.tools.yaml/);
  refused('tools: { add: { inputSchema: { $ref: "https://example.com/x" } } }', /leads out of the schema/);
  refused(`a: &a [1]\nb: [${'*a,'.repeat(50)}*a]`, /x.tools.yaml|alias|unknown key/i);
});
