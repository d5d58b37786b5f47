// The catalogue that Witbox serves: loaded components and built-in tools behind the one interface that server/ knows.
// What belongs to a component is asked of it; what belongs to nobody is Witbox's own.

import { WitboxError } from '../core/errors.ts';
import type { Tool } from '../core/mcp.ts';
import { misfitResult, runBuiltin } from './builtin.ts';
import {
  BUILT_IN,
  type CallContext,
  type Catalog,
  type CatalogChange,
  type Listing,
  type Owner,
  type ResourceOutcome,
  type ResourceRead,
} from './catalog.ts';
import type { Component } from './component.ts';
import type { Components, ComponentsChange } from './components.ts';
import {
  type ManagementDeps,
  type ManagementOptions,
  managementNames,
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
  const builtins = new Map(managementTools(deps, options).map((one) => [one.tool.name, one]));
  // Also where they are switched off: nobody should mistake a component's tool for one of ours.
  const reserved = managementNames();
  let version = 0;
  let names: ToolNames = nameTools(components.list(), reserved);
  let tools: Listing<Tool> = listTools();

  function listTools(): Listing<Tool> {
    const own = [...builtins.values()].map(({ tool }) => tool);
    const shown = names.shown.map(({ name, tool }) => ({ ...tool.tool, name }));
    return { version: String(version), items: [...own, ...shown] };
  }

  /** Whoever was there first keeps a name; the others are not shown under it, since it does not lead to them. */
  function listing<T>(
    own: readonly T[],
    of: (component: Component) => readonly T[],
    keyOf: (item: T) => string,
  ): Listing<T> {
    const items = new Map<string, T>();
    for (const item of [...own, ...components.list().flatMap(of)])
      if (!items.has(keyOf(item))) items.set(keyOf(item), item);
    return { version: String(version), items: [...items.values()] };
  }

  components.watch((change) => {
    if (change.kind !== 'list' && change.kind !== 'resources') return;
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
    async callTool(call, context) {
      const builtin = builtins.get(call.name);
      if (builtin !== undefined) return runBuiltin(builtin, call.arguments);
      const found = names.find(call.name);
      if (found === undefined) throw new WitboxError('unknown-tool', { name: call.name });
      return misfitResult(found.tool.check, call.arguments) ?? found.tool.call(call, context, found.name);
    },
    resources: () =>
      listing(
        listResources(components),
        (one) => one.resources(),
        ({ uri }) => uri,
      ),
    resourceTemplates: () =>
      listing(
        RESOURCE_TEMPLATES,
        (one) => one.templates(),
        ({ uriTemplate }) => uriTemplate,
      ),
    readResource: async (read, context) =>
      (await readOwn(components, read, context)) ?? readBuiltin(components, read),
    prompts: () =>
      listing(
        PROMPTS,
        (one) => one.prompts(),
        ({ name }) => name,
      ),
    async getPrompt(get, context) {
      const owner = promptOwner(components, get.name);
      if (owner === undefined || PROMPTS.some(({ name }) => name === get.name)) {
        return { kind: 'complete', messages: getPrompt(components, get.name, get.arguments) };
      }
      const { invoke, mayAsk } = owner.invoker(context, `prompt ${get.name}`);
      return owner.facets.getPrompt(invoke, get, mayAsk);
    },
    async complete(reference, argument, known, context) {
      const key = reference.type === 'ref/prompt' ? reference.name : reference.uri;
      if (
        [
          ...PROMPTS.map(({ name }) => name),
          ...RESOURCE_TEMPLATES.map(({ uriTemplate }) => uriTemplate),
        ].includes(key)
      ) {
        const isId = argument.name === (reference.type === 'ref/prompt' ? 'component_id' : 'id');
        return isId ? completeComponentId(components, argument.value) : { values: [] };
      }
      const owner = components
        .list()
        .filter(({ spec }) => context.reaches?.(spec.id) ?? true)
        .find((one) =>
          reference.type === 'ref/prompt'
            ? one.prompts().some(({ name }) => name === key)
            : one.templates().some(({ uriTemplate }) => uriTemplate === key),
        );
      if (owner === undefined) return { values: [] };
      const { invoke } = owner.invoker(context, `completion ${key}`);
      return owner.facets.complete(invoke, reference, argument.name, argument.value, known);
    },
    owner(kind, key) {
      if (kind === 'tool') return builtins.has(key) ? BUILT_IN : ownerOf(names.find(key)?.component);
      if (kind === 'prompt') {
        return PROMPTS.some(({ name }) => name === key) ? BUILT_IN : ownerOf(promptOwner(components, key));
      }
      return isOwnUri(key) ? BUILT_IN : ownerOf(resourceOwners(components, key)[0]);
    },
    endSession(session) {
      for (const component of components.list()) component.endSession(session);
    },
    watch(listener) {
      return components.watch((change) => {
        for (const told of changesFor(change)) listener(told);
      });
    },
  };
}

function readBuiltin(components: Components, { uri }: ResourceRead): ResourceOutcome {
  return { kind: 'complete', contents: [readResource(components, uri)] };
}

/** Asks the component that lists the URI, or else those with a template that it begins like, the closest first. */
async function readOwn(
  components: Components,
  read: ResourceRead,
  context: CallContext,
): Promise<ResourceOutcome | null> {
  if (isOwnUri(read.uri)) return null;
  for (const component of resourceOwners(components, read.uri)) {
    if (context.reaches?.(component.spec.id) === false) continue;
    const { invoke } = component.invoker(context, `resource ${read.uri}`);
    const found = await component.facets.readResource(invoke, read);
    if (found !== null) return found;
  }
  return null;
}

const isOwnUri = (uri: string): boolean => /^component:/i.test(uri);

function ownerOf(component: Component | undefined): Owner | undefined {
  return component && { component: component.spec.id, digest: component.spec.digest };
}

function promptOwner(components: Components, name: string): Component | undefined {
  return components.list().find((one) => one.prompts().some((prompt) => prompt.name === name));
}

function resourceOwners(components: Components, uri: string): readonly Component[] {
  const listed = components.list().filter((one) => one.resources().some((resource) => resource.uri === uri));
  if (listed.length > 0) return listed;
  return components
    .list()
    .map((component) => ({ component, closeness: closeness(component, uri) }))
    .filter((one) => one.closeness >= 0)
    .sort((a, b) => b.closeness - a.closeness)
    .map(({ component }) => component);
}

/** How many characters of the URI stand in a template of the component; below zero if it has none for it. */
function closeness(component: Component, uri: string): number {
  return component.templates().reduce((most, { uriTemplate }) => {
    const beginning = uriTemplate.split('{', 1)[0]!;
    return uri.startsWith(beginning) ? Math.max(most, beginning.length) : most;
  }, -1);
}

function changesFor(change: ComponentsChange): CatalogChange[] {
  switch (change.kind) {
    case 'list':
      return [{ kind: 'tools' }, { kind: 'resources' }, { kind: 'prompts' }];
    case 'resources':
      return [{ kind: 'resources' }];
    case 'resource':
      return [change];
    default: {
      const views = change.kind === 'policy' ? ['policy', 'metadata'] : ['log', 'metadata'];
      return views.map((view) => ({ kind: 'resource', uri: resourceUri(change.id, view) }));
    }
  }
}
