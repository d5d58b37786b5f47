// The methods of the small server, at every revision.

import type { Connection, Json } from './server.ts';

const META = 'io.modelcontextprotocol/';
const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const MODERN = '2026-07-28';
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const SLOW = 250;
const SERVER = { name: 'broken', version: '1' };

export const error = (code: number, message: string, data?: unknown) => ({
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

const TEXT = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const PROMPT = { name: 'greet', arguments: [{ name: 'who', required: true }] };

export interface Request {
  readonly id: unknown;
  readonly method: string;
  readonly params: Json;
  readonly connection: Connection;
  readonly slow: boolean;
}

export interface Dispatched {
  /** Null when there is no answer yet. */
  readonly body: Json | null;
  readonly status: number;
  readonly before: readonly unknown[];
  readonly after?: number;
  readonly staysOpen?: boolean;
}

export function dispatch(request: Request): Dispatched {
  const { method, params, connection } = request;
  const meta = (params._meta ?? {}) as Json;
  const asked = meta[`${META}protocolVersion`];
  const modern = asked !== undefined;
  const bad = (code: number, message: string, status = 200, data?: unknown): Dispatched => ({
    body: error(code, message, data),
    status,
    before: [],
  });
  if (modern && asked !== MODERN) {
    const data = { supported: [...LEGACY, MODERN], requested: asked };
    return bad(-32022, 'Unsupported protocol version', 400, data);
  }
  if (modern && meta[`${META}clientCapabilities`] === undefined)
    return bad(-32602, 'clientCapabilities is missing', 400);
  const revision = modern ? MODERN : connection.revision;
  const ok = (result: Json): Dispatched => ({
    body: {
      result: modern
        ? { resultType: 'complete', _meta: { [`${META}serverInfo`]: SERVER }, ...result }
        : result,
    },
    status: 200,
    before: [],
  });
  const cache = modern ? { ttlMs: 0, cacheScope: 'public' } : {};
  const listed = (key: string, items: readonly unknown[]) =>
    params.cursor === undefined ? ok({ [key]: items, ...cache }) : bad(-32602, 'Unknown cursor');
  const capabilities = {
    tools: modern ? { listChanged: true } : {},
    resources: {},
    prompts: {},
    logging: {},
    ...(revision >= '2025-03-26' ? { completions: {} } : {}),
  };
  const unknown = () => bad(-32601, 'Method not found', 404);

  switch (method) {
    case 'initialize': {
      const version = LEGACY.includes(String(params.protocolVersion))
        ? String(params.protocolVersion)
        : '2025-11-25';
      connection.revision = version;
      const own = version === '2024-11-05' ? { ...capabilities, completions: undefined } : capabilities;
      return ok({
        protocolVersion: version,
        capabilities: version >= '2025-03-26' ? { ...own, completions: {} } : own,
        serverInfo: SERVER,
      });
    }
    case 'server/discover':
      return modern ? ok({ supportedVersions: [...LEGACY, MODERN], capabilities, ...cache }) : unknown();
    case 'ping':
      return modern ? unknown() : ok({});
    case 'logging/setLevel':
      if (modern) return unknown();
      return LEVELS.includes(String(params.level)) ? ok({}) : bad(-32602, 'Unknown level');
    case 'subscriptions/listen':
      return modern ? acknowledged(request) : unknown();
    case 'tools/list':
      return listed('tools', toolsAt(revision, request.slow));
    case 'tools/call':
      return call(request, ok, bad, revision);
    case 'resources/list':
      return listed('resources', [{ uri: 'test://one', name: 'one' }]);
    case 'resources/templates/list':
      return listed('resourceTemplates', [{ uriTemplate: 'test://{id}', name: 'any' }]);
    case 'resources/read':
      return params.uri === 'test://one'
        ? ok({ contents: [{ uri: 'test://one', text: 'one' }], ...cache })
        : bad(modern ? -32602 : -32002, 'Resource not found');
    case 'prompts/list':
      return listed('prompts', [PROMPT]);
    case 'prompts/get': {
      const who = (params.arguments as Json | undefined)?.who;
      if (params.name !== PROMPT.name || who === undefined) return bad(-32602, 'Unknown prompt or no name');
      return ok({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}` } }] });
    }
    case 'completion/complete':
      return ok({ completion: { values: ['ann', 'bob'] } });
    default:
      return unknown();
  }
}

function toolsAt(revision: string, slow: boolean): Json[] {
  const { text } = TEXT.properties;
  // A header for one of the arguments, where the revision has that.
  const inputSchema =
    revision === MODERN ? { ...TEXT, properties: { text: { ...text, 'x-mcp-header': 'Text' } } } : TEXT;
  const hint = revision >= '2025-03-26' ? { annotations: { readOnlyHint: true } } : {};
  const echo = {
    name: 'echo',
    description: 'Gives back what it gets',
    inputSchema,
    ...hint,
    ...(revision >= '2025-06-18' ? { outputSchema: TEXT } : {}),
  };
  return slow ? [echo, { name: 'slow', inputSchema: { type: 'object' }, ...hint }] : [echo];
}

function call(
  { params, slow }: Request,
  ok: (result: Json) => Dispatched,
  bad: (code: number, message: string) => Dispatched,
  revision: string,
): Dispatched {
  if (params.name === 'slow' && slow) return { ...ok({ content: [] }), after: SLOW };
  if (params.name !== 'echo') return bad(-32602, 'Unknown tool');
  const text = (params.arguments as Json | undefined)?.text;
  if (typeof text !== 'string')
    return ok({ content: [{ type: 'text', text: '/text must be a string' }], isError: true });
  const structured = revision >= '2025-06-18' ? { structuredContent: { text } } : {};
  return ok({ content: [{ type: 'text', text: JSON.stringify({ text }) }], ...structured });
}

function acknowledged({ id, params }: Request): Dispatched {
  const notice = {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { _meta: { [`${META}subscriptionId`]: id }, notifications: params.notifications },
  };
  return { body: null, status: 200, before: [notice], staysOpen: true };
}
