// The examination of a system: what it says is what an attacker's program finds (test/escape/taken-over-cell.test.ts).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examine } from './doctor.ts';
import { findLayers, NO_LAYERS } from './layers.ts';

const node26 = Number(process.versions.node.split('.')[0]) >= 26;
const linux = process.platform === 'linux';
const OUTER = ['namespaces', 'root', 'system calls'];

test('this system can run cells, and its layers are named', async () => {
  const layers = await findLayers();
  const { usable, findings, node } = await examine(layers);
  const states = Object.fromEntries(findings.map(({ name, state }) => [name, state]));
  assert.equal(usable, true, JSON.stringify(findings));
  assert.equal(node, process.versions.node);
  assert.deepEqual([states.files, states.processes, states.environment], ['ok', 'ok', 'ok']);
  assert.equal(states.sockets, node26 || layers.filter !== null ? 'ok' : 'weaker');
  assert.equal(states.namespaces, layers.namespaces ? 'ok' : 'weaker');
  assert.equal(states.signals, layers.namespaces ? 'ok' : 'weaker');
  assert.equal(states.root, layers.ownRoot ? 'ok' : 'weaker');
  assert.equal(states['system calls'], layers.filter !== null ? 'ok' : 'weaker');
});

test('without outer layers signals stay open, and it says so', async () => {
  const { usable, findings } = await examine(NO_LAYERS);
  assert.equal(usable, true);
  const weaker = findings.filter(({ state }) => state === 'weaker').map(({ name }) => name);
  assert.deepEqual(weaker, node26 ? ['signals', ...OUTER] : ['network', 'sockets', 'signals', ...OUTER]);
  const root = findings.find(({ name }) => name === 'root')?.text ?? '';
  assert.match(root, linux ? /install bubblewrap|bubblewrap is installed/ : /use Linux/);
});

test('a prefix that cannot be started is a broken system', async () => {
  const { usable, findings } = await examine({ ...NO_LAYERS, prefix: () => ['/nowhere/tool'] });
  assert.equal(usable, false);
  assert.match(findings[0]?.text ?? '', /No cell could be started/);
});
