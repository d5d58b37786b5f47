// From argv to a command and its flags. Strict: an unknown command or flag, a missing value or a value too many is one
// clear usage error with the nearest match. Nothing is run and nothing is printed here.

import { parseArgs } from 'node:util';
import { WitboxError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Command, Flag, Input } from './command.ts';
import type { Entry } from './commands.ts';

export type Request =
  | { readonly kind: 'version' }
  | { readonly kind: 'help'; readonly topic: string }
  | { readonly kind: 'run'; readonly entry: Entry; readonly rest: readonly string[] };

/** Flags of every command, and of none. */
export const COMMON: Readonly<Record<'help' | 'version', Flag>> = {
  help: { type: 'boolean', short: 'h', summary: 'Show this help' },
  version: { type: 'boolean', short: 'V', summary: 'Show the version' },
};

export function readRequest(argv: readonly string[], table: readonly Entry[]): Request {
  const words = leadingWords(argv);
  const asked = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (asked.includes('--help') || asked.includes('-h')) return { kind: 'help', topic: topicOf(words, table) };
  const first = words[0];
  if (first === undefined) {
    if (argv[0] === undefined) return { kind: 'help', topic: '' };
    if (argv[0] === '--version' || argv[0] === '-V') return { kind: 'version' };
    throw usage(`Unknown flag "${argv[0]}"`, nearest(argv[0], ['--help', '--version']), '');
  }
  if (first === 'help') return { kind: 'help', topic: topicOf(words.slice(1), table) };
  const entry = entryOf(words, table);
  if (entry) return { kind: 'run', entry, rest: argv.slice(entry.name.split(' ').length) };
  throw unknownCommand(words, table);
}

function leadingWords(argv: readonly string[]): string[] {
  const end = argv.findIndex((word) => word.startsWith('-'));
  return argv.slice(0, end === -1 ? argv.length : end);
}

function entryOf(words: readonly string[], table: readonly Entry[]): Entry | undefined {
  for (let count = words.length; count > 0; count--) {
    const entry = table.find(({ name }) => name === words.slice(0, count).join(' '));
    if (entry) return entry;
  }
  return undefined;
}

/** The command, or the group of commands such as `component`, that the words name; anything else is the whole table. */
function topicOf(words: readonly string[], table: readonly Entry[]): string {
  const entry = entryOf(words, table);
  if (entry) return entry.name;
  const group = table.some(({ name }) => name.startsWith(`${words[0]} `)) ? words[0]! : '';
  if (group === '' && words.length > 0) throw unknownCommand(words, table);
  return group;
}

function unknownCommand(words: readonly string[], table: readonly Entry[]): WitboxError {
  const group = table.filter(({ name }) => name.startsWith(`${words[0]} `));
  if (group.length > 0) {
    const known = group.map(({ name }) => name.slice(words[0]!.length + 1));
    if (words[1] === undefined) {
      return usage(`"${words[0]}" needs a command: ${known.join(', ')}`, null, words[0]!);
    }
    const near = nearest(words[1], known);
    return usage(`Unknown command "${words[0]} ${words[1]}"`, near && `${words[0]} ${near}`, words[0]!);
  }
  const known = table.flatMap(({ name }) => [name, name.split(' ')[0]!]);
  return usage(
    `Unknown command "${words[0]}"`,
    nearest(words.slice(0, 2).join(' '), known) ?? nearest(words[0]!, known),
    '',
  );
}

/** The flags and arguments after a command's name. */
export function readInput(entry: Entry, command: Command, rest: readonly string[]): Input<Command['flags']> {
  const flags: Readonly<Record<string, Flag>> = { ...command.flags, ...COMMON };
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type, short, multiple }]) => [
      name,
      { type, ...(short && { short }), ...(multiple && { multiple }) },
    ]),
  );
  const parsed = parseArgs({ args: [...rest], options, strict: false, allowPositionals: true, tokens: true });
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue;
    const flag = Object.hasOwn(flags, token.name) ? flags[token.name]! : undefined;
    if (!flag) {
      const near = nearest(token.name, Object.keys(flags));
      throw usage(`Unknown flag "${token.rawName}"`, near && `--${near}`, entry.name);
    }
    if (flag.type === 'string' && !token.value) {
      throw usage(
        `Flag "${token.rawName}" needs a value${flag.value ? `: ${flag.value}` : ''}`,
        null,
        entry.name,
      );
    }
    if (flag.type === 'boolean' && token.value !== undefined) {
      throw usage(`Flag "${token.rawName}" takes no value, got "${token.value}"`, null, entry.name);
    }
  }
  const [least, most] = command.arity;
  const [args, program] = splitWords(parsed.tokens, command.takesProgram === true);
  if (args.length < least) throw usage(`Missing argument: ${command.args}`, null, entry.name);
  if (args.length > most) throw usage(`Unexpected argument "${args[most]}"`, null, entry.name);
  return { args, program, flags: parsed.values as Input<Command['flags']>['flags'] };
}

function splitWords(
  tokens: readonly { readonly kind: string; readonly index: number; readonly value?: string | undefined }[],
  takesProgram: boolean,
): [args: string[], program: string[]] {
  const end = takesProgram ? tokens.find(({ kind }) => kind === 'option-terminator') : undefined;
  const words = tokens.filter(({ kind }) => kind === 'positional');
  const until = end?.index ?? Number.POSITIVE_INFINITY;
  const [args, program] = [
    words.filter((one) => one.index < until),
    words.filter((one) => one.index > until),
  ];
  return [args.map(({ value }) => value!), program.map(({ value }) => value!)];
}

function usage(problem: string, near: string | null, topic: string): WitboxError {
  const hint = near === null ? '' : ` (did you mean "${near}"?)`;
  return new WitboxError('usage', {
    problem: `${problem}${hint}`,
    help: `witbox ${topic ? `${topic} ` : ''}--help`,
  });
}
