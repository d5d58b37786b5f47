// Long-running calls as tasks. The store owns their whole life: working, waiting for input, and one of three ends that
// never changes again. Ids are unguessable and bound to their owner; ttl and counts are bounded.
// Specification: extension io.modelcontextprotocol/tasks (2026-07-28), basic/utilities/tasks (2025-11-25).

import { randomBytes } from 'node:crypto';
import type { Continuation, ToolComplete, ToolOutcome } from '../catalog/catalog.ts';
import { WitboxError } from '../core/errors.ts';
import type { InputRequests, InputResponses, JsonObject, Tool } from '../core/mcp.ts';

type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task as it is now; revisions decide how it is shown. */
export interface TaskView {
  readonly id: string;
  readonly status: TaskStatus;
  readonly message: string | undefined;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly ttlMs: number;
  readonly pollMs: number;
  readonly tool: Tool;
  readonly pending: InputRequests;
  readonly result: ToolComplete | undefined;
  readonly error: unknown;
}

export interface TaskRun {
  readonly signal: AbortSignal;
  say(message: string): void;
}

export interface Tasks {
  create(
    owner: string,
    tool: Tool,
    call: (continuation: Continuation, run: TaskRun) => Promise<ToolOutcome>,
    options?: {
      readonly ttlMs?: number | undefined;
      readonly from?: Continuation;
      /** Whose tasks are counted together; null: only the limit of all counts. */
      readonly holder?: string | null;
    },
  ): TaskView;
  /** Throws `unknown-task` for ids that are not this owner's, whether they exist or not. */
  get(owner: string, id: string): TaskView;
  list(owner: string): readonly TaskView[];
  /** Takes answers to pending questions; unknown and answered keys are ignored. */
  answer(owner: string, id: string, responses: InputResponses): void;
  cancel(owner: string, id: string): TaskView;
  /** Resolves when the task changes, or the signal aborts. */
  changed(owner: string, id: string, signal: AbortSignal): Promise<void>;
  watch(listener: (owner: string, task: TaskView) => void): () => void;
  close(): void;
}

export interface TaskOptions {
  readonly ttlMs?: number;
  readonly maxTtlMs?: number;
  readonly pollMs?: number;
  readonly maxTasks?: number;
  readonly now?: () => number;
}

interface Task {
  readonly owner: string;
  readonly holder: string | null;
  readonly abort: AbortController;
  view: TaskView;
  /** Keys ever asked: a key must mean one question for the whole life of a task. */
  readonly asked: Set<string>;
  answers: Record<string, JsonObject>;
  resume: (() => void) | null;
}

/** Of all tasks one holder may have at most this part, so that others always find room. */
const SHARE = 1 / 4;

const ENDED: ReadonlySet<TaskStatus> = new Set(['completed', 'failed', 'cancelled']);

export function hasEnded(task: TaskView): boolean {
  return ENDED.has(task.status);
}

