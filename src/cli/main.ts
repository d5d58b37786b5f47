// The composition root, and the only place that reads argv and the environment or sets the exit status. An error from
// the table is one line on stderr and the exit status of its row; anything else is a defect and says so.

import { readFileSync } from 'node:fs';
import { ERRORS, WitboxError } from '../core/errors.ts';
import { createRedactor } from '../core/redact.ts';
import type { Io } from './command.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, groupHelp } from './help.ts';
import { readInput, readRequest } from './parse.ts';
import { printable } from './printable.ts';
import { RECORDED } from './recorded-commands.ts';

const HELD_MS = 2_000;

export async function main(): Promise<void> {
  quietBrokenPipe(process.stdout);
  quietBrokenPipe(process.stderr);
  const io = createIo();
  try {
    process.exitCode = await run(process.argv.slice(2), io);
  } catch (error) {
    process.exitCode = tell(error, io);
  }
  endEvenIfHeld();
}

/** A peer that never answers the closing of a WebSocket would hold the process for ever: nobody waits that long. */
function endEvenIfHeld(): void {
  const look = (): void => {
    if (process.stdout.writableLength === 0) process.exit();
  };
  setInterval(look, HELD_MS).unref();
}

async function run(argv: readonly string[], io: Io): Promise<number> {
  const request = readRequest(argv, COMMANDS);
  if (request.kind === 'version') {
    io.out(`${io.version}\n`);
    return 0;
  }
  if (request.kind === 'help') {
    const entry = COMMANDS.find(({ name }) => name === request.topic);
    io.out(entry ? commandHelp(entry, await entry.load()) : groupHelp(request.topic, COMMANDS));
    return 0;
  }
  const command = await request.entry.load();
  const input = readInput(request.entry, command, request.rest);
  if ((input.flags as { version?: boolean }).version) {
    io.out(`${io.version}\n`);
    return 0;
  }
  const configured = withConfig(io, input.flags);
  const status = (await command.run(input, configured)) ?? 0;
  const recorded = RECORDED.get(request.entry.name);
  if (status === 0 && recorded)
    await (await import('./record-change.ts')).recordChange(recorded, input, configured);
  return status;
}

/** The flag beats the variable for all that a command looks up: its data directory, its audit log, its secrets. */
function withConfig(io: Io, { config }: { readonly config?: unknown }): Io {
  return typeof config === 'string' ? { ...io, env: { ...io.env, WITBOX_CONFIG: config } } : io;
}

/** Gives the exit status. */
function tell(error: unknown, io: Io): number {
  const known = error instanceof WitboxError;
  const message = io.redactor.text((error instanceof Error ? error.message : String(error)) + denied(error));
  io.err(`witbox: ${known ? '' : 'Internal error: '}${printable(message.replace(/\s*\n\s*/g, ' '))}\n`);
  if (!known && error instanceof Error && io.env.WITBOX_LOG === 'debug')
    io.err(`${io.redactor.text(error.stack ?? '')}\n`);
  return known ? ERRORS[error.code].exit : ERRORS.internal.exit;
}

/** The message of a denial is fixed by the protocol; here a person wants to know what to grant. */
function denied(error: unknown): string {
  if (!(error instanceof WitboxError) || error.code !== 'permission-denied') return '';
  const { component_id, permission, reason } = error.details;
  return `: "${component_id}" asked for ${permission}. ${reason}`;
}

function createIo(): Io {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    isTerminal: process.stdout.isTTY === true,
    version,
    redactor: createRedactor(),
    stopSignal() {
      const controller = new AbortController();
      const stop = (): void => {
        controller.abort();
        // A second one is not held back: whoever asks twice is in a hurry.
        process.off('SIGINT', stop);
        process.off('SIGTERM', stop);
      };
      process.on('SIGINT', stop);
      process.on('SIGTERM', stop);
      return controller.signal;
    },
    onReload: (listener) => void process.on('SIGHUP', listener),
  };
}

/** `witbox … | head`: when nobody reads on, there is nothing left to do and nothing to complain about. */
function quietBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
}
