import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Cells, createCells } from '../../src/cell/cells.ts';
import type { Outcome } from '../../src/cell/outcome.ts';
import { directoryGrant, hostWith, temporaryDirectory } from '../support/host.ts';

const fixture = (name: string): Promise<Uint8Array> =>
  readFile(new URL(`../fixtures/wasi/${name}`, import.meta.url));

async function startCells(t: TestContext): Promise<Cells> {
  const cells = await createCells({ warm: 0 });
  t.after(() => cells.close());
  return cells;
}

const resultOf = (outcome: Outcome): unknown => {
  assert.equal(outcome.kind, 'ok', JSON.stringify(outcome));
  return outcome.kind === 'ok' ? JSON.parse(outcome.json) : null;
};

test('a component in a real cell has files, HTTP, clocks and random bytes', {
  timeout: 60_000,
}, async (t) => {
  const root = temporaryDirectory(t);
  mkdirSync(join(root, 'd'));
  const server = createServer((_, response) => void response.end('from outside'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const cells = await startCells(t);
  const loaded = await cells.load({
    id: 'net',
    bytes: await fixture('net.wasm'),
    limits: { wallMs: 20_000 },
  });
  const host = () => hostWith(t, directoryGrant(join(root, 'd')));
  assert.equal(resultOf(await loaded.call(['streams'], {}, { host })), null);
  writeFileSync(join(root, 'd', 'f'), 'text');
  assert.equal(
    resultOf(await loaded.call(['path'], { operation: 'read', path: 'f', other: '' }, { host })),
    'text',
  );
  const request = {
    method: 'GET',
    https: false,
    authority: `localhost:${port}`,
    path: '/',
    headers: [],
    chunks: 0,
    'chunk-size': 0,
    trailer: false,
  };
  const online = () =>
    hostWith(t, `{network: {allow: [{host: "localhost:${port}"}]}}`, { resolve: async () => ['127.0.0.1'] });
  const response = resultOf(await loaded.call(['fetch'], { request }, { host: online })) as { body: string };
  assert.equal(Buffer.from(response.body, 'base64').toString(), 'from outside');
  assert.ok(Number(resultOf(await loaded.call(['sleep'], { ms: 10 }, { host }))) >= 10_000_000);
  assert.equal(resultOf(await loaded.call(['huge'], { what: 'seed' }, { host })) !== undefined, true);
});

test('a session keeps its component, and its directories open in every call', {
  timeout: 60_000,
}, async (t) => {
  const root = temporaryDirectory(t);
  writeFileSync(join(root, 'f'), 'text');
  const cells = await startCells(t);
  const loaded = await cells.load({ id: 'net', bytes: await fixture('net.wasm'), instance: 'session' });
  const host = () => hostWith(t, directoryGrant(root));
  for (let call = 0; call < 3; call++) {
    const args = { operation: 'read', path: 'f', other: '' };
    assert.equal(resultOf(await loaded.call(['path'], args, { host, session: 's' })), 'text');
  }
});

test('denials of a call in a real cell are told with its outcome', { timeout: 60_000 }, async (t) => {
  const cells = await startCells(t);
  const loaded = await cells.load({ id: 'net', bytes: await fixture('net.wasm') });
  const host = () => hostWith(t, '{}');
  const outcome = await loaded.call(['tcp'], { host: 'example.com', port: 80, message: '' }, { host });
  assert.deepEqual(outcome.denials, [{ permission: 'network:example.com', reason: 'Host not in allowlist' }]);
});

test('what a guest may see comes along with the next call, and is that of the next call', {
  timeout: 60_000,
}, async (t) => {
  const root = temporaryDirectory(t);
  writeFileSync(join(root, 'f'), 'text');
  const cells = await startCells(t);
  for (const instance of ['fresh', 'session'] as const) {
    const bytes = await fixture('net.wasm');
    const loaded = await cells.load({ id: instance, bytes, instance, limits: { wallMs: 20_000 } });
    const read = async (permissions: string): Promise<{ outcome: Outcome; asked: readonly string[] }> => {
      const asked: string[] = [];
      const inner = hostWith(t, permissions);
      const host = () => ({
        ...inner,
        handle(op: string, args: Parameters<typeof inner.handle>[1]) {
          asked.push(op);
          return inner.handle(op, args);
        },
      });
      const args = { operation: 'read', path: 'f', other: '' };
      return { outcome: await loaded.call(['path'], args, { host, session: 's' }), asked };
    };
    const first = await read(directoryGrant(root));
    const second = await read(directoryGrant(root));
    const revoked = await read('{}');
    assert.deepEqual(
      [first, second].map(({ outcome }) => resultOf(outcome)),
      ['text', 'text'],
    );
    assert.deepEqual(
      [first, second, revoked].map(({ asked }) => asked.includes('begin')),
      [true, false, false],
    );
    assert.equal(revoked.outcome.kind, 'err');
    loaded.unload();
  }
});
