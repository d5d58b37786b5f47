import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createCells } from '../cell/cells.ts';
import { createLogger } from '../core/log.ts';
import { createRedactor } from '../core/redact.ts';
import { keySource } from '../store/secrets/key-source.ts';
import { createSecrets } from '../store/secrets/secrets.ts';
import { createStore } from '../store/store.ts';
import { createComponents } from './components.ts';
import { idleContext } from './idle-context.ts';

const NET = new URL('../../test/fixtures/wasi/net.wasm', import.meta.url);
/** A custom section: the same component in other bytes. */
const LABEL = Buffer.from([0, 2, 1, 0x78]);

const policyFor = (key: string): string =>
  `version: "1.0"\npermissions: { config: { allow: [{ key: ${key} }] } }\n`;

test('a component gets the secrets that it was granted, from the next call on, and other bytes get none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'witbox-given-'));
  const store = createStore(folder);
  const redactor = createRedactor();
  const key = keySource(null, { env: {}, dataDir: folder });
  const secrets = createSecrets({ store, key, redactor });
  const cells = await createCells({ warm: 0 });
  const log = createLogger({ levels: 'silent', write() {} });
  const components = createComponents({
    cells,
    store,
    log,
    env: {},
    secrets,
    redactor,
    now: () => new Date(),
  });
  t.after(async () => {
    components.close();
    await cells.close();
    await rm(folder, { recursive: true, force: true });
  });
  const bytes = await readFile(NET);
  const load = async (content: Uint8Array): Promise<void> => {
    await store.load({ uri: 'file:///net.wasm', name: 'net.wasm', bytes: content });
    await components.reconcile();
  };
  const ask = async (name: string): Promise<unknown> => {
    const tool = components
      .get('net')
      ?.tools()
      .find(({ wanted }) => wanted === 'config');
    const outcome = await tool!.call({ name: 'config', arguments: { key: name } }, idleContext(), 'config');
    return outcome.kind === 'complete' ? outcome.structured : outcome;
  };

  await load(bytes);
  await secrets.set('net', 'greeting', 'canary-1');
  assert.equal(await ask('greeting'), null, 'a secret without a grant is not there');
  await store.changePolicy('net', () => policyFor('greeting'));
  assert.equal(await ask('greeting'), 'canary-1');
  assert.equal(await ask('other'), null);
  await secrets.set('net', 'greeting', 'canary-2');
  assert.equal(await ask('greeting'), 'canary-2');
  await secrets.delete('net', 'greeting');
  assert.equal(await ask('greeting'), null);
  await secrets.set('net', 'greeting', 'canary-3');

  await load(Buffer.concat([bytes, LABEL]));
  assert.equal(await ask('greeting'), null, 'other bytes begin with nothing');
  await store.changePolicy('net', () => policyFor('greeting'));
  assert.equal(await ask('greeting'), 'canary-3');
  await rm(join(folder, 'secrets.key'));
  await secrets.delete('net', 'greeting');
  assert.equal(await ask('greeting'), null, 'without a secret no key is needed');
});
