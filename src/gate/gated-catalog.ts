// A catalogue as a caller may use it: the same interface around another catalogue. What a caller may not use is not in
// any list, and asking for it is answered like asking for what never was. What they may use is checked against the rules
// for arguments, waits for its turn, and is written down. Rights are those of the moment in which a call runs, so that
// tasks, continued calls and batches are judged like any other.

import type { AuditSink } from '../audit/entry.ts';
import type {
  CallContext,
  Catalog,
  Owner,
  PromptGet,
  PromptOutcome,
  ResourceOutcome,
  ResourceRead,
  ToolCall,
  ToolComplete,
  ToolOutcome,
} from '../catalog/catalog.ts';
import type { Caller } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { flowOf } from '../core/flow.ts';
import type { Json } from '../core/json.ts';
import { describe } from '../core/json-schema/fault.ts';
import type { Meter, Tracer } from '../telemetry/ports.ts';
import type { Access, View } from './access/access.ts';
import { wantedOf } from './access/wanted.ts';
import type { CallLimits, ToolLimit } from './limits/call-limits.ts';
import { createRecorder } from './recorder.ts';
import { createToolFacts, type ToolFacts } from './tool-facts.ts';
import { createViews } from './views.ts';

export interface GateDeps {
  readonly access: Access;
  readonly limits: CallLimits;
  /** Null: nothing is written down. */
  readonly audit: AuditSink | null;
  readonly meter: Meter;
  readonly tracer: Tracer;
  /** Throws if what the caller once proved no longer holds. */
  readonly check?: (caller: Caller) => void;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
}

const NO_LIMITS: readonly ToolLimit[] = [];

