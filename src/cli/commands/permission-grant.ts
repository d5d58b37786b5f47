// `witbox permission grant`: adds one rule or limit to a component's policy. In force from the next call on.

import { grantPermission } from '../../policy/edit.ts';
import { isLimitName } from '../../policy/grant.ts';
import { defineCommand } from '../command.ts';
import { readAccess, readGrant, readKind, readUse } from '../grant-value.ts';
import { openStore, printJson, STORE_FLAGS } from '../open-store.ts';

const HELP = 'witbox permission grant --help';

export const permissionGrant = defineCommand({
  args: 'COMPONENT KIND VALUE',
  arity: [3, 3],
  help: `
Grants one thing to a component. KIND is storage, network, secret, environment, config, keyvalue or mcp; or a
limit: memory, time, cpu or output. A server that is running heeds it from the next call on.

  witbox permission grant weather network api.example.com
  witbox permission grant weather network https://api.example.com:8443
  witbox permission grant weather network 10.0.0.0/8
  witbox permission grant notes storage ./notes --access read,write
  witbox permission grant notes storage 'fs:///srv/notes/*.md'
  witbox permission grant weather environment API_KEY
  witbox permission grant weather secret API_KEY --host api.example.com --header X-Api-Key
  witbox permission grant weather memory 512Mi
  witbox permission grant weather time 10s
`,
  flags: {
    access: {
      type: 'string',
      value: 'ACCESS',
      summary: 'For storage: read, write or read,write; read if left out',
    },
    host: {
      type: 'string',
      value: 'HOST',
      summary: 'For a secret: [scheme://]host[:port] to send it to; https if not said',
    },
    header: { type: 'string', value: 'NAME', summary: 'For a secret: the header that it is sent in' },
    query: { type: 'string', value: 'NAME', summary: 'For a secret: the parameter that it is sent in' },
    value: {
      type: 'string',
      value: 'TEXT',
      summary: "For a secret: what is sent, with '{secret}' in its place",
    },
    ...STORE_FLAGS,
  },
  async run({ args: [id = '', kindText = '', value = ''], flags }, io) {
    const kind = readKind(kindText, HELP);
    const access = readAccess(flags.access ?? 'read', HELP);
    const store = openStore(flags['data-dir'], io);
    store.get(id);
    const grant = readGrant(kind, value, access, process.cwd(), readUse(flags));
    let changed = false;
    await store.changePolicy(id, (text) => {
      const next = grantPermission(text, grant);
      changed = next !== text;
      return next;
    });
    if (flags.json) {
      printJson(io, { component: id, ...grant, changed });
      return;
    }
    const what = kind === 'storage' ? `${grant.value} (${access.join(', ')})` : grant.value;
    const verb = isLimitName(kind) ? 'Set' : 'Granted';
    io.out(
      changed
        ? `${verb} ${kind} ${what} for "${id}"\n`
        : `Nothing to do: "${id}" has ${kind} ${what} already\n`,
    );
  },
});
