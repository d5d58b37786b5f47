// The seam between the methods and the revisions: server/ writes every result once, in the richest form, and a Dialect
// shows it in the words of one revision. Implemented by protocol/revisions/; nothing here knows a revision's name.

import type { ClientView, PromptComplete, ResourceComplete, ToolComplete } from '../catalog/catalog.ts';
import type { Caller } from '../core/caller.ts';
import type {
  InputRequests,
  InputResponses,
  Json,
  JsonObject,
  LogLevel,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../core/mcp.ts';
import type { TaskView } from './tasks.ts';

export interface Dialect {
  readonly revision: string;
  tool(tool: Tool): JsonObject;
  resource(resource: Resource): JsonObject;
  resourceTemplate(template: ResourceTemplate): JsonObject;
  prompt(prompt: Prompt): JsonObject;
  toolResult(outcome: ToolComplete, tool: Tool | undefined): JsonObject;
  readResult(outcome: ResourceComplete): JsonObject;
  promptResult(outcome: PromptComplete): JsonObject;
  /** Adds what results of this method carry in this revision, such as `resultType` or caching hints. */
  seal(method: string, result: JsonObject): JsonObject;
  /** How tasks look here, or null where the revision has none. */
  readonly tasks: TaskDialect | null;
}

export interface TaskDialect {
  /** Who decides that a call becomes a task: the server, or the client by sending `task`. */
  readonly decidedBy: 'server' | 'client';
  /** Whether this request may become a task: the client has tasks, and asked for one where it decides. */
  possible(capabilities: JsonObject, params: JsonObject): boolean;
  /** The error for a client that would have to use a task, or may not, and does otherwise. */
  refusal(reason: 'task-needed' | 'task-not-possible'): Error;
  created(task: TaskView): JsonObject;
  shown(task: TaskView): JsonObject;
  /** What `tasks/cancel` answers. */
  cancelled(task: TaskView): JsonObject;
}

/** One request on its way through server/. Made by protocol/, which owns where its messages go. */
export interface Request {
  readonly method: string;
  readonly id: string | number;
  readonly params: JsonObject;
  readonly meta: JsonObject;
  readonly dialect: Dialect;
  readonly caller: Caller;
  readonly client: ClientView;
  readonly transport: string;
  readonly session: SessionState;
  readonly signal: AbortSignal;
  /** Sends a notification that belongs to this request, on the stream of this request. */
  notify(method: string, params: JsonObject): void;
  progress(progress: number, total?: number, message?: string): void;
  log(level: LogLevel, data: Json, logger?: string): void;
  closeStream(): void;
  /**
   * Asks the client and waits, where the revision has requests from the server. Null where it has not: then the
   * outcome itself goes to the client. Throws `missing-capability` for what the client cannot answer.
   */
  readonly ask: ((requests: InputRequests, related?: JsonObject) => Promise<InputResponses>) | null;
  /** Refuses requests the client did not declare support for. Used where `ask` is null. */
  checkInputs(requests: InputRequests): void;
}

/** What a session remembers between requests; requests of a stateless revision get a fresh one each. */
export interface SessionState {
  readonly id: string | null;
  logLevel: LogLevel | null;
  readonly subscriptions: Set<string>;
}

/** A result: an object, or the JSON text of one that was serialised before. */
export type Result = JsonObject | RawResult;

export class RawResult {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}
