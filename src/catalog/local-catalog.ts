// The catalogue that Witbox serves: loaded components and built-in tools behind the one interface that server/ knows.

import { WitboxError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { describe } from '../core/json-schema/fault.ts';
import type { Schema } from '../core/json-schema/references.ts';
import { createValidator, type Validate } from '../core/json-schema/validate.ts';
import type { Tool } from '../core/mcp.ts';
import type { Catalog, CatalogChange, Listing, ToolComplete } from './catalog.ts';
import type { Components } from './components.ts';
import {
  type BuiltinTool,
  type ManagementDeps,
  type ManagementOptions,
  managementTools,
} from './management.ts';
import { completeComponentId, getPrompt, PROMPTS } from './prompts.ts';
import { listResources, RESOURCE_TEMPLATES, readResource, resourceUri } from './resources.ts';
import { nameTools, type ToolNames } from './tool-names.ts';

export interface CatalogDeps extends ManagementDeps {
  /** Settles when everything that is to be there from the start is loaded. */
  readonly ready: Promise<void>;
}

export function createLocalCatalog(deps: CatalogDeps, options: ManagementOptions): Catalog {
  const { components } = deps;
  const builtins = new Map(managementTools(deps, options).map((one) => [one.tool.name, withCheck(one)]));
  const reserved = new Set(builtins.keys());
  let version = 0;
  let names: ToolNames = nameTools(components.list(), reserved);
  let tools: Listing<Tool> = listTools();

  function listTools(): Listing<Tool> {
    const own = [...builtins.values()].map(({ tool }) => tool);
    return {
      version: String(version),
      items: [...own, ...names.shown.map(({ name, tool }) => ({ ...tool.tool, name }))],
    };
  }

  components.watch((change) => {
    if (change.kind !== 'list') return;
    version++;
    names = nameTools(components.list(), reserved);
    tools = listTools();
  });

  return {
    ready: () => deps.ready,
    tools: () => tools,
    tool(_caller, name) {
      const found = names.find(name);
      return (
        builtins.get(name)?.tool ??
        (found === undefined ? undefined : { ...found.tool.tool, name: found.name })
      );
    },
    async callTool({ name, arguments: args }, context) {
      const builtin = builtins.get(name);
      if (builtin !== undefined) return runBuiltin(builtin, args);
      const found = names.find(name);
      if (found === undefined) throw new WitboxError('unknown-tool', { name });
      return found.tool.call(args, context, found.name);
    },
    resources: () => ({ version: String(version), items: listResources(components) }),
    resourceTemplates: () => ({ version: 'templates', items: RESOURCE_TEMPLATES }),
    readResource: async ({ uri }) => ({ kind: 'complete', contents: [readResource(components, uri)] }),
    prompts: () => ({ version: 'prompts', items: PROMPTS }),
    getPrompt: async ({ name, arguments: args }) => ({
      kind: 'complete',
      messages: getPrompt(components, name, args),
    }),
    async complete(reference, argument) {
      const byPrompt = reference.type === 'ref/prompt' && argument.name === 'component_id';
      const byTemplate = reference.type === 'ref/resource' && argument.name === 'id';
      return byPrompt || byTemplate ? completeComponentId(components, argument.value) : { values: [] };
    },
    watch(listener) {
      return components.watch((change) => {
        for (const told of changesFor(change)) listener(told);
      });
    },
  };
}

function changesFor(change: Parameters<Parameters<Components['watch']>[0]>[0]): CatalogChange[] {
  if (change.kind === 'list') return [{ kind: 'tools' }, { kind: 'resources' }];
  const views = change.kind === 'policy' ? ['policy', 'metadata'] : ['log', 'metadata'];
  return views.map((view) => ({ kind: 'resource', uri: resourceUri(change.id, view) }));
}

interface CheckedBuiltin extends BuiltinTool {
  readonly check: Validate;
}

const withCheck = (builtin: BuiltinTool): CheckedBuiltin => ({
  ...builtin,
  check: createValidator(builtin.tool.inputSchema as Schema),
});

async function runBuiltin(
  { check, run }: CheckedBuiltin,
  args: Parameters<BuiltinTool['run']>[0],
): Promise<ToolComplete> {
  const fault = check(args);
  if (fault !== null) return told(`Arguments do not fit: ${describe(fault)} (${fault.rule})`, true);
  try {
    const result = await run(args);
    return { ...told(JSON.stringify(result, null, 2)), structured: result as Json };
  } catch (error) {
    if (error instanceof WitboxError) return told(error.message, true);
    throw error;
  }
}

function told(text: string, isError = false): ToolComplete {
  const content = [{ type: 'text', text } as const];
  return isError ? { kind: 'complete', content, isError } : { kind: 'complete', content };
}
