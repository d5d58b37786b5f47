// Commands run in the process of the test: what they say is gathered instead of printed.

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import type { Io } from '../../src/cli/command.ts';
import { COMMANDS } from '../../src/cli/commands.ts';
import { readInput, readRequest } from '../../src/cli/parse.ts';
import { createRedactor } from '../../src/core/redact.ts';

interface Said {
  out: string;
  err: string;
}

export function gatheringIo(env: Io['env'] = {}): { readonly io: Io; readonly said: Said } {
  const said: Said = { out: '', err: '' };
  const io: Io = {
    out(text) {
      said.out += text;
    },
    err(text) {
      said.err += text;
    },
    env,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    isTerminal: false,
    version: '0',
    redactor: createRedactor(),
    stopSignal: () => new AbortController().signal,
  };
  return { io, said };
}

/** Rejects with what the command throws, which the command line would print. */
export async function runCommand(argv: readonly string[], env: Io['env'] = {}) {
  const { io, said } = gatheringIo(env);
  const request = readRequest(argv, COMMANDS);
  assert.ok(request.kind === 'run');
  const command = await request.entry.load();
  const status = await command.run(readInput(request.entry, command, request.rest), io);
  return { ...said, status };
}