export function gateCatalog(catalog: Catalog, deps: GateDeps): Catalog {
  const { access, limits, audit, meter, tracer, check, now = () => performance.now() } = deps;
  const recorder = createRecorder({ audit, meter, tracer, now });
  const views = createViews(catalog);
  const facts = createToolFacts(catalog, limits);

  const mayUse = (view: View, kind: 'resource' | 'prompt', key: string, owner: Owner | undefined): boolean =>
    view.whole || (owner !== undefined && view.mayUse(wantedOf(kind, key, owner)).allowed);

  /** The tool if the caller may use it now. */
  const usable = (caller: Caller, name: string): ToolFacts | undefined => {
    const found = facts.find(caller, name);
    return found !== undefined && access.view(caller).mayUse(found.wanted).allowed ? found : undefined;
  };

  /** Runs `work` when it is the caller's turn. */
  async function inTurn<T>(
    context: CallContext,
    tools: readonly ToolLimit[],
    work: (waited: boolean) => Promise<T>,
  ): Promise<T> {
    const flow = flowOf(context.caller);
    const turn = limits.enter(flow, tools, context.signal);
    if (turn !== null) await turn;
    try {
      // Who waited, or began a task long ago, may have lost their proof meanwhile.
      check?.(context.caller);
      return await work(turn !== null);
    } finally {
      limits.leave(flow, tools);
    }
  }

  async function callTool(call: ToolCall, context: CallContext): Promise<ToolOutcome> {
    const { name } = call;
    const tool = usable(context.caller, name);
    if (tool === undefined) {
      missed(name, context);
      throw new WitboxError('unknown-tool', { name });
    }
    const attempt = {
      method: 'tools/call',
      target: tool.tool.name,
      owner: tool.owner,
      arguments: call.arguments,
      reads: tool.tool.annotations?.readOnlyHint === true,
    };
    const recording = recorder.begin(attempt, context);
    let outcome: ToolOutcome;
    try {
      const refusal = argumentRefusal(access.view(context.caller), tool, call);
      if (refusal !== null) {
        meter.denied('arguments', tool.owner.component);
        await recording.end('denied', undefined);
        return refusal;
      }
      outcome = await inTurn(context, tool.limits, (waited) => {
        if (!waited) return catalog.callTool(call, recording.context);
        // Rules and names may have changed meanwhile.
        if (usable(context.caller, name)?.owner.component !== tool.owner.component) {
          throw new WitboxError('unknown-tool', { name });
        }
        const late = argumentRefusal(access.view(context.caller), tool, call);
        return late === null ? catalog.callTool(call, recording.context) : Promise.resolve(late);
      });
    } catch (error) {
      await recording.failed(error);
      throw error;
    }
    await recording.end(outcomeOf(outcome), audit === null ? undefined : resultOf(outcome));
    return outcome;
  }

  function missed(name: string, context: CallContext): void {
    const owner = catalog.owner('tool', name);
    recorder.refused({ method: 'tools/call', target: name, owner, reads: true }, context, 'unknown-tool');
  }

  async function readResource(read: ResourceRead, context: CallContext): Promise<ResourceOutcome> {
    const { uri } = read;
    const view = access.view(context.caller);
    const owner = catalog.owner('resource', uri);
    const attempt = { method: 'resources/read', target: uri, owner, reads: true };
    const allowed = mayUse(view, 'resource', uri, owner);
    if (!allowed && owner?.digest === '') {
      recorder.refused(attempt, context, 'resource-not-found');
      throw new WitboxError('resource-not-found', { uri });
    }
    const recording = recorder.begin(attempt, context);
    const reaches = (component: string): boolean =>
      access.mayUse(context.caller, { kind: 'resource', name: uri, component }).allowed;
    let outcome: ResourceOutcome;
    try {
      const inner = view.whole ? recording.context : { ...recording.context, reaches };
      outcome = await inTurn(context, NO_LIMITS, (waited) => {
        if (waited && owner?.digest === '' && !mayUse(access.view(context.caller), 'resource', uri, owner)) {
          throw new WitboxError('resource-not-found', { uri });
        }
        return catalog.readResource(read, inner);
      });
    } catch (error) {
      await recording.failed(error, owner !== undefined && !allowed);
      throw error;
    }
    await recording.end(outcome.kind === 'complete' ? 'ok' : outcome.kind, undefined);
    return outcome;
  }

  async function getPrompt(get: PromptGet, context: CallContext): Promise<PromptOutcome> {
    const { name } = get;
    const owner = catalog.owner('prompt', name);
    const attempt = { method: 'prompts/get', target: name, owner, arguments: get.arguments, reads: true };
    if (!mayUse(access.view(context.caller), 'prompt', name, owner)) {
      recorder.refused(attempt, context, 'unknown-prompt');
      throw new WitboxError('unknown-prompt', { name });
    }
    const recording = recorder.begin(attempt, context);
    let outcome: PromptOutcome;
    try {
      outcome = await inTurn(context, NO_LIMITS, (waited) => {
        if (waited && !mayUse(access.view(context.caller), 'prompt', name, catalog.owner('prompt', name))) {
          throw new WitboxError('unknown-prompt', { name });
        }
        return catalog.getPrompt(get, recording.context);
      });
    } catch (error) {
      await recording.failed(error);
      throw error;
    }
    await recording.end(outcome.kind === 'complete' ? 'ok' : outcome.kind, undefined);
    return outcome;
  }

  const tools = (caller: Caller) =>
    views.filter('tool', 'tools', access.view(caller), catalog.tools(caller), ({ name }) => name);
  const resources = (caller: Caller) =>
    views.filter('resource', 'resources', access.view(caller), catalog.resources(caller), ({ uri }) => uri);
  const resourceTemplates = (caller: Caller) =>
    views.filter(
      'resource',
      'templates',
      access.view(caller),
      catalog.resourceTemplates(caller),
      ({ uriTemplate }) => uriTemplate,
    );
  const prompts = (caller: Caller) =>
    views.filter('prompt', 'prompts', access.view(caller), catalog.prompts(caller), ({ name }) => name);

  return {
    ...(catalog.ready === undefined ? {} : { ready: () => catalog.ready!() }),
    tools,
    tool: (caller, name) => usable(caller, name)?.tool,
    callTool,
    resources,
    resourceTemplates,
    readResource,
    prompts,
    getPrompt,
    async complete(reference, argument, known, context) {
      audit?.check();
      const view = access.view(context.caller);
      const kind = reference.type === 'ref/prompt' ? 'prompt' : 'resource';
      const key = reference.type === 'ref/prompt' ? reference.name : reference.uri;
      const owner = catalog.owner(kind, key);
      if (owner?.digest === '' && !mayUse(view, kind, key, owner)) return { values: [] };
      const reaches = (component: string): boolean =>
        access.mayUse(context.caller, { kind, name: key, component }).allowed;
      const inner = view.whole ? context : { ...context, reaches };
      return inTurn(context, NO_LIMITS, () => catalog.complete(reference, argument, known, inner));
    },
    owner: (kind, key) => catalog.owner(kind, key),
    missed,
    sees(caller, change) {
      const view = access.view(caller);
      switch (change.kind) {
        case 'resource':
          return mayUse(view, 'resource', change.uri, catalog.owner('resource', change.uri));
        case 'tools':
          return views.differs('tools', view, tools(caller));
        case 'prompts':
          return views.differs('prompts', view, prompts(caller));
        case 'resources': {
          const [one, other] = [resources(caller), resourceTemplates(caller)];
          const differs = views.differs('resources', view, one);
          return views.differs('templates', view, other) || differs;
        }
      }
    },
    endSession: (session) => catalog.endSession?.(session),
    watch: (listener) => catalog.watch(listener),
  };
}

/** What the caller's own rules say against the arguments, as a result that the model can learn from. */
function argumentRefusal(view: View, tool: ToolFacts, { arguments: args }: ToolCall): ToolComplete | null {
  for (const { validate } of tool.checks(view)) {
    const fault = validate(args);
    if (fault === null) continue;
    const text = `Arguments are not allowed for this caller: ${describe(fault)} (${fault.rule})`;
    return { kind: 'complete', content: [{ type: 'text', text }], isError: true };
  }
  return null;
}

function outcomeOf(outcome: ToolOutcome): string {
  if (outcome.kind !== 'complete') return outcome.kind;
  return outcome.isError ? 'tool-error' : 'ok';
}

function resultOf(outcome: ToolOutcome): Json | undefined {
  if (outcome.kind !== 'complete') return undefined;
  const { content, structured } = outcome;
  return (structured === undefined ? { content } : { content, structured }) as unknown as Json;
}
