// An MCP client: one connection to one server, on any transport and at any revision, with the same words for all of
// them. Built on the official client; what it lacks is beside this file: WebSocket, tasks, mending, errors that say what
// the server answered. The package exports this file as `witbox/client`.

import { readFile } from 'node:fs/promises';
import {
  type CallToolResult,
  type CompleteRequestParams,
  type CompleteResult,
  type GetPromptResult,
  type Implementation,
  LOG_LEVEL_META_KEY,
  type Progress,
  type Prompt,
  type ReadResourceResult,
  type RequestOptions,
  type Resource,
  type ResourceTemplateType,
  type ServerCapabilities,
  type Tool,
} from '@modelcontextprotocol/client';
import type { JsonObject } from '../core/json.ts';
import type { LogLevel } from '../core/mcp.ts';
import type { Link } from './link.ts';
import { openLink } from './link.ts';
import type { ConnectOptions, LinkOptions, Revision } from './options.ts';
import { type Change, createChanges, type Subscription, type Wanted } from './subscriptions.ts';
import type { Target } from './target.ts';
import { ANY_OBJECT, callAsTask, finishTask, type TaskState, taskIn } from './tasks.ts';

export { type CredentialFile, type Credentials, createCredentialFile } from './credentials.ts';
export { ConnectError } from './failures.ts';
export type { Handlers } from './handlers.ts';
export { createConsent } from './oauth.ts';
export { type ConnectOptions, REVISIONS, type Revision } from './options.ts';
export { addressTarget, describeTarget, type Target } from './target.ts';

const OPEN_MS = 30_000;
const REQUEST_MS = 60_000;

export interface CallOptions {
  /** Aborting it cancels the call at the server, too. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly meta?: JsonObject;
  onProgress?(progress: Progress): void;
  /** Each state of the task that the call has become. */
  onTask?(state: TaskState): void;
}

export interface Connection {
  readonly revision: Revision;
  readonly transport: Target['transport'];
  readonly server: {
    readonly info: Implementation | undefined;
    readonly capabilities: ServerCapabilities;
    readonly instructions: string | undefined;
  };
  tools(options?: CallOptions): Promise<readonly Tool[]>;
  /** A tool that fails gives a result with `isError`; rejects only if the call itself failed. */
  callTool(name: string, args?: JsonObject, options?: CallOptions): Promise<CallToolResult>;
  resources(options?: CallOptions): Promise<readonly Resource[]>;
  resourceTemplates(options?: CallOptions): Promise<readonly ResourceTemplateType[]>;
  readResource(uri: string, options?: CallOptions): Promise<ReadResourceResult>;
  prompts(options?: CallOptions): Promise<readonly Prompt[]>;
  getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: CallOptions,
  ): Promise<GetPromptResult>;
  complete(params: CompleteRequestParams, options?: CallOptions): Promise<CompleteResult>;
  /** Whether the server answers at all: `ping`, or discovery where there is no ping. */
  ping(options?: CallOptions): Promise<void>;
  subscribe(wanted: Wanted, onChange: (change: Change) => void): Promise<Subscription>;
  /** Tells the server that the list of roots is another now. */
  rootsChanged(): Promise<void>;
  /** Any other method, such as `tools/batch`. */
  request(method: string, params?: JsonObject, options?: CallOptions): Promise<JsonObject>;
  close(): Promise<void>;
}

/** Rejects with a ConnectError that says what the server answered. */
export async function connect(target: Target, options: ConnectOptions = {}): Promise<Connection> {
  const timeoutMs = options.timeoutMs ?? REQUEST_MS;
  const changes = createChanges(timeoutMs);
  const whole: LinkOptions = {
    ...options,
    info: options.info ?? { name: 'witbox', version: await ownVersion() },
    handlers: options.handlers ?? {},
    openTimeoutMs: options.openTimeoutMs ?? OPEN_MS,
    timeoutMs,
    prepare: changes.prepare,
  };
  const link = await openLink(target, whole);
  return createConnection(link, whole, (wanted, onChange) => changes.subscribe(link, wanted, onChange));
}

async function ownVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

