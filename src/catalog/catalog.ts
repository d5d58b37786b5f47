// What can be served, as server/ sees it: tools, resources, prompts, completion and their changes. Interface only.
// The catalogue of loaded components implements it; others can wrap it with the same shape; tests have one of fixtures.
// A call returns its outcome and never talks to the client itself, so that it survives a protocol without sessions.

import type { Caller } from '../core/caller.ts';
import type {
  Completion,
  CompletionReference,
  ContentBlock,
  Implementation,
  InputRequests,
  InputResponses,
  Json,
  JsonObject,
  LogLevel,
  Prompt,
  PromptMessage,
  Resource,
  ResourceContents,
  ResourceTemplate,
  Tool,
} from '../core/mcp.ts';

/** What the client says about itself. Self-reported: for display and for what may be asked of it, never for trust. */
export interface ClientView {
  readonly info: Implementation | null;
  readonly revision: string;
  readonly capabilities: JsonObject;
}

export interface CallContext {
  readonly caller: Caller;
  readonly client: ClientView;
  /** How the request came: `stdio`, `http`, `sse`, `websocket`. */
  readonly transport: string;
  /** A name for the session where the revision has one, for components that keep an instance per session. */
  readonly session: string | null;
  /** Aborts when the client cancels, disconnects where that means cancel, or the server stops. */
  readonly signal: AbortSignal;
  /** The request's own `_meta`, kept as it came. */
  readonly meta: JsonObject;
  /** Whether a `task` outcome would become a task; otherwise it is simply called again and waited for. */
  readonly tasks: boolean;
  /** Only growing values are passed on, and only if the client asked for progress. */
  progress(progress: number, total?: number, message?: string): void;
  log(level: LogLevel, data: Json, logger?: string): void;
  /** Lets go of the response stream while work continues, where the transport lets the client come back for it. */
  closeStream(): void;
  /** Told of each time a component ran for this call: for whoever records it. */
  readonly observe?: (run: ComponentRun) => void;
  /** Which components may answer, where more than one could; all of them if left out. */
  readonly reaches?: (component: string) => boolean;
}

/** One run of a component in its cell. */
export interface ComponentRun {
  readonly component: string;
  readonly digest: string;
  /** How it ended: `ok`, `err`, or the failure. */
  readonly outcome: string;
  readonly milliseconds: number;
  /** Permissions that were asked for and granted. */
  readonly granted: readonly string[];
  readonly denied: readonly { readonly permission: string; readonly reason: string }[];
}

/** What a name belongs to: a component, or Witbox itself, which has no digest. */
export interface Owner {
  readonly component: string;
  readonly digest: string;
}

export const BUILT_IN: Owner = { component: 'witbox', digest: '' };

/** What a second call of an interrupted request brings along. */
export interface Continuation {
  readonly responses?: InputResponses;
  /** The `state` of the outcome that this call continues; integrity and caller are already verified. */
  readonly state?: string;
}

export interface ToolCall extends Continuation {
  readonly name: string;
  readonly arguments: JsonObject;
}

export interface ResourceRead extends Continuation {
  readonly uri: string;
  /** Bytes of a blob, characters of a text. A catalogue that answers with more is cut by the server. */
  readonly range?: { readonly start: number; readonly length: number };
}

export interface PromptGet extends Continuation {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** More is needed from the client's side; `state` comes back with the answers. */
export interface InputRequired {
  readonly kind: 'input-required';
  readonly requests: InputRequests;
  readonly state?: string;
}

/** The rest takes long: call again with this state, as a task if the client has tasks. */
export interface BecomeTask {
  readonly kind: 'task';
  readonly state?: string;
}

export interface ToolComplete {
  readonly kind: 'complete';
  readonly content: readonly ContentBlock[];
  readonly structured?: Json;
  readonly isError?: boolean;
  readonly meta?: JsonObject;
}

export interface ResourceComplete {
  readonly kind: 'complete';
  readonly contents: readonly ResourceContents[];
  /** Set by a catalogue that cut the range itself: the size of the whole. */
  readonly total?: number;
}

export interface PromptComplete {
  readonly kind: 'complete';
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
}

export type ToolOutcome = ToolComplete | InputRequired | BecomeTask;
export type ResourceOutcome = ResourceComplete | InputRequired;
export type PromptOutcome = PromptComplete | InputRequired;

/** A list in stable order. Equal versions promise equal items: serialised lists are kept by it. */
export interface Listing<T> {
  readonly version: string;
  readonly items: readonly T[];
}

export type CatalogChange =
  | { readonly kind: 'tools' | 'resources' | 'prompts' }
  | { readonly kind: 'resource'; readonly uri: string };

/**
 * Unknown names throw WitboxError `unknown-tool`, `unknown-prompt`, `resource-not-found`; arguments that do not fit
 * are a complete outcome with `isError`; a denial throws `permission-denied`. Nothing else may reach the client.
 */
export interface Catalog {
  /** Settles when what was there at the start is loaded; a server waits for it before it lists or calls. */
  ready?(): Promise<void>;
  tools(caller: Caller): Listing<Tool>;
  /** Also finds names that the list does not show, such as qualified ones. */
  tool(caller: Caller, name: string): Tool | undefined;
  callTool(call: ToolCall, context: CallContext): Promise<ToolOutcome>;

  resources(caller: Caller): Listing<Resource>;
  resourceTemplates(caller: Caller): Listing<ResourceTemplate>;
  readResource(read: ResourceRead, context: CallContext): Promise<ResourceOutcome>;

  prompts(caller: Caller): Listing<Prompt>;
  getPrompt(get: PromptGet, context: CallContext): Promise<PromptOutcome>;

  complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    known: Readonly<Record<string, string>>,
    context: CallContext,
  ): Promise<Completion>;

  /** Whose a tool, a resource or a prompt is; undefined if nobody has that name. */
  owner(kind: 'tool' | 'resource' | 'prompt', key: string): Owner | undefined;

  /** Told of a tool that was asked for and not found, before the caller is: for whoever records it. */
  missed?(tool: string, context: CallContext): void;

  /** Whether a caller may know of a change; yes if left out. */
  sees?(caller: Caller, change: CatalogChange): boolean;

  /** A session is over: what was kept for it alone can go. */
  endSession?(session: string): void;

  /** Calls `listener` on every change until the returned function is called. */
  watch(listener: (change: CatalogChange) => void): () => void;
}
