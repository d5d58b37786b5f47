// What `witbox doctor` runs in a cell in place of a guest: tries what must not work, and tells what did. It runs with
// the flags and layers of every cell but before hardening, so that it shows what holds by itself.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';

/** Names of what was possible. */
export type Reach = 'files' | 'network' | 'processes' | 'signals' | 'environment';

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
attempt('environment', () => Object.keys(process.env).length > 0);

// Nobody listens on port 1: to be told so is to have reached the machine's loopback interface.
const socket = connect(1, '127.0.0.1');
const tell = (isOpen: boolean): void => {
  if (isOpen) reached.push('network');
  writeSync(3, `${JSON.stringify(reached)}\n`);
};
socket.once('connect', () => tell(true));
socket.once('error', (error: NodeJS.ErrnoException) => tell(error.code === 'ECONNREFUSED'));