function createConnection(link: Link, options: LinkOptions, subscribe: Connection['subscribe']): Connection {
  const run = <T>(
    method: string,
    call: CallOptions = {},
    use: (client: Link['client'], request: RequestOptions) => Promise<T>,
  ): Promise<T> => {
    const timeoutMs = call.timeoutMs ?? options.timeoutMs;
    const request: RequestOptions = {
      timeout: timeoutMs,
      resetTimeoutOnProgress: true,
      ...(call.signal && { signal: call.signal }),
      ...(call.onProgress && { onprogress: call.onProgress }),
    };
    return link.run(method, { timeoutMs, signal: call.signal }, (client) => use(client, request));
  };
  const modern = (): boolean => link.client.getProtocolEra() === 'modern';
  // Where there is no logging/setLevel, every request says what it wants to hear.
  const metaOf = (call: CallOptions = {}): { _meta?: Record<string, unknown> } => {
    const level: Record<string, LogLevel> =
      options.logLevel && modern() ? { [LOG_LEVEL_META_KEY]: options.logLevel } : {};
    const meta = { ...level, ...call.meta };
    return Object.keys(meta).length === 0 ? {} : { _meta: meta };
  };

  const tools: Connection['tools'] = async (call) =>
    (await run('tools/list', call, (client, request) => client.listTools(metaOf(call), request))).tools;

  async function needsTask(name: string, call: CallOptions | undefined): Promise<boolean> {
    if (link.client.getNegotiatedProtocolVersion() !== '2025-11-25') return false;
    if (!link.client.getServerCapabilities()?.tasks?.requests?.tools?.call) return false;
    const tool = (await tools(call)).find((one) => one.name === name);
    return tool?.execution?.taskSupport === 'required';
  }

  return {
    get revision() {
      return link.client.getNegotiatedProtocolVersion() as Revision;
    },
    get transport() {
      return link.transport;
    },
    get server() {
      return {
        info: link.client.getServerVersion(),
        capabilities: link.client.getServerCapabilities() ?? {},
        instructions: link.client.getInstructions(),
      };
    },
    tools,
    async callTool(name, args = {}, call = {}) {
      const params = { name, arguments: args as Record<string, unknown>, ...metaOf(call) };
      const task = { ...call, handlers: options.handlers, timeoutMs: call.timeoutMs ?? options.timeoutMs };
      if (await needsTask(name, call)) return callAsTask(link, params as unknown as JsonObject, task);
      const result = await run('tools/call', call, (client, request) => client.callTool(params, request));
      const created = taskIn(result);
      return created ? finishTask(link, created, task) : result;
    },
    resources: async (call) =>
      (await run('resources/list', call, (client, request) => client.listResources(metaOf(call), request)))
        .resources,
    resourceTemplates: async (call) =>
      (
        await run('resources/templates/list', call, (client, request) =>
          client.listResourceTemplates(metaOf(call), request),
        )
      ).resourceTemplates,
    readResource: (uri, call) =>
      run('resources/read', call, (client, request) =>
        client.readResource({ uri, ...metaOf(call) }, request),
      ),
    prompts: async (call) =>
      (await run('prompts/list', call, (client, request) => client.listPrompts(metaOf(call), request)))
        .prompts,
    getPrompt: (name, args = {}, call) =>
      run('prompts/get', call, (client, request) =>
        client.getPrompt({ name, arguments: { ...args }, ...metaOf(call) }, request),
      ),
    complete: (params, call) =>
      run('completion/complete', call, (client, request) =>
        client.complete({ ...params, ...metaOf(call) }, request),
      ),
    async ping(call) {
      if (modern()) await run('server/discover', call, (client, request) => client.discover(request));
      else await run('ping', call, (client, request) => client.ping(request));
    },
    subscribe,
    rootsChanged: () =>
      run('notifications/roots/list_changed', {}, (client) => client.sendRootsListChanged()),
    request: (method, params = {}, call) =>
      run(method, call, (client, request) =>
        client.request({ method, params: { ...params, ...metaOf(call) } }, ANY_OBJECT, request),
      ),
    close: link.close,
  };
}
