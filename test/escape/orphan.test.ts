// Promise: no cell outlives its broker, not even one whose guest loops while the broker is killed with SIGKILL. Held by
// the kernel where it can be told to, else by a shell that watches.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { enter } from '../../src/cell/enter.ts';
import { findLayers } from '../../src/cell/layers.ts';
import { isAlive, until } from '../support/cells.ts';

const linux = process.platform === 'linux';

for (const [layers, by] of [
  ['found', 'the layers of this system'],
  ['namespaces', 'plain namespaces'],
  ['none', 'the watching shell'],
] as const) {
  test(`when the broker is killed, ${by} end a guest that loops`, { skip: !linux }, async () => {
    const broker = spawn(process.execPath, [join(import.meta.dirname, 'guests', 'broker.ts'), layers], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((resolve) => {
      broker.stdout.once('data', (chunk: Buffer) => resolve(String(chunk)));
    });
    const pids = JSON.parse(line) as number[];
    assert.ok(pids.length >= 1 && pids.every(isAlive), line);
    broker.kill('SIGKILL');
    await until(() => !pids.some(isAlive), `cells ${pids} are gone`);
  });
}

test('a cell that is killed while its layers are put on leaves no process', { skip: !linux }, async () => {
  const layers = await findLayers();
  const marker = `witbox-orphan-${process.pid}`;
  // As a cell does: ends when its door is closed.
  const program = "new (require('node:net').Socket)({ fd: 3 }).on('close', () => process.exit()).resume()";
  const left = (): string[] => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && bears(pid, marker));
  for (let at = 0; at < 60; at += 1) {
    const child = enter(layers, [], [process.execPath, '--eval', program, marker]);
    child.on('error', () => {});
    await sleep(at % 30);
    child.kill('SIGKILL');
    for (const stream of child.stdio) stream?.destroy();
  }
  await until(() => left().length === 0, 'all of them are gone');
});

function bears(pid: string, marker: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(marker);
  } catch {
    return false;
  }
}
