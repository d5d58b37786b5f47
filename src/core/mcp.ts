// What MCP is about, in the richest form any revision has: tools, resources, prompts, content, questions to the
// client. Types only. Everything below protocol/ speaks this form; protocol/revisions/ projects it down per revision.

import type { Json, JsonObject } from './json.ts';

export interface Implementation {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly Icon[];
}

export interface Icon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
  readonly theme?: 'light' | 'dark';
}

export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  readonly priority?: number;
  readonly lastModified?: string;
}

interface Described {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
}

export interface Tool extends Described {
  readonly inputSchema: JsonObject;
  /** Any JSON Schema; revisions that want an object at the root get it wrapped as `{result: …}`. */
  readonly outputSchema?: JsonObject;
  readonly annotations?: ToolAnnotations;
  readonly task?: TaskSupport;
}

export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** How a tool goes with long-running tasks. Absent: a call is never a task. */
export interface TaskSupport {
  /** `required`: clients that have tasks must use one, clients without are refused where the revision has tasks. */
  readonly support: 'optional' | 'required';
  /** `call`: every call becomes a task at once. `outcome`: only when the tool returns a `task` outcome. */
  readonly begins: 'call' | 'outcome';
}

export interface Resource extends Described {
  readonly uri: string;
  readonly mimeType?: string;
  readonly size?: number;
  readonly annotations?: Annotations;
}

export interface ResourceTemplate extends Described {
  readonly uriTemplate: string;
  readonly mimeType?: string;
  readonly annotations?: Annotations;
}

export interface Prompt extends Described {
  readonly arguments?: readonly PromptArgument[];
}

interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: boolean;
}

export type ResourceContents =
  | { readonly uri: string; readonly mimeType?: string; readonly text: string; readonly meta?: JsonObject }
  | { readonly uri: string; readonly mimeType?: string; readonly blob: string; readonly meta?: JsonObject };

interface Block {
  readonly annotations?: Annotations;
  readonly meta?: JsonObject;
}

export type ContentBlock =
  | (Block & { readonly type: 'text'; readonly text: string })
  | (Block & { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string })
  | (Block & { readonly type: 'resource'; readonly resource: ResourceContents })
  | (Block & Resource & { readonly type: 'resource_link' });

export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** A question to the client's side, in the form of the newest revision; keys are chosen by the tool. */
export type InputRequests = Readonly<Record<string, InputRequest>>;

export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: JsonObject;
}

/** The client's answers under the same keys. Untrusted: a tool checks what it uses. */
export type InputResponses = Readonly<Record<string, JsonObject>>;

export interface Completion {
  readonly values: readonly string[];
  readonly total?: number;
  readonly hasMore?: boolean;
}

export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

export type { Json, JsonObject };
