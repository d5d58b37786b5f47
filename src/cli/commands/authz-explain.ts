// `witbox authz explain`: may this caller use that? Yes or no, the rule that says so and its line, and what arguments
// must satisfy besides.

import { relative } from 'node:path';
import { managementNames } from '../../catalog/management.ts';
import type { LoadedConfig } from '../../config/config.ts';
import type { Caller } from '../../core/caller.ts';
import { createAccess } from '../../gate/access/access.ts';
import type { Wanted } from '../../gate/access/wanted.ts';
import { defineCommand } from '../command.ts';
import { configFile, loadConfigFile } from '../config-file.ts';
import { accessMode } from '../exposure.ts';
import { openKeys } from '../open-keys.ts';
import { printJson, STORE_FLAGS } from '../open-store.ts';
import { parsePrincipal } from '../principal.ts';
import { printable } from '../printable.ts';

export const authzExplain = defineCommand({
  args: 'PRINCIPAL TOOL',
  arity: [2, 2],
  help: `
Answers whether a caller may use a tool, which access rule says so, and what the arguments must satisfy besides
the schema of the tool. The exit status is 0 for yes and 1 for no. In place of a tool there may be the URI of a
resource or, with --prompt, the name of a prompt. A key of the data directory brings its scopes and groups along.

  witbox authz explain key:ci fetch
  witbox authz explain subject:ada,group:admins,scope:tools delete_file --component files
  witbox authz explain anybody component://files/log
`,
  flags: {
    ...STORE_FLAGS,
    component: { type: 'string', value: 'ID', summary: 'The component that it belongs to' },
    prompt: { type: 'boolean', summary: 'It is a prompt' },
  },
  async run({ args: [principal = '', name = ''], flags }, io) {
    const file = configFile(flags.config, io);
    const { config, written } = await loadConfigFile(file);
    const caller = withKey(parsePrincipal(principal), () =>
      openKeys(flags['data-dir'] ?? config.dataDir, io),
    );
    const wanted = wantedBy(name, flags.component, flags.prompt === true);
    const view = createAccess(config.access, accessMode(config)).view(caller);
    const verdict = view.mayUse(wanted);
    const place = placeOf(file, written);
    const checks = wanted.kind === 'tool' || wanted.kind === 'management' ? view.argumentChecks(wanted) : [];
    const unsure = wanted.component === '' && view.rules.some((number) => isAboutComponents(config, number));
    if (flags.json) {
      printJson(io, {
        allowed: verdict.allowed,
        kind: wanted.kind,
        reason: verdict.reason,
        rule: verdict.rule,
        line: verdict.rule === null ? null : place(verdict.rule).line,
        rules: view.rules,
        arguments: checks.map(({ rule, tool, schema }) => ({ rule, line: place(rule).line, tool, schema })),
        componentNeeded: unsure,
      });
    } else {
      const where = verdict.rule === null ? '' : `  ${place(verdict.rule).text}`;
      io.out(printable(`${verdict.allowed ? 'yes' : 'no'}  ${verdict.reason}${where}\n`));
      for (const { rule, schema } of checks)
        io.out(printable(`arguments must satisfy, by rule ${rule}: ${JSON.stringify(schema)}\n`));
      if (unsure)
        io.out('Rules for this caller name components: give the one it belongs to with --component\n');
    }
    return verdict.allowed ? 0 : 1;
  },
});

function wantedBy(name: string, component: string | undefined, isPrompt: boolean): Wanted {
  if (isPrompt) return { kind: 'prompt', name, component: component ?? '' };
  if (managementNames().has(name) || /^component:/i.test(name)) {
    return { kind: 'management', name, component: 'witbox' };
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(name)) return { kind: 'resource', name, component: component ?? '' };
  const dot = name.indexOf('.');
  return { kind: 'tool', name, component: component ?? (dot < 0 ? '' : name.slice(0, dot)) };
}

function withKey(caller: Caller, open: () => ReturnType<typeof openKeys>): Caller {
  if (caller.kind !== 'key') return caller;
  const stored = open()
    .list()
    .find(({ name }) => name === caller.name);
  if (stored === undefined) return caller;
  return {
    ...caller,
    scopes: [...caller.scopes, ...stored.scopes],
    groups: [...caller.groups, ...stored.groups],
  };
}

function placeOf(file: string | null, written: LoadedConfig['written']) {
  return (rule: number): { readonly line: number | null; readonly text: string } => {
    // Every rule says whom it is about, mostly first.
    const line = written.get(`access.rules[${rule - 1}].who`)?.line ?? null;
    return { line, text: file === null || line === null ? '' : `(${relative(process.cwd(), file)}:${line})` };
  };
}

function isAboutComponents({ access }: LoadedConfig['config'], number: number): boolean {
  const rule = access?.rules[number - 1];
  return rule !== undefined && rule.allow.components.length + rule.deny.components.length > 0;
}
