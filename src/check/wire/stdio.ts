// A server started as a child process, seen through its raw streams. Ends the child by closing its input, then by
// SIGTERM, then by SIGKILL; only ever the process it started.

import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { Inbox } from './inbox.ts';
import { createLineSplitter } from './lines.ts';

export interface StdioWire {
  readonly inbox: Inbox;
  /** Lines that are not JSON objects or arrays, as printed. */
  readonly junk: string[];
  readonly faults: { invalidUtf8: boolean; endlessLine: boolean; embeddedNewline: boolean };
  stderr(): string;
  write(bytes: string | Uint8Array): void;
  endInput(): void;
  /** True if the process ended by itself within the time. */
  exited(milliseconds: number): Promise<boolean>;
  close(): Promise<void>;
}

const MAX_STDERR = 256 * 1024;
const MAX_JUNK = 200;
const MAX_PRETTY = 64 * 1024;

export function openStdio(command: readonly string[], environment: NodeJS.ProcessEnv): StdioWire {
  const child = spawn(command[0]!, command.slice(1), { stdio: 'pipe', env: environment, detached: true });
  const inbox = new Inbox(() => signal(child, 'SIGKILL'));
  const junk: string[] = [];
  const faults = { invalidUtf8: false, endlessLine: false, embeddedNewline: false };
  let stderr = '';
  let pretty = '';

  const splitter = createLineSplitter({
    line(text) {
      const line = text.endsWith('\r') ? text.slice(0, -1) : text;
      pretty = pretty === '' ? line : `${pretty}\n${line}`;
      if (!/^\s*[[{]/.test(pretty)) {
        if (junk.length < MAX_JUNK) junk.push(line);
      } else if (isJson(pretty) || pretty.length > MAX_PRETTY) {
        faults.embeddedNewline ||= pretty !== line;
        inbox.push(pretty);
      } else {
        // Perhaps a message broken over lines: the checks are only worth something if the rest can still be read.
        return;
      }
      pretty = '';
    },
    invalidUtf8() {
      faults.invalidUtf8 = true;
    },
    endless() {
      faults.endlessLine = true;
      inbox.end('the server printed a line without end');
      signal(child, 'SIGKILL');
    },
  });
  child.stdout.on('data', (chunk: Buffer) => splitter.push(chunk));
  child.stdout.on('end', () => splitter.finish());
  child.stderr.on('data', (chunk: Buffer) => {
    if (stderr.length < MAX_STDERR) stderr += chunk.toString('utf8');
  });
  child.stdin.on('error', () => {});

  const gone = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      inbox.end(`the command could not be started: ${error.message}`);
      resolve();
    });
    child.on('close', (code, by) => {
      inbox.end(by === null ? `the server exited with status ${code}` : `the server was ended by ${by}`);
      resolve();
    });
  });

  async function exited(milliseconds: number): Promise<boolean> {
    return Promise.race([gone.then(() => true), delay(milliseconds, false, { ref: false })]);
  }

  return {
    inbox,
    junk,
    faults,
    stderr: () => stderr,
    write(bytes) {
      if (child.stdin.writable) child.stdin.write(bytes);
    },
    endInput() {
      child.stdin.end();
    },
    exited,
    async close() {
      child.stdin.end();
      if (await exited(300)) return;
      signal(child, 'SIGTERM');
      if (await exited(500)) return;
      signal(child, 'SIGKILL');
      await exited(2_000);
    },
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The child leads its own process group, so that what it started (npx, a shell) ends with it. */
function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, name);
  } catch {
    // Already gone.
  }
}
