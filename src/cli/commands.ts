// The table of commands: name, one line for the help, and where the command is. Adding one is a file in commands/ and
// a row here. Loaded only when asked for, so that `witbox --version` never waits for the engine.

import type { Command } from './command.ts';

export interface Entry {
  readonly name: string;
  readonly summary: string;
  load(): Promise<Command>;
}

export const COMMANDS: readonly Entry[] = [
  {
    name: 'serve',
    summary: 'Serve the tools of components over MCP',
    load: async () => (await import('./commands/serve.ts')).serve as Command,
  },
  {
    name: 'component inspect',
    summary: 'Show what a component or core module offers and asks for',
    load: async () => (await import('./commands/component-inspect.ts')).componentInspect as Command,
  },
  {
    name: 'component load',
    summary: 'Keep a component in the data directory, so that it is served',
    load: async () => (await import('./commands/component-load.ts')).componentLoad as Command,
  },
  {
    name: 'component unload',
    summary: 'Forget a component and what was granted to it',
    load: async () => (await import('./commands/component-unload.ts')).componentUnload as Command,
  },
  {
    name: 'component list',
    summary: 'Show the components in the data directory',
    load: async () => (await import('./commands/component-list.ts')).componentList as Command,
  },
  {
    name: 'permission grant',
    summary: 'Grant one thing to a component',
    load: async () => (await import('./commands/permission-grant.ts')).permissionGrant as Command,
  },
  {
    name: 'permission revoke',
    summary: 'Take back one thing from a component',
    load: async () => (await import('./commands/permission-revoke.ts')).permissionRevoke as Command,
  },
  {
    name: 'permission reset',
    summary: 'Take back everything from a component',
    load: async () => (await import('./commands/permission-reset.ts')).permissionReset as Command,
  },
  {
    name: 'policy get',
    summary: 'Show the policy of a component',
    load: async () => (await import('./commands/policy-get.ts')).policyGet as Command,
  },
  {
    name: 'policy set',
    summary: 'Replace the policy of a component by a document',
    load: async () => (await import('./commands/policy-set.ts')).policySet as Command,
  },
  {
    name: 'policy explain',
    summary: 'Say whether a component may do something, and by which rule',
    load: async () => (await import('./commands/policy-explain.ts')).policyExplain as Command,
  },
  {
    name: 'policy learn',
    summary: 'Print the smallest policy that would let a call pass',
    load: async () => (await import('./commands/policy-learn.ts')).policyLearn as Command,
  },
  {
    name: 'secret set',
    summary: 'Keep a secret for a component, encrypted',
    load: async () => (await import('./commands/secret-set.ts')).secretSet as Command,
  },
  {
    name: 'secret list',
    summary: 'Show which secrets are kept, never their values',
    load: async () => (await import('./commands/secret-list.ts')).secretList as Command,
  },
  {
    name: 'secret delete',
    summary: 'Forget a secret of a component',
    load: async () => (await import('./commands/secret-delete.ts')).secretDelete as Command,
  },
  {
    name: 'secret rekey',
    summary: 'Encrypt all secrets with another key',
    load: async () => (await import('./commands/secret-rekey.ts')).secretRekey as Command,
  },
  {
    name: 'key create',
    summary: 'Make an API key and show it once',
    load: async () => (await import('./commands/key-create.ts')).keyCreate as Command,
  },
  {
    name: 'key list',
    summary: 'Show the API keys, without what opens anything',
    load: async () => (await import('./commands/key-list.ts')).keyList as Command,
  },
  {
    name: 'key revoke',
    summary: 'End an API key, at once and for good',
    load: async () => (await import('./commands/key-revoke.ts')).keyRevoke as Command,
  },
  {
    name: 'authz explain',
    summary: 'Say whether a caller may use a tool, and by which rule',
    load: async () => (await import('./commands/authz-explain.ts')).authzExplain as Command,
  },
  {
    name: 'tool list',
    summary: 'Show the tools of components, or of a server',
    load: async () => (await import('./commands/tool-list.ts')).toolList as Command,
  },
  {
    name: 'tool call',
    summary: 'Call a tool in a cell, or of a server',
    load: async () => (await import('./commands/tool-call.ts')).toolCall as Command,
  },
  {
    name: 'resource list',
    summary: 'Show the resources of a server',
    load: async () => (await import('./commands/resource-list.ts')).resourceList as Command,
  },
  {
    name: 'resource read',
    summary: 'Read a resource of a server',
    load: async () => (await import('./commands/resource-read.ts')).resourceRead as Command,
  },
  {
    name: 'prompt list',
    summary: 'Show the prompts of a server',
    load: async () => (await import('./commands/prompt-list.ts')).promptList as Command,
  },
  {
    name: 'prompt get',
    summary: 'Get a prompt of a server',
    load: async () => (await import('./commands/prompt-get.ts')).promptGet as Command,
  },
  {
    name: 'config check',
    summary: 'Say every problem of a configuration file',
    load: async () => (await import('./commands/config-check.ts')).configCheck as Command,
  },
  {
    name: 'config show',
    summary: 'Show the whole configuration, defaults included',
    load: async () => (await import('./commands/config-show.ts')).configShow as Command,
  },
  {
    name: 'config reload',
    summary: 'Tell running servers to read their configuration again',
    load: async () => (await import('./commands/config-reload.ts')).configReload as Command,
  },
  {
    name: 'check',
    summary: 'Check the compliance of any MCP server',
    load: async () => (await import('./commands/check.ts')).check as Command,
  },
  {
    name: 'audit verify',
    summary: 'Find what was changed, removed or moved in the audit log',
    load: async () => (await import('./commands/audit-verify.ts')).auditVerify as Command,
  },
  {
    name: 'audit tail',
    summary: 'Show the last lines of the audit log',
    load: async () => (await import('./commands/audit-tail.ts')).auditTail as Command,
  },
  {
    name: 'audit query',
    summary: 'Find lines of the audit log by caller, tool, outcome and time',
    load: async () => (await import('./commands/audit-query.ts')).auditQuery as Command,
  },
  {
    name: 'doctor',
    summary: 'Say what protects this machine from components, found by trying',
    load: async () => (await import('./commands/doctor.ts')).doctor as Command,
  },
];
