// One loaded component: its tools as MCP shows them, and the way of a call into its cell with exactly what its policy
// grants at that moment. Knows nothing of other components; names become unique in `tool-names.ts`.

import type { Cells, Loaded } from '../cell/cells.ts';
import type { Description } from '../cell/description.ts';
import type { JsonObject } from '../core/json.ts';
import type { Tool } from '../core/mcp.ts';
import { grantsOf } from '../host/grants.ts';
import { createHost } from '../host/host.ts';
import { type Agents, createAgents } from '../host/http/agents.ts';
import type { Policy } from '../policy/policy.ts';
import { parsePackageDocs, type ToolDocs } from '../wit/docs.ts';
import { type Leftover, listTools, type Tool as WitTool } from '../wit/tools.ts';
import type { ComponentType, ExternType } from '../wit/type.ts';
import { type CallLog, createCallLog, createOutput } from './call-log.ts';
import type { CallContext, ToolComplete } from './catalog.ts';
import { parseSidecar, type ToolSidecar } from './sidecar.ts';
import { toolResult } from './tool-result.ts';

/** Where a component's bytes and rules come from; asked anew whenever they are needed. */
export interface ComponentSpec {
  readonly id: string;
  readonly digest: string;
  readonly size: number;
  readonly source: string;
  readonly instance: 'call' | 'session';
  bytes(): Promise<Uint8Array>;
  policy(): Policy;
  policyText(): string;
  /** Text of the tools sidecar. */
  readonly sidecar?: string;
}

export interface ComponentTool {
  /** The name it would like to have. */
  readonly wanted: string;
  readonly tool: Omit<Tool, 'name'>;
  call(args: JsonObject, context: CallContext, shownAs: string): Promise<ToolComplete>;
}

export interface Component {
  readonly spec: ComponentSpec;
  readonly tools: readonly ComponentTool[];
  readonly leftovers: readonly Leftover[];
  readonly imports: readonly string[];
  readonly log: CallLog;
  endSession(session: string): void;
  close(): void;
}

export interface ComponentDeps {
  readonly cells: Cells;
  /** What environment grants choose from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keyvalueDir?: string;
  readonly now: () => Date;
  /** Called after every call. */
  readonly onCall?: (component: string) => void;
}

export async function openComponent(spec: ComponentSpec, deps: ComponentDeps): Promise<Component> {
  const agents = createAgents();
  const log = createCallLog();
  let memory = spec.policy().limits.memory;
  let loaded = await loadInto(deps.cells, spec, memory);
  const { description } = loaded;
  const { tools, leftovers } = toolsOf(spec, description);

  /** Memory is capped when a module is compiled, so another limit means other cells; the rest is decided per call. */
  async function current(policy: Policy): Promise<Loaded> {
    if (policy.limits.memory === memory) return loaded;
    const before = loaded;
    memory = policy.limits.memory;
    loaded = await loadInto(deps.cells, spec, memory);
    before.unload();
    return loaded;
  }

  async function call(
    tool: WitTool,
    args: JsonObject,
    context: CallContext,
    shownAs: string,
  ): Promise<ToolComplete> {
    const policy = spec.policy();
    const output = createOutput();
    const outcome = await (await current(policy)).call(tool.path, args, {
      host: () => hostFor(spec.id, policy, agents, deps, output.take),
      signal: context.signal,
      limits: { wallMs: policy.limits.time, cpuMs: policy.limits.cpu, outputBytes: policy.limits.output },
      ...(context.session === null ? {} : { session: context.session }),
    });
    log.add({
      time: deps.now().toISOString(),
      tool: shownAs,
      outcome: outcome.kind,
      milliseconds: Math.round(outcome.wallMs * 1_000) / 1_000,
      ...('message' in outcome ? { message: outcome.message } : {}),
      denials: outcome.denials,
      output: output.text(),
    });
    deps.onCall?.(spec.id);
    return toolResult(outcome, { component: spec.id, func: tool.path.at(-1)!, kind: description.kind });
  }

  return {
    spec,
    leftovers,
    imports: description.imports,
    log,
    tools: tools.map(({ tool, shown }) => ({
      wanted: shown.name,
      tool: shown,
      call: (args, context, shownAs) => call(tool, args, context, shownAs),
    })),
    endSession: (session) => loaded.endSession(session),
    close() {
      loaded.unload();
      agents.close();
    },
  };
}

function loadInto(cells: Cells, spec: ComponentSpec, memoryBytes: number): Promise<Loaded> {
  const instance = spec.instance === 'session' ? 'session' : 'fresh';
  return cells.load({ id: spec.id, bytes: spec.bytes, limits: { memoryBytes }, instance });
}

function hostFor(
  componentId: string,
  policy: Policy,
  agents: Agents,
  deps: ComponentDeps,
  onLog: ReturnType<typeof createOutput>['take'],
) {
  return createHost({
    componentId,
    grants: grantsOf(policy),
    env: deps.env,
    agents,
    onLog,
    ...(deps.keyvalueDir === undefined ? {} : { keyvalueDir: deps.keyvalueDir }),
  });
}

function toolsOf(spec: ComponentSpec, description: Description) {
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
    .map((tool) => ({ tool, shown: shownTool(tool, entryFor(tool.path)) }));
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

function shownTool(tool: WitTool, entry: ToolSidecar | undefined): Omit<Tool, 'name'> & { name: string } {
  const output = entry?.outputSchema ?? tool.outputSchema;
  return {
    name: entry?.name ?? tool.name,
    ...(tool.docs.title === undefined ? {} : { title: tool.docs.title }),
    ...(tool.docs.description === undefined ? {} : { description: tool.docs.description }),
    inputSchema: (entry?.inputSchema ?? tool.inputSchema) as JsonObject,
    ...(output === null ? {} : { outputSchema: output as JsonObject }),
    ...(entry?.annotations === undefined ? {} : { annotations: entry.annotations }),
  };
}

/** The exports as a world, for those who read types: a cell tells functions only. */
function worldOf({ functions }: Description): ComponentType {
  const exports = new Map<string, ExternType>();
  for (const { path, type } of functions) {
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
