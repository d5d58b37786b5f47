// Help as text: of everything, of a group of commands, of one command.

import type { Command, Flag } from './command.ts';
import type { Entry } from './commands.ts';
import { COMMON } from './parse.ts';

export function groupHelp(topic: string, table: readonly Entry[]): string {
  const shown = topic === '' ? table : table.filter(({ name }) => name.startsWith(`${topic} `));
  return [
    'Run WebAssembly components as MCP tools, in a sandbox that grants nothing by default',
    '',
    `Usage: witbox ${topic === '' ? 'COMMAND' : `${topic} COMMAND`} [FLAGS]`,
    '',
    'Commands',
    ...columns(shown.map(({ name, summary }) => [name, summary])),
    '',
    'Flags',
    ...columns(flagRows(COMMON)),
    '',
    `witbox ${topic === '' ? '' : `${topic} `}COMMAND --help says more about one`,
    '',
  ].join('\n');
}

export function commandHelp({ name, summary }: Entry, command: Command): string {
  return [
    summary,
    '',
    `Usage: witbox ${[name, command.args, '[FLAGS]'].filter(Boolean).join(' ')}`,
    '',
    ...(command.help ? [command.help.trim(), ''] : []),
    'Flags',
    ...columns(flagRows({ ...command.flags, help: COMMON.help })),
    '',
  ].join('\n');
}

function flagRows(flags: Readonly<Record<string, Flag>>): [string, string][] {
  return Object.entries(flags).map(([name, { short, type, value, summary, multiple }]) => {
    const long = `--${name}${type === 'string' ? ` ${value ?? 'VALUE'}` : ''}${multiple ? ' …' : ''}`;
    return [short ? `-${short}, ${long}` : `    ${long}`, summary];
  });
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