export function createTasks(options: TaskOptions = {}): Tasks {
  const {
    ttlMs = 3_600_000,
    maxTtlMs = 86_400_000,
    pollMs = 500,
    maxTasks = 1_000,
    now = Date.now,
  } = options;
  const tasks = new Map<string, Task>();
  const listeners = new Set<(owner: string, task: TaskView) => void>();

  const find = (owner: string, id: string): Task => {
    const task = tasks.get(id);
    if (!task || task.owner !== owner || expired(task)) throw new WitboxError('unknown-task', { id });
    return task;
  };
  const expired = (task: Task): boolean => now() >= task.view.createdAt.getTime() + task.view.ttlMs;
  const sweep = (): void => {
    for (const [id, task] of tasks) {
      if (!expired(task)) continue;
      task.abort.abort();
      tasks.delete(id);
    }
  };
  const checkRoom = (holder: string | null): void => {
    if (tasks.size >= maxTasks) throw new WitboxError('too-many-open', { what: 'tasks', limit: maxTasks });
    const limit = Math.ceil(maxTasks * SHARE);
    if (holder === null || tasks.size < limit) return;
    const held = [...tasks.values()].filter((task) => task.holder === holder);
    if (held.length >= limit) throw new WitboxError('too-many-open', { what: 'tasks of one caller', limit });
  };
  const change = (task: Task, change: Partial<TaskView>): void => {
    if (hasEnded(task.view)) return;
    task.view = { ...task.view, ...change, updatedAt: new Date(now()) };
    for (const listener of [...listeners]) listener(task.owner, task.view);
  };

  const work = async (
    task: Task,
    from: Continuation,
    call: (continuation: Continuation, run: TaskRun) => Promise<ToolOutcome>,
  ): Promise<void> => {
    const run: TaskRun = { signal: task.abort.signal, say: (message) => change(task, { message }) };
    let continuation = from;
    while (!hasEnded(task.view)) {
      const outcome = await call(continuation, run);
      const state =
        outcome.kind === 'complete' || outcome.state === undefined ? {} : { state: outcome.state };
      if (outcome.kind === 'complete') change(task, { status: 'completed', result: outcome });
      else if (outcome.kind === 'task') continuation = state;
      else continuation = { responses: await questions(task, outcome.requests), ...state };
    }
  };

  const questions = async (task: Task, requests: InputRequests): Promise<InputResponses> => {
    const fresh = new Map<string, string>();
    const pending: Record<string, InputRequests[string]> = {};
    for (const [key, request] of Object.entries(requests)) {
      let unique = key;
      for (let next = 2; task.asked.has(unique); next += 1) unique = `${key}-${next}`;
      task.asked.add(unique);
      fresh.set(unique, key);
      pending[unique] = request;
    }
    task.answers = Object.create(null);
    await new Promise<void>((resolve) => {
      task.resume = resolve;
      change(task, { status: 'input_required', pending });
      if (fresh.size === 0) resolve();
    });
    change(task, { status: 'working', pending: {} });
    const given = Object.entries(task.answers).map(
      ([unique, answer]) => [fresh.get(unique)!, answer] as const,
    );
    return Object.fromEntries(given);
  };

  return {
    create(owner, tool, call, { ttlMs: wanted, from = {}, holder = null } = {}) {
      sweep();
      checkRoom(holder);
      const created = new Date(now());
      const task: Task = {
        owner,
        holder,
        abort: new AbortController(),
        asked: new Set(),
        answers: Object.create(null),
        resume: null,
        view: {
          id: randomBytes(18).toString('base64url'),
          status: 'working',
          message: undefined,
          createdAt: created,
          updatedAt: created,
          ttlMs: Math.min(Math.max(wanted ?? ttlMs, 1_000), maxTtlMs),
          pollMs,
          tool,
          pending: {},
          result: undefined,
          error: undefined,
        },
      };
      tasks.set(task.view.id, task);
      work(task, from, call).catch((error: unknown) => change(task, { status: 'failed', error }));
      return task.view;
    },
    get: (owner, id) => find(owner, id).view,
    list(owner) {
      sweep();
      return [...tasks.values()].filter((task) => task.owner === owner).map((task) => task.view);
    },
    answer(owner, id, responses) {
      const task = find(owner, id);
      const pending = { ...task.view.pending };
      for (const [key, answer] of Object.entries(responses)) {
        if (!Object.hasOwn(pending, key)) continue;
        delete pending[key];
        task.answers[key] = answer;
      }
      if (task.view.status !== 'input_required') return;
      change(task, { pending });
      if (Object.keys(pending).length === 0) task.resume?.();
    },
    cancel(owner, id) {
      const task = find(owner, id);
      change(task, { status: 'cancelled', pending: {} });
      task.abort.abort();
      task.resume?.();
      return task.view;
    },
    changed(owner, id, signal) {
      find(owner, id);
      return new Promise((resolve) => {
        const done = (): void => {
          listeners.delete(listener);
          signal.removeEventListener('abort', done);
          resolve();
        };
        const listener = (_: string, task: TaskView): void => {
          if (task.id === id) done();
        };
        listeners.add(listener);
        signal.addEventListener('abort', done);
        if (signal.aborted) done();
      });
    },
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      for (const task of tasks.values()) task.abort.abort();
      tasks.clear();
    },
  };
}
