// `witbox key list`: the API keys of the data directory, without what would open anything.

import type { StoredKey } from '../../store/keys-file.ts';
import { defineCommand } from '../command.ts';
import { openKeys } from '../open-keys.ts';
import { printJson, STORE_FLAGS } from '../open-store.ts';

export const keyList = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Shows the API keys: name, last four characters, scopes, groups, when each was made and when it ends.

  witbox key list
  witbox key list --json | jq -r '.[] | select(.expired) | .name'
`,
  flags: STORE_FLAGS,
  run({ flags }, io) {
    const keys = openKeys(flags['data-dir'], io).list();
    const shown = keys.map((key) => view(key, Date.now()));
    if (flags.json) printJson(io, shown);
    else if (shown.length === 0) io.out('There are no keys. Make one: witbox key create NAME\n');
    else io.out(table(shown));
    return undefined;
  },
});

interface KeyView extends Pick<StoredKey, 'name' | 'scopes' | 'groups' | 'createdAt' | 'expiresAt'> {
  readonly ends: string;
  readonly expired: boolean;
}

function view({ name, lastFour, scopes, groups, createdAt, expiresAt }: StoredKey, now: number): KeyView {
  const expired = expiresAt !== null && Date.parse(expiresAt) <= now;
  return { name, ends: lastFour, scopes, groups, createdAt, expiresAt, expired };
}

function table(keys: readonly KeyView[]): string {
  const rows = keys.map(({ name, ends, scopes, groups, createdAt, expiresAt, expired }) => [
    name,
    `…${ends}`,
    scopes.join(' ') || '-',
    groups.join(' ') || '-',
    minute(createdAt),
    expiresAt === null ? 'never' : `${minute(expiresAt)}${expired ? ' (over)' : ''}`,
  ]);
  const all = [['NAME', 'KEY', 'SCOPES', 'GROUPS', 'CREATED', 'EXPIRES'], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ');
  return all.map((row) => `${line(row).trimEnd()}\n`).join('');
}

function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
