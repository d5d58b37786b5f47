// A small MCP server that keeps the rules, written for being broken: every step can be replaced by one fault at a time.
// It speaks all five revisions from one function, `receive`; the transports around it are in `transports.ts`.

export type Json = { [key: string]: unknown };

export interface Outgoing {
  /** The answer, if the message gets one; an array for a batch. */
  readonly answer: unknown;
  /** Sent before the answer. */
  readonly before: readonly unknown[];
  /** HTTP status where the revision ties one to the answer. */
  readonly status: number;
}

/** What one broken server does otherwise. */
export interface Fault {
  /** Sees every answer before it leaves; returns what leaves instead. */
  answer?(answer: Json, request: Json): unknown;
  /** Sees every parsed message first; a result replaces all handling. */
  message?(message: unknown): Outgoing | undefined;
  /** Sees every text before it is parsed. */
  text?(text: string): Outgoing | undefined;
  http?: HttpFault;
  stdio?: StdioFault;
}

export interface HttpFault {
  readonly anyOrigin?: boolean;
  readonly anyHost?: boolean;
  readonly notificationStatus?: number;
  readonly notificationBody?: string;
  readonly anyMediaType?: boolean;
  readonly methodStatus?: number;
  readonly sessionId?: (count: number) => string;
  readonly forgetNothing?: boolean;
  readonly broadcast?: boolean;
  readonly streamWithoutHint?: boolean;
  readonly endlessBody?: boolean;
  readonly anyVersionHeader?: boolean;
  readonly contentType?: string;
  readonly anyHeaders?: boolean;
  readonly removedStatus?: number;
  readonly lateEndpoint?: boolean;
  readonly unauthorized?: string;
}

export interface StdioFault {
  /** Bytes printed to stdout at start. */
  readonly greeting?: string | Uint8Array;
  readonly indent?: boolean;
  readonly latin1?: boolean;
  readonly staysAlive?: boolean;
  readonly chunkIsMessage?: boolean;
  readonly diesOnGarbage?: boolean;
  readonly maxLine?: number;
}

const META = 'io.modelcontextprotocol/';
const LEGACY = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const MODERN = '2026-07-28';
const MAX_DEPTH = 200;

const error = (code: number, message: string, data?: unknown) => ({
  error: { code, message, ...(data === undefined ? {} : { data }) },
});

const TOOL = {
  name: 'echo',
  description: 'Gives back what it gets',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: true },
};
const OUTPUT = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };

/** State of one connection: the revision that was negotiated. */
export interface Connection {
  revision: string;
}

export function createReceiver(fault: Fault): (text: string, connection: Connection) => Outgoing {
  const nothing: Outgoing = { answer: undefined, before: [], status: 202 };

  function receive(text: string, connection: Connection): Outgoing {
    const replaced = fault.text?.(text);
    if (replaced !== undefined) return replaced;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return { answer: { jsonrpc: '2.0', ...error(-32700, 'Not JSON') }, before: [], status: 400 };
    }
    const early = fault.message?.(message);
    if (early !== undefined) return early;
    if (Array.isArray(message)) return batch(message, connection);
    return single(message, connection);
  }

  function batch(messages: readonly unknown[], connection: Connection): Outgoing {
    if (connection.revision !== '2025-03-26') return refuse(undefined, -32600, 'No batches at this revision');
    const answers = messages.map((one) => single(one, connection).answer).filter((one) => one !== undefined);
    return { answer: answers, before: [], status: 200 };
  }

  function refuse(id: unknown, code: number, message: string, data?: unknown, status = 400): Outgoing {
    const answer = { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), ...error(code, message, data) };
    return { answer: leave(answer, {}), before: [], status };
  }

  function leave(answer: Json, request: Json): unknown {
    return fault.answer === undefined ? answer : fault.answer(answer, request);
  }

  function single(message: unknown, connection: Connection): Outgoing {
    if (typeof message !== 'object' || message === null) return refuse(undefined, -32600, 'Not a request');
    const request = message as Json;
    const { id, method } = request;
    const idFits = typeof id === 'string' || Number.isInteger(id);
    if (request.jsonrpc !== '2.0' || typeof method !== 'string' || depth(request) > MAX_DEPTH) {
      return refuse(idFits ? id : undefined, -32600, 'Not a request');
    }
    if (!Object.hasOwn(request, 'id')) return nothing;
    if (!idFits) return refuse(undefined, -32600, 'The id must be a string or an integer');
    const params = (
      typeof request.params === 'object' && request.params !== null ? request.params : {}
    ) as Json;
    const { body, status } = dispatch(method, params, connection);
    return {
      answer: leave({ jsonrpc: '2.0', id, ...body }, request),
      before: progress(params, method),
      status,
    };
  }

  return receive;
}

