import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHeaders, readTargets, splitWords } from './check-targets.ts';

test('a target is an address by its scheme and path, or else a command', () => {
  const kinds = (...args: string[]) => readTargets(args, {}, {}).map(({ transport }) => transport);
  assert.deepEqual(kinds('http://localhost:1/mcp'), ['http']);
  assert.deepEqual(kinds('https://example.com/sse'), ['sse']);
  assert.deepEqual(kinds('ws://localhost:1/ws'), ['websocket']);
  assert.deepEqual(kinds('node', 'server.js'), ['stdio']);
});

test('several transports are one server', () => {
  const targets = readTargets([], { stdio: 'node a.js', http: 'http://a/', header: ['X-A: b:c'] }, {});
  assert.deepEqual(
    targets.map((one) => (one.transport === 'stdio' ? one.command : one.headers)),
    [['node', 'a.js'], { 'x-a': 'b:c' }],
  );
});

test('a command keeps what stands in quotes together', () => {
  assert.deepEqual(splitWords(`node  "my server.js" --name='a "b"' "c \\"d\\"" ""`), [
    'node',
    'my server.js',
    '--name=a "b"',
    'c "d"',
    '',
  ]);
});

test('a header without a colon is refused', () => {
  assert.throws(() => readHeaders('--header', ['nonsense']), /nonsense/);
});
