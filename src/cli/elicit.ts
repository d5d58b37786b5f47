// Questions of a server, asked on the terminal or answered by --answer. Nothing is ever answered that nobody was asked
// or has given beforehand; an address that a server wants visited is only shown.

import { createInterface } from 'node:readline/promises';
import type { Handlers } from '../client/client.ts';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { Io } from './command.ts';
import { printable } from './printable.ts';
import { readArguments } from './tool-arguments.ts';

type Elicit = NonNullable<Handlers['elicit']>;
type Content = NonNullable<Awaited<ReturnType<Elicit>>['content']>;

/** Nothing if there is nobody to ask and no answer is given: then the server is told that it cannot ask. */
export function createElicit(io: Io, given: readonly string[], stop: AbortSignal): Elicit | undefined {
  const answers = readArguments(undefined, given);
  const interactive = (io.stdin as NodeJS.ReadStream).isTTY === true;
  if (!interactive && given.length === 0) return undefined;
  return async (params, asked) => {
    const signal = AbortSignal.any([asked, stop]);
    // Progress may stand on the line, without an end.
    if (process.stderr.isTTY) io.err('\r\x1b[K');
    if (params.mode === 'url') {
      io.err(`${printable(params.message)}\n  ${printable(params.url)}\n`);
      const agreed = interactive && (await ask(io, 'Have you opened it? (y/n)', signal)) === 'y';
      return { action: agreed ? 'accept' : 'decline' };
    }
    const { properties } = params.requestedSchema;
    const known = Object.keys(properties).filter((name) => Object.hasOwn(answers, name));
    const content = Object.fromEntries(known.map((name) => [name, answers[name]]));
    if (!interactive || known.length > 0) return { action: 'accept', content: content as Content };
    io.err(`${printable(params.message)}\n`);
    const typed: [string, Json][] = [];
    for (const [name, schema] of Object.entries(properties)) {
      const text = await ask(io, question(name, schema as JsonObject), signal);
      if (text !== '') typed.push([name, typedValue(text, schema as JsonObject)]);
    }
    if ((await ask(io, 'Send this? (y/n)', signal)) !== 'y') return { action: 'decline' };
    return { action: 'accept', content: Object.fromEntries(typed) as Content };
  };
}

function question(name: string, schema: JsonObject): string {
  const about = schema.title ?? schema.description ?? name;
  const choices = Array.isArray(schema.enum) ? ` (${schema.enum.join(', ')})` : '';
  const normal = schema.default === undefined ? '' : ` [${JSON.stringify(schema.default)}]`;
  return printable(`${about}${choices}${normal}:`);
}

function typedValue(text: string, schema: JsonObject): Json {
  switch (isJsonObject(schema) ? schema.type : undefined) {
    case 'integer':
    case 'number':
      return Number(text);
    case 'boolean':
      return /^(y|yes|true)$/i.test(text);
    case 'array':
      return text.split(',').map((one) => one.trim());
    default:
      return text;
  }
}

async function ask(io: Io, text: string, signal: AbortSignal): Promise<string> {
  const lines = createInterface({ input: io.stdin, output: process.stderr });
  // Here the terminal does not make an interrupt of Ctrl-C, as it does while nothing is typed.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await lines.question(`  ${text} `, { signal })).trim();
  } finally {
    lines.close();
  }
}
