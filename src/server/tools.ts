// tools/list, tools/call and tools/batch. A call runs inline, asks the client in rounds, or becomes a task: which of
// them depends on the tool's definition, the outcome, and what the revision and the client have.

import type { Catalog, Continuation, ToolCall, ToolComplete, ToolOutcome } from '../catalog/catalog.ts';
import { WitboxError } from '../core/errors.ts';
import { isJsonObject, type JsonObject, own } from '../core/json.ts';
import type { Tool } from '../core/mcp.ts';
import { callContext, taskContext, taskHolder, taskOwner } from './context.ts';
import type { Request, Result } from './dialect.ts';
import type { Lists } from './lists.ts';
import { optionalObject, stringParam, wrong } from './params.ts';
import type { Rounds } from './rounds.ts';
import type { Tasks } from './tasks.ts';

const MAX_BATCH = 100;
const BATCH_WIDTH = 8;
const NO_ARGUMENTS: JsonObject = Object.freeze({});

export interface ToolDeps {
  readonly catalog: Catalog;
  readonly lists: Lists;
  readonly rounds: Rounds;
  readonly tasks: Tasks;
  /** Turns any error into what a client may see of it, for the entries of a batch. */
  readonly describe: (error: unknown) => string;
}

export function toolMethods({ catalog, lists, rounds, tasks, describe }: ToolDeps) {
  const list = (request: Request): Result => {
    const { dialect, caller } = request;
    return lists.page(
      request,
      catalog.tools(caller),
      'tools',
      (tool) => dialect.tool(tool),
      (tool) => tool.name,
    );
  };

  const call = async (request: Request): Promise<Result> => {
    const { dialect, params } = request;
    const name = stringParam(params, 'name');
    const args = optionalObject(params, 'arguments') ?? NO_ARGUMENTS;
    const tool = catalog.tool(request.caller, name) ?? missed(request, name);
    const asked = { name, arguments: args };
    if (becomesTask(request, tool)) return startTask(request, tool, asked, {});

    const context = callContext(request);
    const run = (continuation: Continuation) => catalog.callTool({ ...asked, ...continuation }, context);
    const ended = await rounds
      .run<Exclude<ToolOutcome, { kind: 'input-required' }>>(request, asked, async (from) => {
        let outcome = await run(from);
        // Without tasks on the other side, long work is simply waited for.
        while (outcome.kind === 'task' && !context.tasks) outcome = await run(stateOf(outcome));
        return outcome;
      })
      .catch(unanswered);
    if ('result' in ended) return ended.result;
    if (ended.outcome.kind === 'task') return startTask(request, tool, asked, stateOf(ended.outcome));
    return dialect.seal(request.method, dialect.toolResult(ended.outcome, tool));
  };

  const missed = (request: Request, name: string): never => {
    catalog.missed?.(name, callContext(request));
    throw new WitboxError('unknown-tool', { name });
  };

  const startTask = (request: Request, tool: Tool, asked: ToolCall, from: Continuation): Result => {
    const view = tasks.create(
      taskOwner(request),
      tool,
      async (continuation, run) => {
        const outcome = await catalog.callTool({ ...asked, ...continuation }, taskContext(request, run));
        // Where questions are not sent but shown, nobody else would look whether they may be.
        if (outcome.kind === 'input-required' && !request.ask) request.checkInputs(outcome.requests);
        return outcome;
      },
      { from, ttlMs: wantedTtl(request), holder: taskHolder(request) },
    );
    return request.dialect.tasks!.created(view);
  };

  const batch = async (request: Request): Promise<Result> => {
    const calls = own(request.params, 'calls');
    if (!Array.isArray(calls) || calls.length > MAX_BATCH) {
      throw wrong('calls', `an array of at most ${MAX_BATCH} calls`, calls);
    }
    const results: JsonObject[] = [];
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let at = next++; at < calls.length; at = next++) results[at] = await one(request, calls[at]);
    };
    await Promise.all(Array.from({ length: Math.min(BATCH_WIDTH, calls.length) }, worker));
    return request.dialect.seal(request.method, { results });
  };

  // One failing call is its own result: the others must not notice.
  const one = async (request: Request, params: unknown): Promise<JsonObject> => {
    try {
      if (!isJsonObject(params)) throw wrong('calls[]', 'an object', params as never);
      const inner = { ...request, method: 'tools/call', params };
      const name = stringParam(params, 'name');
      const args = optionalObject(params, 'arguments') ?? NO_ARGUMENTS;
      const tool = catalog.tool(request.caller, name) ?? missed(inner, name);
      const context = { ...callContext(inner), tasks: false };
      let outcome = await catalog.callTool({ name, arguments: args }, context);
      while (outcome.kind !== 'complete') {
        if (outcome.kind === 'input-required' && !request.ask) {
          throw new WitboxError('invalid-params', {
            reason: `"${name}" asks questions, call it outside a batch`,
          });
        }
        const responses = outcome.kind === 'task' ? undefined : await request.ask?.(outcome.requests);
        const from = { ...stateOf(outcome), ...(responses && { responses }) };
        outcome = await catalog.callTool({ name, arguments: args, ...from }, context);
      }
      return request.dialect.toolResult(outcome, tool);
    } catch (error) {
      return { content: [{ type: 'text', text: describe(error) }], isError: true };
    }
  };

  return { 'tools/list': list, 'tools/call': call, 'tools/batch': batch };
}

// A question that the client cannot or will not answer is a failure of the call that the model should see.
function unanswered(error: unknown): { outcome: ToolComplete } {
  const ours =
    error instanceof WitboxError && (error.code === 'client-cannot' || error.code === 'client-refused');
  if (!ours) throw error;
  return { outcome: { kind: 'complete', content: [{ type: 'text', text: error.message }], isError: true } };
}

function becomesTask(request: Request, tool: Tool): boolean {
  const { tasks } = request.dialect;
  if (!tasks) return false;
  if (tasks.decidedBy === 'client') {
    const wanted = own(request.params, 'task') !== undefined;
    if (wanted && !tool.task) throw tasks.refusal('task-not-possible');
    if (!wanted && tool.task?.support === 'required') throw tasks.refusal('task-needed');
    return wanted;
  }
  if (!tool.task) return false;
  const declared = tasks.possible(request.client.capabilities, request.params);
  if (!declared && tool.task.support === 'required') throw tasks.refusal('task-needed');
  return declared && tool.task.begins === 'call';
}

function wantedTtl(request: Request): number | undefined {
  const task = own(request.params, 'task');
  const ttl = isJsonObject(task) ? own(task, 'ttl') : undefined;
  return typeof ttl === 'number' && Number.isSafeInteger(ttl) && ttl > 0 ? ttl : undefined;
}

function stateOf(outcome: { readonly state?: string }): Continuation {
  return outcome.state === undefined ? {} : { state: outcome.state };
}
