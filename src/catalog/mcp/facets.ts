// A component that speaks MCP itself, as the catalogue uses it: its own tools, prompts, resources and completion. Each
// facet is an exported interface of witbox:mcp; calling one is an ordinary call into a cell, and what comes back is read
// as hostile before anybody sees it.

import type { Description } from '../../cell/description.ts';
import type { Outcome } from '../../cell/outcome.ts';
import { WitboxError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type {
  Completion,
  CompletionReference,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
} from '../../core/mcp.ts';
import type {
  Continuation,
  InputRequired,
  PromptGet,
  PromptOutcome,
  ResourceComplete,
  ResourceRead,
  ToolCall,
  ToolOutcome,
} from '../catalog.ts';
import { toolResult } from '../tool-result.ts';
import {
  capabilityOf,
  readBlock,
  readContent,
  readInputRequired,
  readListed,
  readResourceContents,
} from './content.ts';
import { readPrompt, readTemplate, readTool } from './descriptions.ts';
import { array, json, Lie, number, object, optional, text, variant } from './fields.ts';

const PACKAGE = 'witbox:mcp/';
const MOST_ITEMS = 10_000;

/** Makes one call of an exported function; the caller adds host, limits and log. */
export type Invoke = (path: readonly string[], args: JsonObject) => Promise<Outcome>;

/** Throws `permission-denied` when the component may not ask this of the client's side. */
export type MayAsk = (capability: string) => void;

export interface Facets {
  readonly hasTools: boolean;
  listTools(invoke: Invoke, onLie: (problem: string) => void): Promise<Tool[]>;
  callTool(invoke: Invoke, call: ToolCall, meta: JsonObject, mayAsk: MayAsk): Promise<ToolOutcome>;
  listPrompts(invoke: Invoke, onLie: (problem: string) => void): Promise<Prompt[]>;
  getPrompt(invoke: Invoke, get: PromptGet, mayAsk: MayAsk): Promise<PromptOutcome>;
  listResources(invoke: Invoke, onLie: (problem: string) => void): Promise<Resource[]>;
  listTemplates(invoke: Invoke, onLie: (problem: string) => void): Promise<ResourceTemplate[]>;
  /** Null for a URI that is not this component's. */
  readResource(invoke: Invoke, read: ResourceRead): Promise<ResourceComplete | null>;
  complete(
    invoke: Invoke,
    reference: CompletionReference,
    name: string,
    value: string,
    known: Readonly<Record<string, string>>,
  ): Promise<Completion>;
}

export const isMcpExport = (path: readonly string[]): boolean =>
  path.length === 2 && path[0]!.startsWith(PACKAGE);

export function facetsOf(component: string, { functions }: Description): Facets {
  const paths = new Map(
    functions
      .filter(({ path }) => isMcpExport(path))
      .map(({ path }) => [`${nameOf(path[0]!)}.${path[1]}`, path]),
  );

  async function ask(invoke: Invoke, name: string, args: JsonObject, what: Unknown): Promise<Json> {
    return answerOf(await invoke(paths.get(name)!, args), what);
  }

  function answerOf(outcome: Outcome, what: Unknown): Json {
    if (outcome.kind === 'ok') return JSON.parse(outcome.json) as Json;
    throw failureOf(outcome, component, what);
  }

  async function list<T>(
    invoke: Invoke,
    name: string,
    read: (value: Json) => T,
    onLie: (problem: string) => void,
  ): Promise<T[]> {
    if (!paths.has(name)) return [];
    const found: T[] = [];
    for (const item of array(await ask(invoke, name, {}, NOTHING), name, MOST_ITEMS)) {
      try {
        found.push(read(item));
      } catch (error) {
        if (!(error instanceof Lie)) throw error;
        onLie(error.message);
      }
    }
    return found;
  }

  /** What a component says instead of an answer is its own fault, and told as such. */
  function truth<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw error instanceof Lie
        ? new WitboxError('component-lies', { component, problem: error.message })
        : error;
    }
  }

  return {
    hasTools: paths.has('tools.call-tool'),
    listTools: (invoke, onLie) => list(invoke, 'tools.list-tools', readTool, onLie),
    async callTool(invoke, call, meta, mayAsk) {
      const args = {
        name: call.name,
        arguments: JSON.stringify(call.arguments),
        meta: JSON.stringify(meta),
        continuation: continuation(call),
      };
      const outcome = await invoke(paths.get('tools.call-tool')!, { call: args });
      // A guest that traps or runs out of something is told like any other: as a result of the tool.
      if (outcome.kind !== 'ok' && outcome.kind !== 'err')
        return toolResult(outcome, { component, func: call.name, kind: 'component' });
      const answer = answerOf(outcome, { code: 'unknown-tool', name: call.name });
      return truth(() => readToolOutcome(answer, mayAsk));
    },
    listPrompts: (invoke, onLie) => list(invoke, 'prompts.list-prompts', readPrompt, onLie),
    async getPrompt(invoke, get, mayAsk) {
      const args = {
        name: get.name,
        arguments: Object.entries(get.arguments),
        continuation: continuation(get),
      };
      const answer = await ask(invoke, 'prompts.get-prompt', args, {
        code: 'unknown-prompt',
        name: get.name,
      });
      return truth(() => readPromptOutcome(answer, mayAsk));
    },
    listResources: (invoke, onLie) => list(invoke, 'resources.list-resources', readListed, onLie),
    listTemplates: (invoke, onLie) => list(invoke, 'resources.list-templates', readTemplate, onLie),
    async readResource(invoke, { uri, range }) {
      if (!paths.has('resources.read')) return null;
      const answer = await ask(
        invoke,
        'resources.read',
        { uri, range: range ?? null },
        { code: 'resource-not-found', name: uri },
      );
      if (answer === null) return null;
      return truth(() => readReadResult(answer));
    },
    async complete(invoke, reference, name, value, known) {
      if (!paths.has('completion.complete')) return { values: [] };
      const tagged =
        reference.type === 'ref/prompt'
          ? { tag: 'prompt', val: reference.name }
          : { tag: 'template', val: reference.uri };
      const args = { reference: tagged, name, value, known: Object.entries(known) };
      const answer = await ask(invoke, 'completion.complete', args, NOTHING);
      return truth(() => readCompletion(answer));
    },
  };
}

