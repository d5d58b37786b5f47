// The gate as it is put together from a configuration, around a catalogue of fixtures, with real keys and a real log.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createFixtureCatalog } from '../../test/mcp/fixture/catalog.ts';
import { gatheringIo } from '../../test/support/io.ts';
import { NO_CALL } from '../audit/entry.ts';
import type { CatalogChange } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/load.ts';
import { LOCAL } from '../core/caller.ts';
import { createLogger } from '../core/log.ts';
import { createKeyStore } from '../store/keys.ts';
import { type Gate, openGate } from './gate.ts';

const config = (text: string): Config => readConfig(text, '/srv/witbox.yaml').config;

async function gateFor(t: TestContext, text: string): Promise<{ gate: Gate; dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'witbox-gate-'));
  const gate = await openGate(config(text), {
    dataDir,
    io: gatheringIo().io,
    log: createLogger({ levels: 'silent', write() {} }),
  });
  t.after(async () => {
    await gate.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { gate, dataDir };
}

const asking = (key: string) => ({
  headers: { authorization: `Bearer ${key}` },
  address: '127.0.0.1',
  certificate: null,
  encrypted: true,
});

test('keys, rules and notices follow the configuration while it changes', async (t) => {
  const { gate, dataDir } = await gateFor(t, 'authentication: { keys: true }\n');
  const { text } = await createKeyStore(dataDir).create({ name: 'ada' });
  const ada = await gate.authenticator.authenticate(asking(text));
  const owner = { component: 'fixture', digest: 'sha256:0' };
  const catalog = { ...createFixtureCatalog(), owner: () => owner };
  const gated = gate.around(catalog);
  const all = gated.tools(LOCAL).items.length;
  const [first] = gated.tools(ada).items;
  const told: CatalogChange[] = [];
  const unwatch = gated.watch((change) => told.push(change));

  await gate.reconfigure(
    config(`authentication: { keys: true }
access: { rules: [{ who: ['key:ada'], allow: { tools: ['${first?.name}'] } }, { who: [local], allow: { tools: ['*'] } }] }
`),
  );
  assert.deepEqual(
    gated.tools(ada).items.map(({ name }) => name),
    [first?.name],
  );
  assert.equal(gated.tools(LOCAL).items.length, all);
  assert.deepEqual(told, [{ kind: 'tools' }, { kind: 'resources' }, { kind: 'prompts' }]);

  unwatch();
  await gate.reconfigure(config('listen: { insecure-no-auth: true }\n'));
  assert.equal(told.length, 3);
  assert.throws(() => gate.admission.admit(ada, { method: 'tools/list', size: 1 }), {
    code: 'unauthenticated',
  });
});

test('the audit log begins and ends with the configuration', async (t) => {
  const { gate, dataDir } = await gateFor(t, '{}');
  assert.equal(gate.config().audit.enabled, false);
  await gate.reconfigure(config('audit: {}\n'));
  await gate.audit.record({ ...NO_CALL, kind: 'event', action: 'test', caller: 'local', outcome: 'ok' })
    .durable;
  const folder = join(dataDir, 'audit');
  const [name] = (await readdir(folder)).filter((one) => one.endsWith('.jsonl'));
  assert.match(await readFile(join(folder, name!), 'utf8'), /"action":"test"/);
});
