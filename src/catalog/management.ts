// The built-in tools that manage components. Those that widen what a component may do are off unless an operator
// switches them on: a model must not open its own sandbox by default. Each changes the data directory and nothing else.

import { WitboxError } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { grantPermission, resetPermissions, revokePermission } from '../policy/edit.ts';
import { checkGrant, type Grant, type GrantKind } from '../policy/grant.ts';
import type { Access } from '../policy/policy.ts';
import { fetchComponent } from '../store/source/source.ts';
import type { Store } from '../store/store.ts';
import type { BuiltinTool } from './builtin.ts';
import { describeComponent, shownSource } from './component-facts.ts';
import type { Components } from './components.ts';

export interface ManagementDeps {
  readonly store: Store;
  readonly components: Components;
  /** What relative paths are relative to. */
  readonly directory: string;
}

export interface ManagementOptions {
  readonly manage: boolean;
  readonly grant: boolean;
}

const string = (description: string): JsonObject => ({ type: 'string', description, minLength: 1 });
const componentId = string('Id of the component, as list-components shows it');

function schema(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Names of all built-in tools, switched on or not: they do not depend on what is managed. */
export function managementNames(): ReadonlySet<string> {
  const tools = managementTools({} as ManagementDeps, { manage: true, grant: true });
  return new Set(tools.map(({ tool }) => tool.name));
}

export function managementTools(deps: ManagementDeps, options: ManagementOptions): readonly BuiltinTool[] {
  return [...(options.manage ? manageTools(deps) : []), ...(options.grant ? grantTools(deps) : [])];
}

function manageTools({ store, components, directory }: ManagementDeps): BuiltinTool[] {
  const readOnly = { readOnlyHint: true, openWorldHint: false };
  return [
    {
      tool: {
        name: 'load-component',
        title: 'Load component',
        description:
          'Loads a WebAssembly component or core module from a path or an https: address. It is granted nothing.',
        inputSchema: schema(
          { path: string('Path or https: address of the .wasm file'), id: string('Id to give it') },
          ['path'],
        ),
      },
      async run(args) {
        const fetched = await fetchComponent(String(args.path), { directory });
        await components.probe(fetched);
        const stored = await store.load(fetched, args.id === undefined ? {} : { id: String(args.id) });
        await components.reconcile();
        // It can be loaded once and refuse the second time.
        const problem = components.problems().get(stored.id);
        if (problem !== undefined) throw new WitboxError('component-unusable', { id: stored.id, problem });
        const tools = components.get(stored.id)?.tools() ?? [];
        return { status: 'loaded', id: stored.id, tools: tools.map(({ wanted }) => wanted) };
      },
    },
    {
      tool: {
        name: 'unload-component',
        title: 'Unload component',
        description: 'Removes a component and its permissions from the data directory',
        inputSchema: schema({ id: componentId }, ['id']),
        annotations: { destructiveHint: true },
      },
      async run(args) {
        const { id } = await store.unload(String(args.id));
        await components.reconcile();
        return { status: 'unloaded', id };
      },
    },
    {
      tool: {
        name: 'list-components',
        title: 'List components',
        description: 'Lists the loaded components with their tools',
        inputSchema: schema({}, []),
        annotations: readOnly,
      },
      run: async () => ({ components: components.list().map(describeComponent) }),
    },
    {
      tool: {
        name: 'search-components',
        title: 'Search components',
        description: 'Finds components in the data directory by id, source or tool name',
        inputSchema: schema(
          { query: { type: 'string', description: 'Words to look for; all if left out' } },
          [],
        ),
        annotations: readOnly,
      },
      async run(args) {
        const words = String(args.query ?? '')
          .toLowerCase()
          .split(/\s+/)
          .filter(Boolean);
        const found = store.list().filter(({ id, source }) => {
          const tools =
            components
              .get(id)
              ?.tools()
              .map(({ wanted }) => wanted) ?? [];
          const text = [id, shownSource(source), ...tools].join('\n').toLowerCase();
          return words.every((word) => text.includes(word));
        });
        return {
          components: found.map(({ id, source, digest, size }) => ({
            id,
            source: shownSource(source),
            digest,
            size,
            loaded: components.get(id) !== undefined,
          })),
        };
      },
    },
    {
      tool: {
        name: 'get-policy',
        title: 'Get policy',
        description: 'Shows what a component is permitted to do',
        inputSchema: schema({ component_id: componentId }, ['component_id']),
        annotations: readOnly,
      },
      async run(args) {
        const id = String(args.component_id);
        const component = components.get(id);
        if (component === undefined) throw new WitboxError('component-unknown', { id });
        return { component_id: id, policy: component.spec.policyText() };
      },
    },
  ];
}

interface GrantRow {
  readonly kind: GrantKind;
  /** As the tools are named. */
  readonly noun: string;
  readonly details: JsonObject;
  readonly key: string;
}

const GRANTS: readonly GrantRow[] = [
  {
    kind: 'storage',
    noun: 'storage',
    key: 'uri',
    details: {
      uri: string('fs:// address of a folder or file, with * and ** as wildcards'),
      access: { type: 'array', items: { enum: ['read', 'write'] }, minItems: 1, uniqueItems: true },
    },
  },
  {
    kind: 'network',
    noun: 'network',
    key: 'host',
    details: { host: string('Host, *.domain, host:port or address block') },
  },
  {
    kind: 'environment',
    noun: 'environment-variable',
    key: 'key',
    details: { key: string('Name of the variable') },
  },
  { kind: 'memory', noun: 'memory', key: 'limit', details: { limit: string('Size such as 512Mi') } },
];

function grantTools({ store, components }: ManagementDeps): BuiltinTool[] {
  const change = async (id: string, edit: (text: string) => string): Promise<Json> => {
    await store.changePolicy(id, edit);
    await components.reconcile();
    return { status: 'changed', component_id: id, policy: store.policyText(id) };
  };
  const grants = GRANTS.map(
    ({ kind, noun, details, key }): BuiltinTool => ({
      tool: {
        name: `grant-${noun}-permission`,
        description: `Grants a component ${noun.replace('-', ' ')}`,
        inputSchema: schema({ component_id: componentId, details: schema(details, Object.keys(details)) }, [
          'component_id',
          'details',
        ]),
      },
      run(args) {
        const given = args.details as JsonObject;
        const grant: Grant = {
          kind,
          value: String(given[key]),
          ...(kind === 'storage' ? { access: given.access as readonly Access[] } : {}),
        };
        checkGrant(grant);
        return change(String(args.component_id), (text) => grantPermission(text, grant));
      },
    }),
  );
  const revokes = GRANTS.map(({ kind, noun, details, key }): BuiltinTool => {
    const only = kind === 'memory' ? {} : { [key]: details[key]! };
    return {
      tool: {
        name: `revoke-${noun}-permission`,
        description: `Takes ${noun.replace('-', ' ')} permission back from a component`,
        inputSchema: schema({ component_id: componentId, details: schema(only, Object.keys(only)) }, [
          'component_id',
          'details',
        ]),
      },
      run(args) {
        const value = (args.details as JsonObject)[key];
        return change(String(args.component_id), (text) =>
          revokePermission(text, { kind, ...(value === undefined ? {} : { value: String(value) }) }),
        );
      },
    };
  });
  const reset: BuiltinTool = {
    tool: {
      name: 'reset-permission',
      description: 'Takes all permissions back from a component',
      inputSchema: schema({ component_id: componentId }, ['component_id']),
      annotations: { destructiveHint: true },
    },
    run: (args) => change(String(args.component_id), (text) => resetPermissions(text)),
  };
  return [...grants, ...revokes, reset];
}
