// The calculator as a client sees it, from the real server.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPeer } from '../peer.ts';
import { type Served, serve } from '../serve.ts';

let served: Served;
before(async () => {
  served = await serve({
    components: ['test-module', 'calculator'].map((name) => ({
      file: `${import.meta.dirname}/${name}.wasm`,
    })),
  });
});
after(() => served.close());

test('a core module says where its result comes from, at every revision', async () => {
  for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const) {
    const peer = await openPeer(served, revision);
    const { content, structuredContent } = await peer.result('tools/call', {
      name: 'test-module.add',
      arguments: { a: 5, b: 3 },
    });
    assert.deepEqual(content, [{ type: 'text', text: 'WASM calculation result: 8 (from test-module::add)' }]);
    if (revision === '2026-07-28') assert.equal(structuredContent, 8);
    else if (revision >= '2025-06-18') assert.deepEqual(structuredContent, { result: 8 });
    else assert.equal(structuredContent, undefined);
    await peer.wire.close();
  }
});

test('tools of a core module have the words of the sidecar', async () => {
  const peer = await openPeer(served, '2025-11-25');
  const tools = await peer.list('tools/list', 'tools');
  const power = tools.find(({ name }) => (name as unknown) === 'power') as Record<string, unknown>;
  assert.equal(power.title, 'Power');
  assert.deepEqual(power.annotations, { readOnlyHint: true, idempotentHint: true, openWorldHint: false });
  await peer.wire.close();
});

const CALLS: readonly [tool: string, args: object, text: string, isError?: true][] = [
  ['power', { base: 2, exponent: -3 }, 'WASM calculation result: 0.125 (from test-module::power)'],
  [
    'multiply',
    { a: '4611686018427387904', b: 2 },
    'WASM calculation result: "-9223372036854775808" (from test-module::multiply)',
  ],
  ['square-root', { x: -1 }, 'WASM calculation result: "NaN" (from test-module::square-root)'],
  ['gcd', { a: 54, b: 24 }, 'WASM calculation result: 6 (from test-module::gcd)'],
  ['divide', { a: 1, b: 0 }, 'division by zero', true],
  ['greet', { name: 'Ada' }, 'Hello, Ada!'],
];

for (const [name, args, text, isError] of CALLS) {
  test(`${name} ${JSON.stringify(args)} answers ${text}`, async () => {
    const peer = await openPeer(served, '2025-11-25');
    const result = await peer.result('tools/call', { name, arguments: args });
    assert.deepEqual(result.content, [{ type: 'text', text }]);
    assert.equal(result.isError as unknown, isError);
    // The output schema describes success alone.
    assert.equal(result.structuredContent === undefined, isError === true);
    await peer.wire.close();
  });
}

test('a trap is an error of the tool, and the next call works', async () => {
  const peer = await openPeer(served, '2025-11-25');
  const trapped = await peer.result('tools/call', { name: 'quotient', arguments: { a: 1, b: 0 } });
  assert.equal(trapped.isError as unknown, true);
  const next = await peer.result('tools/call', { name: 'quotient', arguments: { a: 7, b: -2 } });
  assert.match(JSON.stringify(next.content), /result: -3 /);
  await peer.wire.close();
});
