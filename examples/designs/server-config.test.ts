// The studio with its own server configuration: a key or nothing, rates that hold, and readers who cannot draw.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { buildExample } from '../build.ts';
import { exampleNamed } from '../list.ts';
import { type Served, serve } from '../serve.ts';

const WITBOX = resolve(import.meta.dirname, '../../bin/witbox.cjs');
const CONFIG = join(import.meta.dirname, 'witbox.yaml');

let served: Served;
before(async () => {
  const file = await buildExample(exampleNamed('designs'));
  served = await serve({ components: [{ file, policy: 'requested' }], args: ['--config', CONFIG] });
});
after(() => served.close());

async function newKey(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    WITBOX,
    ...['key', 'create', ...args, '--data-dir', served.dataDir],
  ]);
  return stdout.trim();
}

function ask(key: string | null, method: string, params: object = {}): Promise<Response> {
  return fetch(`${served.origin}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(key !== null && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
}

const create = (key: string | null, name: string): Promise<Response> =>
  ask(key, 'tools/call', { name: 'create_design', arguments: { name } });

test('without a key nobody gets in, and is told how to', async () => {
  for (const key of [null, 'wbx_0000000000000000_nonsense']) {
    const refused = await create(key, 'Summer fair');
    assert.equal(refused.status, 401);
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer /);
    assert.doesNotMatch(await refused.text(), /design/);
  }
});

test('with a key designs are made, as fast as the configuration lets one caller', async () => {
  const [ada, grace] = [await newKey('ada'), await newKey('grace')];
  for (const name of ['One', 'Two', 'Three']) {
    const made = await create(ada, name);
    assert.equal(made.status, 200);
    const { result } = (await made.json()) as { result: { isError?: boolean } };
    assert.notEqual(result.isError, true);
  }
  const limited = await create(ada, 'Four');
  assert.equal(limited.status, 429);
  const seconds = Number(limited.headers.get('retry-after'));
  assert.ok(seconds >= 1 && seconds <= 6, String(seconds));
  // Other tools, and other callers, have not used up anything.
  assert.equal((await ask(ada, 'tools/call', { name: 'list_designs', arguments: {} })).status, 200);
  assert.equal((await create(grace, 'Five')).status, 200);
});

test('a reader sees the tools that read, and no others', async () => {
  const reader = await newKey('eve', '--group', 'readers');
  const { result } = (await (await ask(reader, 'tools/list')).json()) as {
    result: { tools: { name: string }[] };
  };
  assert.deepEqual(result.tools.map(({ name }) => name).sort(), ['export_design', 'list_designs']);
  const { error } = (await (await create(reader, 'Six')).json()) as { error: { message: string } };
  assert.equal(error.message, 'Unknown tool: "create_design"');
});
