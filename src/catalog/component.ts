// One loaded component: its tools, prompts and resources as MCP shows them, and the way of a call into its cell with
// exactly what its policy grants at that moment. Knows nothing of other components; names become unique elsewhere.

import type { Cells, Loaded } from '../cell/cells.ts';
import type { Outcome } from '../cell/outcome.ts';
import { WitboxError } from '../core/errors.ts';
import { flowOf } from '../core/flow.ts';
import type { JsonObject } from '../core/json.ts';
import type { Schema } from '../core/json-schema/references.ts';
import { createValidator, type Validate } from '../core/json-schema/validate.ts';
import type { Prompt, Resource, ResourceTemplate, Tool } from '../core/mcp.ts';
import { createRedactor, type Redactor } from '../core/redact.ts';
import { type Grants, grantsOf } from '../host/grants.ts';
import { createHost } from '../host/host.ts';
import { createAgents } from '../host/http/agents.ts';
import { recordGrants } from '../host/recorded-grants.ts';
import { decide } from '../policy/decide.ts';
import type { Policy } from '../policy/policy.ts';
import type { SecretValues } from '../store/secrets/secrets.ts';
import type { Leftover } from '../wit/tools.ts';
import { type CallLog, createCallLog, createOutput } from './call-log.ts';
import type { CallContext, ToolCall, ToolOutcome } from './catalog.ts';
import { createFunctionTypes } from './function-types.ts';
import { givenSecrets } from './given-secrets.ts';
import { createHousing } from './housing.ts';
import { idleContext } from './idle-context.ts';
import { lazyHost } from './lazy-host.ts';
import { type Facets, facetsOf, type Invoke, type MayAsk } from './mcp/facets.ts';
import { withMcpOperations } from './mcp/host-operations.ts';
import { type OutputJudge, outputJudge } from './output-judge.ts';
import { plainTools } from './plain-tools.ts';
import { toolResult } from './tool-result.ts';

/** Where a component's bytes and rules come from; asked anew whenever they are needed. */
export interface ComponentSpec {
  readonly id: string;
  readonly digest: string;
  readonly size: number;
  readonly source: string;
  /** When these bytes were stored; empty for those of this run. */
  readonly loadedAt: string;
  readonly instance: 'call' | 'session';
  bytes(): Promise<Uint8Array>;
  policy(): Policy;
  policyText(): string;
  /** Its secrets; those alone that the policy grants reach the guest or a request of it. */
  secrets?(): Promise<SecretValues>;
  /** Text of the tools sidecar. */
  readonly sidecar?: string;
}

export interface ComponentTool {
  /** The name it would like to have. */
  readonly wanted: string;
  readonly tool: Tool;
  /** Judges arguments besides the types of a function, which are looked at in any case before a cell sees them. */
  readonly check: Validate | null;
  call(call: ToolCall, context: CallContext, shownAs: string): Promise<ToolOutcome>;
}

export interface Component {
  readonly spec: ComponentSpec;
  /** Those of the binary first, then the ones it describes or registers itself. */
  tools(): readonly ComponentTool[];
  readonly leftovers: readonly Leftover[];
  readonly imports: readonly string[];
  readonly log: CallLog;
  prompts(): readonly Prompt[];
  templates(): readonly ResourceTemplate[];
  resources(): readonly Resource[];
  readonly facets: Facets;
  /** For calls of facets: one call into the cell on behalf of this context. */
  invoker(context: CallContext, shownAs: string): { readonly invoke: Invoke; readonly mayAsk: MayAsk };
  endSession(session: string): void;
  close(): void;
}

export type ComponentEvent =
  | { readonly kind: 'call' | 'tools' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string };

export interface ComponentDeps {
  readonly cells: Cells;
  /** What environment grants choose from. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly keyvalueDir?: string;
  readonly now: () => Date;
  /** Knows what must not be in a call log. */
  readonly redactor?: Redactor;
  readonly onEvent?: (component: string, event: ComponentEvent) => void;
  /** A component that says what cannot be. */
  readonly onLie?: (component: string, problem: string) => void;
}

/** What a component says about itself; asked again when it says that this has changed. */
interface Lists {
  readonly tools: readonly ComponentTool[];
  readonly prompts: readonly Prompt[];
  readonly templates: readonly ResourceTemplate[];
  readonly resources: readonly Resource[];
}

