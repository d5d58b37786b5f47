// Calls that become tasks. In 2026-07-28 (extension io.modelcontextprotocol/tasks) the server decides, and the task's
// state carries questions and the result; in 2025-11-25 the client asks for a task where a tool needs one, and fetches
// the result apart. Either way the caller sees one call that takes its time, and an abort cancels the task.

import { setTimeout as sleep } from 'node:timers/promises';
import type { CallToolResult, JSONRPCMessage, StandardSchemaV1 } from '@modelcontextprotocol/client';
import { WitboxError } from '../core/errors.ts';
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts';
import { answer, type Handlers } from './handlers.ts';
import type { Link } from './link.ts';

const MARK = 'witbox/task';
const MIN_POLL_MS = 20;
const MAX_POLL_MS = 30_000;
const DEFAULT_POLL_MS = 500;
const MAX_QUESTIONS = 1_000;

export interface TaskState {
  readonly id: string;
  readonly status: string;
  readonly message?: string;
}

export interface TaskOptions {
  readonly handlers: Handlers;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  onTask?(state: TaskState): void;
}

/** Any object, for results that the official client has no schema for. */
export const ANY_OBJECT: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': {
    version: 1,
    vendor: 'witbox',
    validate: (value) => (isJsonObject(value) ? { value } : { issues: [{ message: 'it is not an object' }] }),
  },
};

/**
 * The official client knows no results of the kind `task` and would drop what is in them. They are turned, before it
 * looks at them, into results that it lets pass, marked so that `taskIn` finds them.
 */
export function markTask(message: JSONRPCMessage): void {
  if (!('result' in message) || !isJsonObject(message.result)) return;
  const { result } = message as { result: JsonObject };
  if (result.resultType !== 'task') return;
  (message as { result: unknown }).result = {
    resultType: 'complete',
    isError: true,
    content: [],
    _meta: { [MARK]: result },
  };
}

export function taskIn(result: { readonly _meta?: Record<string, unknown> | undefined }): JsonObject | null {
  const task = result._meta?.[MARK];
  return isJsonObject(task) ? task : null;
}

/** 2026-07-28: polls, answers questions, and gives what the call would have given. */
export async function finishTask(
  link: Link,
  created: JsonObject,
  options: TaskOptions,
): Promise<CallToolResult> {
  const id = idOf(link, created);
  const answered = new Set<string>();
  const signal = options.signal ?? new AbortController().signal;
  return cancelling(link, id, options, async () => {
    for (let state = created; ; state = await ask(link, 'tasks/get', { taskId: id }, options)) {
      options.onTask?.(shown(id, state));
      switch (state.status) {
        case 'completed':
          return resultOf(link, own(state, 'result'));
        case 'failed':
          throw failureOf(link, own(state, 'error'));
        case 'cancelled':
          throw new WitboxError('task-ended', { method: 'tools/call', status: 'cancelled' });
        case 'input_required': {
          const responses = await answers(own(state, 'inputRequests'), answered, options.handlers, signal);
          if (responses) await ask(link, 'tasks/update', { taskId: id, inputResponses: responses }, options);
        }
      }
      await sleep(pause(own(state, 'pollIntervalMs')), undefined, { signal });
    }
  });
}

/** 2025-11-25: asks for a task, waits for its end, fetches the result; its questions come as requests meanwhile. */
export async function callAsTask(
  link: Link,
  params: JsonObject,
  options: TaskOptions,
): Promise<CallToolResult> {
  const created = await ask(link, 'tools/call', { ...params, task: {} }, options);
  const task = own(created, 'task');
  // A server may answer at once instead.
  if (!isJsonObject(task)) return created as unknown as CallToolResult;
  const id = idOf(link, task);
  const signal = options.signal ?? new AbortController().signal;
  return cancelling(link, id, options, async () => {
    let state = task;
    while (state.status === 'working') {
      options.onTask?.(shown(id, state));
      await sleep(pause(own(state, 'pollInterval')), undefined, { signal });
      state = await ask(link, 'tasks/get', { taskId: id }, options);
    }
    options.onTask?.(shown(id, state));
    return (await ask(link, 'tasks/result', { taskId: id }, options)) as unknown as CallToolResult;
  });
}

async function cancelling<T>(
  link: Link,
  id: string,
  options: TaskOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!options.signal?.aborted) throw error;
    const { signal: _, ...rest } = options;
    await ask(link, 'tasks/cancel', { taskId: id }, { ...rest, timeoutMs: 2_000 }).catch(() => {});
    throw new WitboxError('call-cancelled', { method: 'tools/call' }, error);
  }
}

function ask(link: Link, method: string, params: JsonObject, options: TaskOptions): Promise<JsonObject> {
  const { signal, timeoutMs } = options;
  const request = { method, params: params as Record<string, unknown> };
  return link.run(method, options, (client) =>
    client.request(request, ANY_OBJECT, { timeout: timeoutMs, ...(signal && { signal }) }),
  );
}

async function answers(
  requests: Json | undefined,
  answered: Set<string>,
  handlers: Handlers,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const open = isJsonObject(requests) ? Object.entries(requests).filter(([key]) => !answered.has(key)) : [];
  if (open.length === 0) return null;
  const responses: [string, JsonObject][] = [];
  for (const [key, request] of open.slice(0, MAX_QUESTIONS)) {
    answered.add(key);
    if (!isJsonObject(request) || typeof request.method !== 'string') continue;
    const params = own(request, 'params');
    responses.push([
      key,
      await answer(handlers, { method: request.method, params: isJsonObject(params) ? params : {} }, signal),
    ]);
  }
  return Object.fromEntries(responses);
}

function idOf(link: Link, task: JsonObject): string {
  const id = own(task, 'taskId');
  if (typeof id === 'string') return id;
  throw new WitboxError('server-lies', {
    server: link.server,
    method: 'tools/call',
    reason: 'a task without an id',
  });
}

function resultOf(link: Link, result: Json | undefined): CallToolResult {
  if (!isJsonObject(result) || !Array.isArray(result.content))
    throw new WitboxError('server-lies', {
      server: link.server,
      method: 'tasks/get',
      reason: 'a completed task without a result',
    });
  const { resultType: _, ...rest } = result;
  return rest as unknown as CallToolResult;
}

function failureOf(link: Link, error: Json | undefined): WitboxError {
  const { code, message } = isJsonObject(error) ? error : {};
  return new WitboxError('server-error', {
    server: link.server,
    method: 'tools/call',
    code: Number(code ?? -32603),
    reason: String(message ?? 'no reason given'),
  });
}

function shown(id: string, state: JsonObject): TaskState {
  const message = own(state, 'statusMessage');
  return { id, status: String(state.status), ...(typeof message === 'string' && { message }) };
}

function pause(asked: Json | undefined): number {
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, typeof asked === 'number' ? asked : DEFAULT_POLL_MS));
}