function progress(params: Json, method: string): unknown[] {
  const token = (params._meta as Json | undefined)?.progressToken;
  if (method !== 'tools/call' || token === undefined) return [];
  return [1, 2].map((step) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: token, progress: step },
  }));
}

interface Dispatched {
  readonly body: Json;
  readonly status: number;
}

function dispatch(method: string, params: Json, connection: Connection): Dispatched {
  const meta = (params._meta ?? {}) as Json;
  const asked = meta[`${META}protocolVersion`];
  const modern = asked !== undefined;
  if (modern && asked !== MODERN) {
    const data = { supported: [...LEGACY, MODERN], requested: asked };
    return { body: error(-32022, 'Unsupported protocol version', data), status: 400 };
  }
  const revision = modern ? MODERN : connection.revision;
  const ok = (result: Json): Dispatched => ({
    body: { result: modern ? { resultType: 'complete', ...result } : result },
    status: 200,
  });
  const bad = (code: number, message: string, status = 200): Dispatched => ({
    body: error(code, message),
    status,
  });
  const cache = modern ? { ttlMs: 0, cacheScope: 'public' } : {};
  const listed = (key: string, items: readonly unknown[]) =>
    params.cursor === undefined ? ok({ [key]: items, ...cache }) : bad(-32602, 'Unknown cursor');

  switch (method) {
    case 'initialize': {
      const version = LEGACY.includes(String(params.protocolVersion))
        ? String(params.protocolVersion)
        : '2025-11-25';
      connection.revision = version;
      return ok({
        protocolVersion: version,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'broken', version: '1' },
      });
    }
    case 'server/discover':
      if (!modern) return bad(-32601, 'Method not found', 404);
      return ok({
        supportedVersions: [...LEGACY, MODERN],
        capabilities: { tools: {}, resources: {} },
        ...cache,
      });
    case 'ping':
      return modern ? bad(-32601, 'Method not found', 404) : ok({});
    case 'tools/list':
      return listed('tools', [revision >= '2025-06-18' ? { ...TOOL, outputSchema: OUTPUT } : TOOL]);
    case 'tools/call':
      return call(params, ok, bad, revision);
    case 'resources/list':
      return listed('resources', [{ uri: 'test://one', name: 'one' }]);
    case 'resources/read':
      return params.uri === 'test://one'
        ? ok({ contents: [{ uri: 'test://one', text: 'one' }], ...cache })
        : bad(modern ? -32602 : -32002, 'Resource not found');
    default:
      return bad(-32601, 'Method not found', 404);
  }
}

function call(
  params: Json,
  ok: (result: Json) => Dispatched,
  bad: (code: number, message: string) => Dispatched,
  revision: string,
): Dispatched {
  if (params.name !== 'echo') return bad(-32602, 'Unknown tool');
  const text = (params.arguments as Json | undefined)?.text;
  if (typeof text !== 'string')
    return ok({ content: [{ type: 'text', text: '/text must be a string' }], isError: true });
  const structured = revision >= '2025-06-18' ? { structuredContent: { text } } : {};
  return ok({ content: [{ type: 'text', text }], ...structured });
}

function depth(value: unknown): number {
  let deepest = 0;
  const open: [unknown, number][] = [[value, 1]];
  while (open.length > 0) {
    const [node, level] = open.pop()!;
    deepest = Math.max(deepest, level);
    if (typeof node === 'object' && node !== null)
      for (const child of Object.values(node)) open.push([child, level + 1]);
  }
  return deepest;
}
