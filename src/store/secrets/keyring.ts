// One text in the keyring of the system, by the system's own program: `secret-tool` (libsecret) on Linux, `security` on
// macOS. The text goes through pipes, never through arguments, which every process of the machine could read.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { WitboxError } from '../../core/errors.ts';

export interface Keyring {
  get(): Promise<string | null>;
  set(text: string): Promise<void>;
}

const SERVICE = 'witbox';
const WAIT_MS = 30_000;
const MOST_BYTES = 4_096;

interface Answer {
  readonly status: number | null;
  readonly out: string;
}

/** An entry for this data directory. */
export function keyringOf(
  dataDir: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Keyring {
  const account = createHash('sha256').update(dataDir).digest('hex').slice(0, 32);
  const run = (program: string, args: readonly string[], input = ''): Promise<Answer> =>
    runProgram(program, args, input, env);
  if (platform === 'linux') return linuxKeyring(account, run);
  if (platform === 'darwin') return macKeyring(account, run);
  throw unusable(`there is none that can be used on ${platform}`);
}

type Run = (program: string, args: readonly string[], input?: string) => Promise<Answer>;

function linuxKeyring(account: string, run: Run): Keyring {
  const entry = ['service', SERVICE, 'account', account];
  return {
    async get() {
      const { status, out } = await run('secret-tool', ['lookup', ...entry]);
      return status === 0 && out !== '' ? out : null;
    },
    async set(text) {
      const { status } = await run('secret-tool', ['store', '--label=Witbox secrets', ...entry], text);
      if (status !== 0) throw unusable(`secret-tool ended with status ${status}`);
    },
  };
}

function macKeyring(account: string, run: Run): Keyring {
  return {
    async get() {
      const { status, out } = await run('security', [
        'find-generic-password',
        ...['-s', SERVICE, '-a', account, '-w'],
      ]);
      return status === 0 ? out.trim() : null;
    },
    async set(text) {
      const command = `add-generic-password -U -s ${SERVICE} -a ${account} -w "${text}"\n`;
      const { status } = await run('security', ['-i'], command);
      if (status !== 0) throw unusable(`security ended with status ${status}`);
    },
  };
}

function runProgram(
  program: string,
  args: readonly string[],
  input: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'], timeout: WAIT_MS });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (out.length < MOST_BYTES) out += text;
    });
    // It may end without reading.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', (error: NodeJS.ErrnoException) =>
      reject(unusable(error.code === 'ENOENT' ? `"${program}" is not installed` : String(error.code), error)),
    );
    child.on('close', (status) => resolve({ status, out }));
  });
}

function unusable(problem: string, cause?: unknown): WitboxError {
  return new WitboxError('secrets-key', { problem: `the keyring cannot be used: ${problem}` }, cause);
}
