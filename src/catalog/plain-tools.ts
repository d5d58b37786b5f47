// The plain functions of a component as tools: names, words and schemas from the binary, with the sidecar's over them.

import type { Description } from '../cell/description.ts';
import type { JsonObject } from '../core/json.ts';
import type { Tool } from '../core/mcp.ts';
import { parsePackageDocs, type ToolDocs } from '../wit/docs.ts';
import { type Leftover, listTools, type Tool as WitTool } from '../wit/tools.ts';
import type { ComponentType, ExternType } from '../wit/type.ts';
import type { ComponentSpec } from './component.ts';
import { isMcpExport } from './mcp/facets.ts';
import { parseSidecar, type ToolSidecar } from './sidecar.ts';

export interface PlainTool {
  readonly tool: WitTool;
  readonly shown: Tool;
  /** The sidecar has a schema of its own, which must be kept besides the types. */
  readonly overridden: boolean;
  /** It has a schema of its own for results, likewise. */
  readonly promises: boolean;
}

export function plainTools(
  spec: ComponentSpec,
  description: Description,
): { readonly tools: readonly PlainTool[]; readonly leftovers: readonly Leftover[] } {
  const sidecar =
    spec.sidecar === undefined
      ? new Map<string, ToolSidecar>()
      : parseSidecar(spec.sidecar, `${spec.id}.tools.yaml`);
  const entryFor = (path: readonly string[]): ToolSidecar | undefined =>
    sidecar.get(path.join('/')) ?? sidecar.get(path.at(-1)!);
  const section = description.sections.get('package-docs');
  const listed = listTools(worldOf(description), {
    docs: section === undefined ? null : parsePackageDocs(section),
    override: (path) => docsOf(entryFor(path)),
  });
  const tools = listed.tools
    .filter((tool) => !entryFor(tool.path)?.hidden && (!tool.stateful || spec.instance === 'session'))
    .map((tool) => {
      const entry = entryFor(tool.path);
      return {
        tool,
        shown: shownTool(tool, entry),
        overridden: entry?.inputSchema !== undefined,
        promises: entry?.outputSchema !== undefined,
      };
    });
  const stateful = listed.tools.filter((tool) => tool.stateful && spec.instance !== 'session');
  const leftovers = [
    ...listed.leftovers,
    ...stateful.map(({ path }) => ({
      path,
      reason: 'gives or takes handles: load it with instance: session',
    })),
  ];
  return { tools, leftovers };
}

function docsOf(entry: ToolSidecar | undefined): ToolDocs | undefined {
  if (entry === undefined) return undefined;
  return {
    ...(entry.title === undefined ? {} : { title: entry.title }),
    ...(entry.description === undefined ? {} : { description: entry.description }),
    ...(entry.params === undefined ? {} : { params: new Map(Object.entries(entry.params)) }),
  };
}

function shownTool(tool: WitTool, entry: ToolSidecar | undefined): Tool {
  const output = entry?.outputSchema ?? tool.outputSchema;
  return {
    name: entry?.name ?? tool.name,
    ...(tool.docs.title === undefined ? {} : { title: tool.docs.title }),
    ...(tool.docs.description === undefined ? {} : { description: tool.docs.description }),
    inputSchema: (entry?.inputSchema ?? tool.inputSchema) as JsonObject,
    ...(output === null ? {} : { outputSchema: output as JsonObject }),
    ...(entry?.annotations === undefined ? {} : { annotations: entry.annotations }),
    ...(entry?.task === undefined ? {} : { task: { support: entry.task, begins: 'call' } }),
  };
}

/** The exports as a world, for those who read types: a cell tells functions only. */
function worldOf({ functions }: Description): ComponentType {
  const exports = new Map<string, ExternType>();
  for (const { path, type } of functions) {
    if (isMcpExport(path)) continue;
    const func: ExternType = { kind: 'func', type };
    if (path.length === 1) exports.set(path[0]!, func);
    else {
      const outer = exports.get(path[0]!);
      const members =
        outer?.kind === 'instance'
          ? (outer.type.exports as Map<string, ExternType>)
          : new Map<string, ExternType>();
      members.set(path[1]!, func);
      exports.set(path[0]!, { kind: 'instance', type: { exports: members, fresh: [] } });
    }
  }
  return { imports: new Map(), exports, importedResources: [], definedResources: [] };
}
