// `witbox component list`: what is in the data directory.

import type { StoredComponent } from '../../store/catalogue-file.ts';
import { defineCommand } from '../command.ts';
import { openStore, printJson, STORE_FLAGS } from '../open-store.ts';

export const componentList = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Shows the components in the data directory: id, size, digest, when and from where each was loaded.

  witbox component list
  witbox component list --json | jq -r '.[].id'
`,
  flags: STORE_FLAGS,
  async run({ flags }, io) {
    const components = openStore(flags['data-dir'], io).list();
    if (flags.json) printJson(io, components);
    else if (components.length === 0)
      io.out('No components are loaded. Load one: witbox component load FILE\n');
    else io.out(table(components));
  },
});

function table(components: readonly StoredComponent[]): string {
  const rows = components.map(({ id, size, digest, config, loadedAt, source }) => [
    id,
    `${(size / 1024).toFixed(1)} KiB`,
    digest.slice(0, 19),
    config.instance ?? 'call',
    loadedAt.slice(0, 16).replace('T', ' '),
    source,
  ]);
  const all = [['ID', 'SIZE', 'DIGEST', 'INSTANCE', 'LOADED', 'SOURCE'], ...rows];
  const widths = all[0]!.map((_, i) => Math.max(...all.map((row) => row[i]!.length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
