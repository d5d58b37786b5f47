// Kills a process that changes a data directory, again and again at random moments, and looks after each kill whether
// everything that was acknowledged is there, whether what was under way is as before or after, and whether the audit
// log is whole. The same process image then goes on in the same directory.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '../../src/audit/query.ts';
import { verify } from '../../src/audit/verify.ts';
import { createRedactor } from '../../src/core/redact.ts';
import { createKeyStore } from '../../src/store/keys.ts';
import { keySource } from '../../src/store/secrets/key-source.ts';
import { createSecrets } from '../../src/store/secrets/secrets.ts';
import { createStore } from '../../src/store/store.ts';
import { createRandom, type Random } from '../random-types.ts';
import { OWNER, type Step } from './steps.ts';

const CHURN = resolve(import.meta.dirname, 'churn.ts');

/** What may be there: what was acknowledged last, and what was begun after it. */
interface Expected {
  values: (string | null)[];
  proof: string | undefined;
}

export interface Tally {
  readonly kills: number;
  readonly acknowledged: number;
  readonly underWay: number;
}

export async function killLoop(directory: string, kills: number, seed: number): Promise<Tally> {
  const expected = new Map<string, Expected>();
  const random = createRandom(seed);
  let acknowledged = 0;
  let underWay = 0;
  for (let round = 0; round < kills; round += 1) {
    const steps = await runAndKill(directory, seed + round, random);
    for (const one of steps) note(expected, one);
    acknowledged += steps.filter(({ done }) => done).length;
    underWay += [...expected.values()].filter(({ values }) => values.length > 1).length;
    await check(directory, expected, `kill ${round + 1}, seed ${seed + round}`);
  }
  return { kills, acknowledged, underWay };
}

function note(expected: Map<string, Expected>, { thing, value, done, proof }: Step): void {
  const known = expected.get(thing) ?? { values: [null], proof: undefined };
  expected.set(
    thing,
    done ? { values: [value], proof } : { values: [...known.values, value], proof: known.proof },
  );
}

/** After some steps and a moment more: however busy the machine is, it is killed at work. */
async function runAndKill(directory: string, seed: number, random: Random): Promise<Step[]> {
  const child = spawn(process.execPath, [CHURN, directory, String(seed)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let complaint = '';
  const enough = Promise.withResolvers<void>();
  const least = 40 * (2 + random.below(60));
  child.stdout.on('data', (chunk) => {
    said += chunk;
    if (said.length > least) enough.resolve();
  });
  child.stderr.on('data', (chunk) => (complaint += chunk));
  const closed = once(child, 'close');
  await Promise.race([enough.promise, closed]);
  await sleep(random.below(8));
  child.kill('SIGKILL');
  const [, signal] = await closed;
  assert.equal(signal, 'SIGKILL', `it must run until it is killed: ${complaint}`);
  // A pipe takes what is shorter than its unit as a whole: the last line is there or not.
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Step);
}

async function check(directory: string, expected: Map<string, Expected>, when: string): Promise<void> {
  const actual = await stateOf(directory);
  for (const [thing, { values, proof }] of expected) {
    if (thing.startsWith('line ')) continue;
    const found = actual.get(thing) ?? null;
    assert.ok(values.includes(found), `${when}: ${thing} is ${found}, expected ${values.join(' or ')}`);
    if (proof !== undefined && values.length === 1 && found !== null) {
      assert.equal(
        createKeyStore(directory).prove(proof)?.name,
        thing.slice(4),
        `${when}: ${thing} is not proven`,
      );
    }
    // Whichever it was, it is settled now.
    expected.set(thing, { values: [found], proof: values.length === 1 ? proof : undefined });
  }
  await checkLog(join(directory, 'audit'), expected, when);
}

async function checkLog(directory: string, expected: Map<string, Expected>, when: string): Promise<void> {
  const { faults } = await verify(directory);
  assert.deepEqual(faults, [], when);
  const targets = new Set<unknown>();
  for await (const { fields } of query(directory, {})) targets.add(fields.target);
  for (const [thing, { values }] of expected) {
    if (!thing.startsWith('line ')) continue;
    if (values.length === 1)
      assert.ok(targets.has(values[0]), `${when}: ${thing} was acknowledged and is lost`);
    else expected.delete(thing);
  }
}

async function stateOf(directory: string): Promise<Map<string, string>> {
  const state = new Map<string, string>();
  const store = createStore(directory);
  for (const { id } of store.list()) state.set(`component ${id}`, String((await store.bytes(id))[0]));
  if (state.has(`component ${OWNER}`)) {
    const [grant] = store.policy(OWNER).environment.allow;
    if (grant) state.set('policy', grant.name);
    const key = keySource(null, { env: {}, dataDir: directory });
    const secrets = createSecrets({ store, key, redactor: createRedactor() });
    for (const [name, value] of await secrets.of(OWNER)) state.set(`secret ${name}`, value);
  }
  for (const { name } of createKeyStore(directory).list()) state.set(`key ${name}`, 'there');
  return state;
}
