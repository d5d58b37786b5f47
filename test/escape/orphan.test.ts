// Promise: no cell outlives its broker, not even one whose guest loops while the broker is killed with SIGKILL. Held by
// the kernel where it can be told to, else by a shell that watches.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
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
