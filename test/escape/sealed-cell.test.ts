// Promise: where bubblewrap is there, a cell holds even if the permission model of Node does not. The attackers run
// without any flag of a cell: first with everything that Node can do, then with system calls of their own.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { enter } from '../../src/cell/enter.ts';
import { findSeal, type Layers, NO_LAYERS } from '../../src/cell/layers.ts';
import { DEADLY, LIMITED, UNKNOWN } from '../../src/cell/seccomp/system-calls.ts';

const abstract = `witbox-escape-${process.pid}`;
const servers: Server[] = [];
const [EPERM, ENOSYS, SIGSYS] = [1, 38, 31];
let [folder, place, guests, port, reached] = ['', '', '', 0, 0];
let seal: Layers | undefined;

const serve = (where: object): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      reached++;
      socket.destroy();
    });
    servers.push(server);
    server.listen(where, () => resolve(server));
  });

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'witbox-sealed-'));
  // The attackers try to change their own code: they get a copy of it.
  place = mkdtempSync(join(tmpdir(), 'witbox-sealed-code-'));
  guests = join(place, 'guests');
  cpSync(join(import.meta.dirname, 'guests'), guests, { recursive: true });
  writeFileSync(join(place, 'beside'), 'not to be read');
  writeFileSync(join(guests, 'package.json'), '{"type":"module"}');
  seal = await findSeal();
  port = ((await serve({ port: 0, host: '127.0.0.1' })).address() as { port: number }).port;
  await serve({ path: join(folder, 'socket') });
  if (process.platform === 'linux') await serve({ path: `\0${abstract}` });
});
after(() => {
  for (const server of servers) server.close();
  for (const made of [folder, place]) rmSync(made, { recursive: true });
});

interface Attacked {
  /** The line it told, empty if it ended before. */
  readonly line: string;
  readonly status: number | null;
}

async function attack(
  layers: Layers,
  flags: readonly string[],
  entry: string,
  known: object,
): Promise<Attacked> {
  const command = [process.execPath, ...flags, '--no-warnings', join(guests, entry)];
  const child: ChildProcess = enter(layers, [guests], command);
  const pipe = child.stdio[3] as Socket;
  pipe.on('error', () => {});
  pipe.write(`${JSON.stringify(known)}\n`);
  return new Promise((resolve) => {
    let line = '';
    pipe.setEncoding('utf8').on('data', (chunk: string) => {
      line += chunk;
      if (!line.endsWith('\n')) return;
      resolve({ line, status: null });
      child.kill('SIGKILL');
    });
    child.once('exit', (status) => resolve({ line, status }));
  });
}

interface Report {
  readonly tried: readonly string[];
  readonly through: readonly string[];
  readonly root: readonly string[];
}

/** `root` is where the attacker takes the root to be. */
async function freed(layers: Layers, root: string): Promise<Report> {
  const victim = spawn('sleep', ['60'], { stdio: 'ignore' });
  const path = join(folder, 'socket');
  const known = {
    port,
    path,
    abstract,
    folder,
    root,
    victim: victim.pid,
    code: guests,
    hostname: hostname(),
  };
  const { line } = await attack(layers, [], 'freed-attacker.js', known);
  victim.kill('SIGKILL');
  return JSON.parse(line) as Report;
}

test('an attacker whom Node does not hold reaches nothing through the seal', async (context) => {
  if (seal === undefined) return context.skip('this system offers no bubblewrap');
  if (seal.filter === null) return context.skip('this system offers no filter of system calls');
  const { tried, through, root } = await freed(seal, '/');
  assert.ok(tried.length >= 40, `only ${tried.length} attempts were made`);
  assert.deepEqual(through, []);
  assert.equal(reached, 0);
  assert.deepEqual(readdirSync(folder), ['socket']);
  // Nothing but the first folders on the way to Node, its libraries and the code.
  const visible = new Set(
    [process.execPath, guests, '/lib/', '/lib64/', '/usr/'].map((path) => path.split('/')[1]),
  );
  assert.deepEqual(
    root.filter((name) => !visible.has(name)),
    [],
  );
});

