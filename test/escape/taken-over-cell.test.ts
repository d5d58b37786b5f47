// Promise: a cell under full control of an attacker's JavaScript reaches no file, socket, process or environment of the
// host. The attacker's programs are started with exactly the flags and layers of a cell.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { type LaunchOptions, launch } from '../../src/cell/launch.ts';
import { findNamespaces, findSeal, type Layers, NO_LAYERS } from '../../src/cell/layers.ts';

const guests = join(import.meta.dirname, 'guests');
const root = join(import.meta.dirname, '..', '..');
const server = createServer((socket) => {
  reached++;
  socket.destroy();
});
let reached = 0;
let folder = '';
const found: Record<'namespaces' | 'bubblewrap', Layers | undefined> = {
  namespaces: undefined,
  bubblewrap: undefined,
};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'witbox-escape-'));
  const namespaces = await findNamespaces();
  if (namespaces?.namespaces) found.namespaces = namespaces;
  found.bubblewrap = await findSeal();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env.WITBOX_TEST_SECRET = 'must not be seen';
});
after(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

interface Report {
  readonly tried: readonly string[];
  readonly through: readonly string[];
  readonly signals?: readonly string[];
  readonly descriptors?: readonly (number | 'directory')[];
  readonly environment: Readonly<Record<string, string>>;
}

function launchOptions(entry: string, around: Layers): LaunchOptions {
  return {
    node: process.execPath,
    layers: around,
    entry: join(guests, entry),
    readable: [guests, join(root, 'src'), join(root, 'package.json')],
    heapMb: 128,
    memoryBytes: 1 << 28,
  };
}

/** A process of the same user, in the same group as the test. */
const startVictim = (): ChildProcess => spawn('sleep', ['60'], { stdio: 'ignore' });

async function attack(entry: string, around: Layers): Promise<Report> {
  const victim = startVictim();
  const { process: child, pipe } = launch(launchOptions(entry, around));
  const { port } = server.address() as { port: number };
  pipe.write(`${JSON.stringify({ port, folder, victim: victim.pid, code: guests })}\n`);
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    pipe.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.endsWith('\n')) resolve(text);
    });
    let stderr = '';
    child.stderr?.on('data', (chunk) => {
      stderr += String(chunk);
    });
    child.on('exit', (code) => reject(new Error(`the attacker ended with ${code}: ${stderr}`)));
  });
  child.removeAllListeners('exit');
  child.kill('SIGKILL');
  victim.kill('SIGKILL');
  return JSON.parse(line) as Report;
}

function reachedNothing(
  { tried, through, environment, descriptors = [] }: Report,
  known: readonly string[] = [],
): void {
  assert.ok(tried.length >= 45, `only ${tried.length} attempts were made`);
  assert.deepEqual(through, known);
  // Bubblewrap tells where its root is.
  assert.deepEqual({ PWD: '/', ...environment }, { PWD: '/' });
  assert.deepEqual(descriptors, []);
  assert.deepEqual(readdirSync(folder), known.length === 0 ? [] : ['own']);
  rmSync(join(folder, 'own'), { force: true });
  assert.equal(reached, 0);
}

// Node 24 cannot deny the network by itself; the outer layer does where there is one.
const closesNetwork = Number(process.versions.node.split('.')[0]) >= 26;

test('an attacker held by the flags alone reaches nothing', { skip: !closesNetwork }, async () => {
  reachedNothing(await attack('attacker.js', NO_LAYERS));
});

test('an attacker in the place of guest code has no loader, no signals and no network', async () => {
  const report = await attack('hardened-attacker.js', NO_LAYERS);
  reachedNothing(report);
});

for (const layer of ['namespaces', 'bubblewrap'] as const) {
  test(`an attacker inside ${layer} cannot see or signal another process either`, async (context) => {
    const layers = found[layer];
    if (layers === undefined) return context.skip(`this system offers no ${layer}`);
    const report = await attack('attacker.js', layers);
    // Listening inside its own namespace reaches nobody; a Unix socket needs no network. The doctor tells both.
    const open = closesNetwork || layers.filter !== null ? [] : ['socket: listen', 'socket: unix listen'];
    // Without a /dev/null Node keeps the root in reserve instead, and this root has nothing in it.
    const descriptors = layers.ownRoot
      ? report.descriptors?.filter((one) => one !== 'directory')
      : report.descriptors;
    reachedNothing({ ...report, ...(descriptors && { descriptors }) }, open);
    assert.deepEqual(report.signals, []);
  });

  test(`a cell inside ${layer} that kills all it can kills only itself`, async (context) => {
    const layers = found[layer];
    if (layers === undefined) return context.skip(`this system offers no ${layer}`);
    const victim = startVictim();
    const { process: child } = launch(launchOptions('group-killer.js', layers));
    await new Promise((resolve) => child.once('exit', resolve));
    assert.equal(victim.exitCode, null);
    assert.equal(victim.signalCode, null);
    victim.kill('SIGKILL');
  });
}

test('descriptors that the broker was left with do not reach a cell', {
  skip: process.platform !== 'linux',
}, async () => {
  // Far apart: Node closes what it was given up to the first gap by itself.
  const secret = openSync(join(root, 'package.json'), 'r');
  const stdio: (number | 'ignore' | 'pipe' | 'inherit')[] = ['ignore', 'pipe', 'inherit'];
  for (let at = 3; at <= 60; at += 1) stdio[at] = [5, 17, 40, 60].includes(at) ? secret : 'ignore';
  const broker = spawn(process.execPath, [join(guests, 'starter.ts')], { stdio });
  const open = await text(broker.stdout!);
  closeSync(secret);
  assert.match(open, /^socket:/m, 'the door is there');
  assert.doesNotMatch(open, /package\.json/);
});