const nameOf = (interfaceName: string): string => interfaceName.slice(PACKAGE.length).replace(/@.*/, '');

function continuation({ state, responses }: Continuation): JsonObject {
  const answers = Object.entries(responses ?? {}).map(([key, value]) => [key, JSON.stringify(value)]);
  return { state: state ?? null, answers };
}

function readToolOutcome(value: Json, mayAsk: MayAsk): ToolOutcome {
  const { tag, val } = variant(value, 'outcome');
  if (tag === 'input-required') return asking(val, mayAsk);
  if (tag === 'task') return { kind: 'task', ...optional('state', val, text) };
  const fields = object(val, 'result');
  return {
    kind: 'complete',
    content: readContent(fields.content),
    ...optional('structured', fields.structured, json),
    ...(fields['is-error'] === true ? { isError: true } : {}),
  };
}

function readPromptOutcome(value: Json, mayAsk: MayAsk): PromptOutcome {
  const { tag, val } = variant(value, 'outcome');
  if (tag === 'input-required') return asking(val, mayAsk);
  const fields = object(val, 'result');
  const messages = array(fields.messages, 'messages', 1_000).map((one) => {
    const { role, content } = object(one, 'message');
    return {
      role: role === 'assistant' ? ('assistant' as const) : ('user' as const),
      content: readBlock(content!),
    };
  });
  return { kind: 'complete', ...optional('description', fields.description, text), messages };
}

function readReadResult(value: Json): ResourceComplete {
  const fields = object(value, 'read-result');
  return {
    kind: 'complete',
    contents: array(fields.contents, 'contents', 1_000).map(readResourceContents),
    ...optional('total', fields.total, number),
  };
}

function asking(value: Json | undefined, mayAsk: MayAsk): InputRequired {
  const required = readInputRequired(value);
  for (const question of Object.values(required.requests)) mayAsk(capabilityOf(question));
  return required;
}

function readCompletion(value: Json): Completion {
  const fields = object(value, 'completions');
  return {
    values: array(fields.values, 'values', 100).map((one) => text(one, 'value', 8_192)),
    ...(typeof fields.total === 'number' ? { total: fields.total } : {}),
    hasMore: fields['has-more'] === true,
  };
}

type Unknown =
  | { readonly code: 'unknown-tool' | 'unknown-prompt' | 'resource-not-found'; readonly name: string }
  | { readonly code: null };
const NOTHING: Unknown = { code: null };

function failureOf(outcome: Exclude<Outcome, { kind: 'ok' }>, component: string, what: Unknown): WitboxError {
  const [denial] = outcome.denials;
  if (denial !== undefined) {
    return new WitboxError('permission-denied', {
      component_id: component,
      permission: denial.permission,
      reason: denial.reason,
    });
  }
  if (outcome.kind !== 'err')
    return new WitboxError('component-failed', { component, problem: outcome.message });
  const { tag, val } = variant(JSON.parse(outcome.json) as Json, 'failure');
  if (tag === 'unknown' && what.code !== null)
    return new WitboxError(what.code, { name: what.name, uri: what.name });
  if (tag === 'invalid') return new WitboxError('invalid-params', { reason: text(val, 'reason', 1_000) });
  return new WitboxError('component-failed', {
    component,
    problem: 'it says so itself; its log has the details',
  });
}
