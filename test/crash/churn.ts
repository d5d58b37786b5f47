// A process that changes everything a data directory holds, without rest, until it is killed: components, a policy, API
// keys, secrets and the audit log. Each change is told on stdout before it begins and after it is acknowledged, one JSON
// line each, written at once: what a kill leaves must fit to that. Arguments: the data directory and a seed.

import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor } from '../../src/core/redact.ts';
import { createKeyStore } from '../../src/store/keys.ts';
import { keySource } from '../../src/store/secrets/key-source.ts';
import { createSecrets } from '../../src/store/secrets/secrets.ts';
import { createStore } from '../../src/store/store.ts';
import { createRandom } from '../random-types.ts';
import { createSampleAudit, SAMPLE_ENTRY } from './sample-log.ts';
import { OWNER, type Step } from './steps.ts';

const [directory, seed] = process.argv.slice(2) as [string, string];
const random = createRandom(Number(seed));
const store = createStore(directory);
const keys = createKeyStore(directory);
const redactor = createRedactor();
const secrets = createSecrets({ store, key: keySource(null, { env: {}, dataDir: directory }), redactor });
const audit = createSampleAudit(join(directory, 'audit'), { rotateBytes: 32 << 10 });

const say = (step: Step): void => void writeSync(1, `${JSON.stringify(step)}\n`);

async function step(thing: string, value: string | null, act: () => Promise<unknown>): Promise<void> {
  say({ thing, value, done: false });
  const answer = await act();
  say({ thing, value, done: true, ...(typeof answer === 'string' ? { proof: answer } : {}) });
}

const load = (id: string, fill: number): Promise<unknown> =>
  store.load(
    { uri: `file:///${id}.wasm`, name: `${id}.wasm`, bytes: new Uint8Array(500).fill(fill) },
    { id, keepPolicy: true },
  );

async function changeComponent(): Promise<void> {
  const id = `part${random.below(3)}`;
  const known = store.list().some((one) => one.id === id);
  if (known && random.chance(0.4)) return step(`component ${id}`, null, () => store.unload(id));
  const fill = random.below(256);
  return step(`component ${id}`, String(fill), () => load(id, fill));
}

function changePolicy(): Promise<void> {
  const name = `K_${random.below(1_000_000)}`;
  const text = `version: "1.0"\npermissions:\n  environment: { allow: [{ key: ${name} }] }\n`;
  return step('policy', name, () => store.changePolicy(OWNER, () => text));
}

function changeKey(): Promise<void> {
  const name = `key${random.below(4)}`;
  if (keys.list().some((one) => one.name === name)) return step(`key ${name}`, null, () => keys.revoke(name));
  return step(`key ${name}`, 'there', async () => (await keys.create({ name })).text);
}

function changeSecret(): Promise<void> {
  const name = `S${random.below(3)}`;
  const value = `value-${random.below(1_000_000)}`;
  return step(`secret ${name}`, value, async () => {
    await secrets.set(OWNER, name, value);
  });
}

let line = 0;
function recordLine(): Promise<void> {
  const target = `${seed}-${line++}`;
  return step(`line ${target}`, target, () => audit.record({ ...SAMPLE_ENTRY, target }).durable);
}

async function forever(act: () => Promise<void>): Promise<never> {
  for (;;) await act();
}

if (!store.list().some(({ id }) => id === OWNER)) await load(OWNER, 0);
await Promise.all([changeComponent, changePolicy, changeKey, changeSecret, recordLine].map(forever));