test('the same attacker gets through to everything where there is no seal', async (context) => {
  if (process.platform !== 'linux') return context.skip('the attacker knows Linux only');
  const { through } = await freed(NO_LAYERS, folder);
  const kinds = new Set(through.map((name) => name.split(':')[0]));
  assert.deepEqual([...kinds].sort(), ['file', 'process', 'signal', 'socket']);
  assert.ok(through.length >= 25, `only ${through.join(', ')}`);
});

interface SystemCall {
  readonly number: number;
  readonly args?: readonly number[];
}

const column = process.arch === 'arm64' ? 1 : 0;
const named = (numbers: readonly [number | null, number | null], ...args: number[]): SystemCall => ({
  number: numbers[column] ?? 0,
  args,
});

/** Why machine code cannot be tried here, if it cannot. */
const cannotTry = (): string | null =>
  seal === undefined || seal.filter === null
    ? 'this system offers no filter of system calls'
    : process.allowedNodeEnvironmentFlags.has('--experimental-ffi')
      ? null
      : 'this Node calls no machine code';

const make = (calls: readonly SystemCall[]): Promise<Attacked> =>
  attack(seal as Layers, ['--experimental-ffi'], 'machine-code.js', { calls });

/** Done by every process that may; here each is refused, and the attacker lives to tell. */
const REFUSED: Readonly<Record<string, readonly [SystemCall, number]>> = {
  'socket of the network': [named([41, 198], 2, 1), EPERM],
  'socket of the machine': [named([41, 198], 1, 1), EPERM],
  'pair of sockets': [named([53, 199], 1, 1), EPERM],
  'message with descriptors': [named([46, 211], 3), EPERM],
  'signal to everybody': [named([62, 129], -1), EPERM],
  'signal to its group': [named([62, 129], 0), EPERM],
  'file in memory': [named([319, 279]), EPERM],
  'another process': [named(LIMITED.clone, 17), EPERM],
  'another process with other flags': [named(UNKNOWN.clone3), ENOSYS],
  'calls in a ring': [named(UNKNOWN.io_uring_setup, 8), ENOSYS],
  'keys for a terminal': [named(LIMITED.ioctl, 0, 0x5412), EPERM],
  'own protection': [named(LIMITED.prctl, 22, 2), EPERM],
  'limits of another': [named(LIMITED.prlimit64, 2), EPERM],
  'another user': [named([105, 146], 0), EPERM],
  'a device': [named([259, 33], -100), EPERM],
};

/** Asked for by no program that runs in a cell: whoever does is ended. */
const ENDS: Readonly<Record<string, SystemCall>> = {
  'watching a process': named(DEADLY.ptrace),
  'reading the memory of a process': named(DEADLY.process_vm_readv, 1),
  'new namespaces': named(DEADLY.unshare, 0x1000_0000),
  'namespaces of another': named(DEADLY.setns, 3),
  'a mount': named(DEADLY.mount),
  'a program for the kernel': named(DEADLY.bpf),
  'counters of the processor': named(DEADLY.perf_event_open),
  'faults in user space': named(DEADLY.userfaultfd),
  'keys of the kernel': named(DEADLY.keyctl),
  'a file by its handle': named(DEADLY.open_by_handle_at),
};

test('system calls that a cell does not need are refused', async (context) => {
  const reason = cannotTry();
  if (reason !== null) return context.skip(reason);
  const { line } = await make(Object.values(REFUSED).map(([call]) => call));
  const errors = JSON.parse(line) as number[];
  const told = Object.fromEntries(Object.keys(REFUSED).map((name, index) => [name, errors[index]]));
  assert.deepEqual(
    told,
    Object.fromEntries(Object.entries(REFUSED).map(([name, [, error]]) => [name, error])),
  );
});

test('system calls that only an intruder makes end the cell', async (context) => {
  const reason = cannotTry();
  if (reason !== null) return context.skip(reason);
  for (const [name, call] of Object.entries(ENDS)) {
    // Bubblewrap tells a signal as a shell does.
    assert.deepEqual(await make([call]), { line: '', status: 128 + SIGSYS }, name);
  }
});
