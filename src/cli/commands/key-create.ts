// `witbox key create`: a new API key. Its text is printed once; what is kept is a salted hash.

import { WitboxError } from '../../core/errors.ts';
import { defineCommand } from '../command.ts';
import { openKeys } from '../open-keys.ts';
import { printJson, STORE_FLAGS } from '../open-store.ts';

export const keyCreate = defineCommand({
  args: 'NAME',
  arity: [1, 1],
  help: `
Makes an API key for a server that asks who is calling, and prints it: once, since only a salted hash is kept. Clients
send it as "Authorization: Bearer …" or "X-API-Key: …". A server that is running takes it at once. What its holder may
do is for the rules of witbox.yaml, which can name the key, its scopes and its groups.

  witbox key create ci
  witbox key create ada --group admins --expires 90d
  witbox key create reports --scope tools:read --json | jq -r .key
`,
  flags: {
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      summary: 'What the key is for, as rules name it',
    },
    group: { type: 'string', multiple: true, value: 'GROUP', summary: 'A group that its holder is in' },
    expires: {
      type: 'string',
      value: 'TIME',
      summary: 'When it ends: 12h, 90d, or a date such as 2030-01-31',
    },
    ...STORE_FLAGS,
  },
  async run({ args: [name = ''], flags }, io) {
    const expiresAt = flags.expires === undefined ? null : readExpiry(flags.expires, new Date());
    const { text, key } = await openKeys(flags['data-dir'], io).create({
      name,
      scopes: flags.scope ?? [],
      groups: flags.group ?? [],
      expiresAt,
    });
    if (flags.json) {
      const { scopes, groups, createdAt } = key;
      printJson(io, { name, key: text, scopes, groups, createdAt, expiresAt: key.expiresAt });
      return;
    }
    // Alone on standard output, so that it can be piped to where it belongs.
    io.out(`${text}\n`);
    io.err(
      `Key "${name}" ${key.expiresAt ? `until ${key.expiresAt}` : 'without an end'}. It is shown this once.\n`,
    );
  },
});

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, y: 31_536_000_000 };

function readExpiry(text: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d{1,6})([mhdy])$/.exec(text) ?? [];
  const isDate = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text);
  const time =
    count === undefined
      ? isDate
        ? Date.parse(text)
        : Number.NaN
      : now.getTime() + Number(count) * UNITS[unit]!;
  // Later ones have no four digits for their year.
  if (time > now.getTime() && time < Date.UTC(9999, 0)) return new Date(time);
  const expected = 'a time to come, such as 12h, 90d or 2030-01-31';
  throw new WitboxError('flag-invalid', { flag: '--expires', value: text, expected });
}
