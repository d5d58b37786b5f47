import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsRestart } from '../config/changes.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/load.ts';
import { WitboxError } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { createReload } from './reload.ts';

const FILE = '/srv/witbox.yaml';

function deskFor(first: string) {
  let text = first;
  const applied: Config[] = [];
  const lines: Record<string, unknown>[] = [];
  const load = async () => ({ file: FILE, ...readConfig(text, FILE) });
  const start = { file: FILE, ...readConfig(first, FILE) };
  const reload = createReload(start, {
    load,
    atStart: needsRestart,
    applied() {},
    log: createLogger({ write: (line) => void lines.push(JSON.parse(line)) }),
    async apply(config) {
      applied.push(config);
      if (config.listen.insecureNoAuth) throw new WitboxError('bind-refused', { host: '0.0.0.0' });
    },
  });
  const change = async (next: string): Promise<Record<string, unknown>> => {
    text = next;
    await reload();
    return lines.at(-1)!;
  };
  return { change, reload, applied, lines };
}

test('what changed is named: applied once, what needs a restart until there is one', async () => {
  const { change } = deskFor('listen: { port: 1 }\n');
  const first = await change('listen: { port: 2, allow-host: [a] }\nlimits: { queue: 1 }\n');
  assert.deepEqual(first.applied, ['listen.allow-host', 'limits.queue']);
  assert.deepEqual(first.needsRestart, ['listen.port']);
  const second = await change('listen: { port: 2, allow-host: [a] }\nlimits: { queue: 1 }\n');
  assert.deepEqual([second.applied, second.needsRestart], [[], ['listen.port']]);
  const back = await change('listen: { port: 1 }\n');
  assert.deepEqual([back.applied, back.needsRestart], [['listen.allow-host', 'limits.queue'], []]);
});

test('what cannot be used is taken back, and what cannot be read is not tried', async () => {
  const { change, applied } = deskFor('log: { levels: warn }\n');
  const unusable = await change('listen: { insecure-no-auth: true }\n');
  assert.equal(unusable.event, 'config not applied');
  assert.deepEqual(
    applied.map(({ log }) => log.levels),
    ['info', 'warn'],
  );
  const unreadable = await change('nonsense: 1\n');
  assert.match(String(unreadable.reason), /unknown key "nonsense"/);
  assert.equal(applied.length, 2);
});

test('many readings at once happen one after the other', async () => {
  const { reload, lines } = deskFor('{}');
  await Promise.all([reload(), reload(), reload()]);
  assert.equal(lines.length, 3);
});

test('a key is decided at the start with all that is below it, and no other that begins alike', () => {
  assert.deepEqual(
    ['listen.host', 'listen.tls.key', 'components', 'secrets.key', 'listen.hosts', 'limits.queue'].map(
      needsRestart,
    ),
    [true, true, true, true, false, false],
  );
});
