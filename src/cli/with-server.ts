// What the commands share that talk to a server: flags, from TARGET to a connection, and the end of it. The client is
// loaded only here and only when a command talks to a server.

import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Connection, Handlers, Revision, Target } from '../client/client.ts';
import { WitboxError } from '../core/errors.ts';
import { LOG_LEVELS, type LogLevel } from '../core/mcp.ts';
import type { Flag, Io } from './command.ts';
import { openConsent } from './consent.ts';
import { createElicit } from './elicit.ts';
import { printable } from './printable.ts';

export const SERVER_FLAGS = {
  server: { type: 'string', value: 'TARGET', summary: 'An address (http…, ws…), or a name from an mcp.json' },
  'mcp-config': { type: 'string', value: 'FILE', summary: 'Where names of servers are looked up' },
  header: {
    type: 'string',
    multiple: true,
    value: 'NAME:VALUE',
    summary: 'Send this header with every request',
  },
  revision: { type: 'string', value: 'DATE', summary: 'Speak exactly this revision of MCP' },
  timeout: { type: 'string', value: 'SECONDS', summary: 'How long the server may be silent (60)' },
  log: { type: 'string', value: 'LEVEL', summary: 'Show what the server logs, from this level on' },
  forget: { type: 'boolean', summary: 'Forget the consent that was given for this server before' },
  json: { type: 'boolean', summary: 'Print the answer as JSON' },
} as const satisfies Record<string, Flag>;

export const ASKING_FLAGS = {
  answer: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    summary: 'Answer the server’s questions with this',
  },
  root: { type: 'string', multiple: true, value: 'DIR', summary: 'A directory that the server may know of' },
  save: { type: 'string', value: 'DIR', summary: 'Where images and other files are saved (here)' },
} as const satisfies Record<string, Flag>;

export interface ServerFlags {
  readonly server?: string;
  readonly 'mcp-config'?: string;
  readonly header?: readonly string[];
  readonly revision?: string;
  readonly timeout?: string;
  readonly log?: string;
  readonly forget?: boolean;
  readonly answer?: readonly string[];
  readonly root?: readonly string[];
}

export interface ServerInput {
  readonly flags: ServerFlags;
  readonly program: readonly string[];
}

export function namesServer({ flags, program }: ServerInput): boolean {
  return flags.server !== undefined || program.length > 0;
}

export async function withServer<T>(
  input: ServerInput,
  io: Io,
  use: (connection: Connection, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { connect, REVISIONS } = await import('../client/client.ts');
  const { flags } = input;
  const target = await readTarget(input, io);
  const signal = io.stopSignal();
  const revision = oneOf('--revision', flags.revision, REVISIONS);
  const logLevel = oneOf('--log', flags.log, LOG_LEVELS);
  const consent =
    target.transport === 'stdio'
      ? undefined
      : await openConsent(target.url, { forget: flags.forget === true }, io, signal);
  let connection: Connection | undefined;
  try {
    connection = await connect(target, {
      ...(consent && { auth: consent.auth }),
      info: { name: 'witbox', version: io.version },
      handlers: createHandlers(flags, io, signal),
      timeoutMs: readSeconds(flags.timeout) * 1_000,
      signal,
      ...(revision && { revision: revision as Revision }),
      ...(logLevel && { logLevel: logLevel as LogLevel }),
    });
    return await use(connection, signal);
  } finally {
    await connection?.close();
    consent?.close();
  }
}

function createHandlers({ answer, root, log }: ServerFlags, io: Io, stop: AbortSignal): Handlers {
  const elicit = createElicit(io, answer ?? [], stop);
  return {
    ...(elicit && { elicit }),
    ...(root && { roots: () => root.map((directory) => ({ uri: String(pathToFileURL(directory)) })) }),
    ...(log && {
      log({ level, logger, data }) {
        const text = typeof data === 'string' ? data : JSON.stringify(data);
        io.err(`${level}${logger ? ` ${printable(logger)}` : ''}: ${printable(text)}\n`);
      },
    }),
  };
}

async function readTarget({ flags, program }: ServerInput, io: Io): Promise<Target> {
  const { server } = flags;
  const [command, ...args] = program;
  if (command !== undefined) {
    if (server !== undefined) throw usage('Give either --server or a command after --, not both');
    const env = Object.entries(io.env).filter((one): one is [string, string] => one[1] !== undefined);
    return { transport: 'stdio', command, args, env: Object.fromEntries(env) };
  }
  if (server === undefined) throw usage('Name a server: --server TARGET, or a command after --');
  const { addressTarget } = await import('../client/client.ts');
  const headers = Object.fromEntries((flags.header ?? []).map(readHeader));
  const found = addressTarget(server, headers) ?? (await findByName(server, flags['mcp-config'], io));
  return found.transport === 'stdio' ? found : { ...found, headers: { ...found.headers, ...headers } };
}

async function findByName(name: string, given: string | undefined, io: Io): Promise<Target> {
  const { entryTarget, hostConfigFiles, serverEntry } = await import('../client/host-config.ts');
  const around = {
    cwd: process.cwd(),
    home: io.env.HOME ?? homedir(),
    platform: process.platform,
    env: io.env,
  };
  const files = given === undefined ? hostConfigFiles(around) : [given];
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (given === undefined) return null;
      throw new WitboxError('server-config', { file, problem: error.code ?? error.message }, error);
    });
    const entry = text === null ? null : serverEntry(text, file, name);
    if (entry === null) continue;
    // Files of a project come before one's own: whoever calls sees which it is.
    if (given === undefined) io.err(`witbox: Using "${name}" from ${file}\n`);
    return entryTarget(entry, file, name, around);
  }
  const places = given ?? 'the settings of Claude, VS Code or Cursor';
  throw new WitboxError('server-unknown', { name, places });
}

function readHeader(text: string): [string, string] {
  const colon = text.indexOf(':');
  if (colon <= 0)
    throw new WitboxError('flag-invalid', { flag: '--header', value: text, expected: 'NAME:VALUE' });
  return [text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim()];
}

function readSeconds(text = '60'): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 86_400) return seconds;
  throw new WitboxError('flag-invalid', { flag: '--timeout', value: text, expected: 'seconds up to 86400' });
}

function oneOf(flag: string, value: string | undefined, known: readonly string[]): string | undefined {
  if (value === undefined || known.includes(value)) return value;
  throw new WitboxError('flag-invalid', { flag, value, expected: `one of ${known.join(', ')}` });
}

const usage = (problem: string): WitboxError => new WitboxError('usage', { problem, help: 'witbox --help' });