const MOST_REGISTERED = 200;
/** Characters of all registered tools together. */
const MOST_REGISTERED_TEXT = 4 << 20;
/** Describing itself must be quick: a server that starts waits for it. */
const DESCRIBE_MS = 10_000;

export async function openComponent(spec: ComponentSpec, deps: ComponentDeps): Promise<Component> {
  const agents = createAgents();
  const redactor = deps.redactor ?? createRedactor();
  const log = createCallLog(redactor);
  const registered = new Map<string, { readonly tool: ComponentTool; readonly size: number }>();
  let lists: Lists = { tools: [], prompts: [], templates: [], resources: [] };
  const { memory } = spec.policy().limits;
  const load = (memoryBytes: number): Promise<Loaded> => loadInto(deps.cells, spec, memoryBytes);
  const loaded = await load(memory);
  const housing = createHousing(loaded, memory, load);
  const { description } = loaded;
  const { tools: plain, leftovers } = plainTools(spec, description);
  const facets = facetsOf(spec.id, description);
  const types = createFunctionTypes(description.functions);
  const tell = (event: ComponentEvent): void => deps.onEvent?.(spec.id, event);
  const onLie = (problem: string): void => deps.onLie?.(spec.id, problem);

  let granted: { readonly policy: Policy; readonly grants: Grants } | null = null;
  const grantsFor = (policy: Policy): Grants => {
    if (granted?.policy !== policy) granted = { policy, grants: grantsOf(policy) };
    return granted.grants;
  };

  async function run(
    path: readonly string[],
    args: JsonObject,
    context: CallContext,
    shownAs: string,
    describing = false,
  ): Promise<Outcome> {
    const policy = spec.policy();
    const given = await givenSecrets(spec, policy, deps.env);
    const output = createOutput(redactor);
    const changed = new Set<string>();
    const asked = new Set<string>();
    let stale = false;
    const self = {
      register(tool: Tool): void {
        const size = JSON.stringify(tool).length;
        const others = [...registered].filter(([name]) => name !== tool.name);
        const total = others.reduce((sum, [, one]) => sum + one.size, size);
        if (others.length >= MOST_REGISTERED || total > MOST_REGISTERED_TEXT)
          throw new WitboxError('component-lies', {
            component: spec.id,
            problem: 'it registers too many tools',
          });
        registered.set(tool.name, { tool: own(tool), size });
        tell({ kind: 'tools' });
      },
      unregister(name: string): boolean {
        const known = registered.delete(name);
        if (known) tell({ kind: 'tools' });
        return known;
      },
      resourceChanged: (uri: string) => void changed.add(uri),
      listsChanged(): void {
        stale = true;
      },
    };
    const host = () =>
      lazyHost(() =>
        withMcpOperations(
          createHost({
            componentId: spec.id,
            grants: context.observe ? recordGrants(grantsFor(policy), asked) : grantsFor(policy),
            ...given,
            agents,
            onLog: output.take,
            ...(deps.keyvalueDir === undefined ? {} : { keyvalueDir: deps.keyvalueDir }),
          }),
          context,
          policy,
          self,
        ),
      );
    const outcome =
      types.misfit(path, args) ??
      (await housing.use(policy.limits.memory, (home) =>
        home.call(path, args, {
          host,
          signal: context.signal,
          limits: {
            wallMs: describing ? Math.min(policy.limits.time, DESCRIBE_MS) : policy.limits.time,
            cpuMs: policy.limits.cpu,
            outputBytes: policy.limits.output,
          },
          flow: flowOf(context.caller),
          ...(context.session === null ? {} : { session: context.session }),
        }),
      ));
    log.add({
      time: deps.now().toISOString(),
      tool: shownAs,
      outcome: outcome.kind,
      milliseconds: Math.round(outcome.wallMs * 1_000) / 1_000,
      // A misfit quotes the argument, and arguments are nobody's but the caller's.
      ...('message' in outcome && outcome.kind !== 'misfit' ? { message: outcome.message } : {}),
      denials: outcome.denials,
      output: output.text(),
    });
    context.observe?.({
      component: spec.id,
      digest: spec.digest,
      outcome: outcome.kind,
      milliseconds: outcome.wallMs,
      granted: [...asked],
      denied: outcome.denials,
    });
    tell({ kind: 'call' });
    // The call itself went well: whoever made it is not told of lists that cannot be read again.
    // Lists that change by being read would be read for ever.
    if (!describing && (changed.size > 0 || stale))
      await refresh(changed, stale).catch((error: Error) => onLie(error.message));
    return outcome;
  }

  function invoker(context: CallContext, shownAs: string) {
    const mayAsk: MayAsk = (capability) => {
      const decision = decide(spec.policy(), { kind: 'mcp', name: capability });
      if (decision.allowed) return;
      const { permission, reason } = decision;
      throw new WitboxError('permission-denied', { component_id: spec.id, permission, reason });
    };
    const invoke: Invoke = (path, args) => run(path, args, context, shownAs);
    return { invoke, mayAsk };
  }

  const atStart: Invoke = (path, args) => run(path, args, idleContext(), 'describe', true);

  async function describeItself(): Promise<Lists> {
    // Side by side, so that a component is asked while it has its cell.
    const [tools, prompts, templates, resources] = await Promise.all([
      facets.listTools(atStart, onLie),
      facets.listPrompts(atStart, onLie),
      facets.listTemplates(atStart, onLie),
      facets.listResources(atStart, onLie),
    ]);
    return { tools: tools.map(own), prompts, templates, resources };
  }

  async function refresh(changed: ReadonlySet<string>, stale: boolean): Promise<void> {
    const before = JSON.stringify(lists.resources);
    lists = stale
      ? await describeItself()
      : { ...lists, resources: await facets.listResources(atStart, onLie) };
    if (stale) tell({ kind: 'tools' });
    else if (JSON.stringify(lists.resources) !== before) tell({ kind: 'resources' });
    for (const uri of changed) tell({ kind: 'resource', uri });
  }

  async function callPlain(
    tool: (typeof plain)[number]['tool'],
    judge: OutputJudge | null,
    call: ToolCall,
    context: CallContext,
    shownAs: string,
  ) {
    const outcome = await run(tool.path, call.arguments, context, shownAs);
    const result = toolResult(outcome, {
      component: spec.id,
      func: tool.path.at(-1)!,
      kind: description.kind,
    });
    const problem = result.structured === undefined ? null : types.resultFault(tool.path, result.structured);
    if (problem !== null) throw new WitboxError('component-lies', { component: spec.id, problem });
    return judge === null ? result : fitting(judge, result);
  }

  async function callOwn(
    tool: Tool,
    judge: OutputJudge | null,
    call: ToolCall,
    context: CallContext,
    shownAs: string,
  ): Promise<ToolOutcome> {
    const { invoke, mayAsk } = invoker(context, shownAs);
    const outcome = await facets.callTool(invoke, { ...call, name: tool.name }, context.meta, mayAsk);
    return judge === null ? outcome : fitting(judge, outcome);
  }

  const own = (tool: Tool): ComponentTool => {
    const judge = outputJudge(tool);
    return {
      wanted: tool.name,
      tool,
      check: createValidator(tool.inputSchema as Schema),
      call: (call, context, shownAs) => callOwn(tool, judge, call, context, shownAs),
    };
  };

  function fitting<T extends ToolOutcome>(judge: OutputJudge, outcome: T): T {
    const problem = judge(outcome);
    if (problem !== null) throw new WitboxError('component-lies', { component: spec.id, problem });
    return outcome;
  }

  try {
    const fixed = plain.map(({ tool, shown, overridden, promises }): ComponentTool => {
      const judge = promises ? outputJudge(shown) : null;
      return {
        wanted: shown.name,
        tool: shown,
        check: overridden ? createValidator(shown.inputSchema as Schema) : null,
        call: (call, context, shownAs) => callPlain(tool, judge, call, context, shownAs),
      };
    });
    lists = await describeItself();
    return {
      spec,
      tools: () => [
        ...fixed,
        ...lists.tools,
        ...(facets.hasTools ? [...registered.values()].map(({ tool }) => tool) : []),
      ],
      leftovers,
      imports: description.imports,
      log,
      prompts: () => lists.prompts,
      templates: () => lists.templates,
      resources: () => lists.resources,
      facets,
      invoker,
      endSession: housing.endSession,
      close() {
        housing.close();
        agents.close();
      },
    };
  } catch (error) {
    housing.close();
    agents.close();
    throw error;
  }
}

function loadInto(cells: Cells, spec: ComponentSpec, memoryBytes: number): Promise<Loaded> {
  const instance = spec.instance === 'session' ? 'session' : 'fresh';
  return cells.load({ id: spec.id, bytes: spec.bytes, limits: { memoryBytes }, instance });
}
