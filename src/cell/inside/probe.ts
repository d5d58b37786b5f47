// What `witbox doctor` runs in a cell in place of a guest: tries what must not work, and tells what did. It runs with
// the flags and layers of every cell but before hardening, so that it shows what holds by itself.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';

/** Names of what was possible. */
export type Reach = 'files' | 'network' | 'sockets' | 'processes' | 'signals' | 'environment';

const reached: Reach[] = [];

const attempt = (name: Reach, run: () => boolean): void => {
  try {
    if (run()) reached.push(name);
  } catch {
    // Refused.
  }
};

attempt('files', () => readFileSync(process.execPath).byteLength > 0);
attempt('processes', () => spawnSync(process.execPath, ['--version']).status === 0);
// In a namespace of its own a process has no parent that it could name.
attempt('signals', () => process.ppid > 0 && process.kill(process.ppid, 0));
// Bubblewrap sets PWD to the root of the cell, which says nothing.
attempt('environment', () =>
  Object.entries(process.env).some(([name, value]) => `${name}=${value}` !== 'PWD=/'),
);

/** Whether a connection is refused by the other side, not by what is around this process. */
const reaches = (target: { port: number } | { path: string }, missing: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(target);
    socket.once('connect', () => resolve(true));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === missing));
  });

// Nobody listens on port 1, and the path is nowhere: to be told so is to have reached the machine.
if (await reaches({ port: 1 }, 'ECONNREFUSED')) reached.push('network');
if (await reaches({ path: '/nowhere/socket' }, 'ENOENT')) reached.push('sockets');
writeSync(3, `${JSON.stringify(reached)}\n`);
