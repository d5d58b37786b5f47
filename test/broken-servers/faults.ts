// One broken server per check: the smallest change to the correct one that breaks just that rule.

import type { Revision, Transport } from '../../src/check/model.ts';
import { followsReferences, keepsState, keepsTasks } from './keepers.ts';
import type { Fault, Json, Outgoing } from './server.ts';

export interface BrokenServer {
  readonly transport: Transport;
  readonly revision: Revision;
  readonly fault: Fault;
  /** Revisions that are tried beside it, where the check looks at all of them. */
  readonly tried?: readonly Revision[];
  /** How long to wait for what never comes. */
  readonly milliseconds?: number;
  /** The same server without the fault on this transport, to be compared with. */
  readonly beside?: Transport;
  /** The caller has to prove who they are. */
  readonly guarded?: boolean;
  /** Checks that rightly fail along with it, since one wrong byte breaks two rules. */
  readonly with?: readonly string[];
}

const onHttp = (fault: Fault, revision: Revision = '2025-11-25'): BrokenServer => ({
  transport: 'http',
  revision,
  fault,
});
const onWebSocket = (fault: Fault, revision: Revision = '2025-11-25'): BrokenServer => ({
  transport: 'websocket',
  revision,
  fault,
});
const modern = (fault: Fault): BrokenServer => onHttp(fault, '2026-07-28');
const onStdio = (stdio: Fault['stdio'], more: Partial<BrokenServer> = {}): BrokenServer => ({
  transport: 'stdio',
  revision: '2025-11-25',
  fault: { stdio: stdio ?? {} },
  ...more,
});

const canBeAsked = (meta: Json): boolean =>
  (meta['io.modelcontextprotocol/clientCapabilities'] as Json | undefined)?.elicitation !== undefined;
const LOG = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } };
const ELICIT = {
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
};
const said = (answer: unknown, status = 200): Outgoing => ({ answer, before: [], status });
const dies: Outgoing = { answer: undefined, before: [], status: 500, dies: true };

/** Changes the results of one method. */
const result = (method: string, change: (result: Json) => Json): Fault => ({
  answer: (answer, request) =>
    request.method === method && answer.result !== undefined
      ? { ...answer, result: change(answer.result as Json) }
      : answer,
});

/** Replaces one error code by another, for one method or for all. */
const code = (from: number, to: number, method?: string): Fault => ({
  answer: (answer, request) => {
    const error = answer.error as Json | undefined;
    const hit = error?.code === from && (method === undefined || request.method === method);
    return hit ? { ...answer, error: { ...error, code: to } } : answer;
  },
});

const tools = (change: (tool: Json) => Json): Fault =>
  result('tools/list', (list) => ({ ...list, tools: (list.tools as Json[]).map(change) }));

export const BROKEN: Readonly<Record<string, BrokenServer>> = {
  // stdio
  S01: onStdio({ greeting: '>> ready\n' }),
  S02: onStdio({ indent: true }, { with: ['S01'] }),
  S03: onStdio({ greeting: new Uint8Array([0x3e, 0xff, 0x0a]) }, { with: ['S01'] }),
  S04: onStdio({ greeting: 'info: server started\n' }, { with: ['S01'] }),
  S05: onStdio({ staysAlive: true }, { milliseconds: 1_500 }),
  S06: onStdio({ diesOnBlankLine: true }),
  S07: onStdio({ diesOnGarbage: true }, { with: ['X01'] }),
  S08: onStdio({ maxLine: 1 << 20 }),
  S09: onWebSocket(
    before('tools/list', { jsonrpc: '2.0', id: 'server-1', method: 'roots/list' }),
    '2026-07-28',
  ),
  S10: onHttp(
    {
      message: (message) =>
        Array.isArray(message)
          ? said({ jsonrpc: '2.0', error: { code: -32600, message: 'no' } }, 400)
          : undefined,
    },
    '2025-03-26',
  ),

  // JSON-RPC
  J01: onHttp({ answer: (answer) => ({ ...answer, id: String(answer.id) }) }),
  J02: onHttp({
    message: (message) =>
      (message as Json).id === null ? said({ jsonrpc: '2.0', id: null, result: {} }) : undefined,
  }),
  J03: onHttp({
    message: (message) =>
      String((message as Json).method).startsWith('notifications/witbox')
        ? said({ jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' } })
        : undefined,
  }),
  J04: onHttp(code(-32601, -32000)),
  J05: onHttp({
    message: (message) =>
      (message as Json).jsonrpc === '1.0' ? said({ jsonrpc: '2.0', id: 1, result: {} }) : undefined,
  }),
  J06: onHttp({
    answer: (answer, request) =>
      request.method === 'ping' ? { ...answer, error: { code: 1, message: 'both' } } : answer,
  }),
  J07: onHttp({
    answer: (answer, request) =>
      request.method === 'prompts/get' && answer.error !== undefined
        ? { ...answer, error: { code: (answer.error as Json).code } }
        : answer,
  }),
  J08: onWebSocket({ message: dieWhen((message) => message.id === 'witbox-check-twice') }),
  J09: onHttp({
    message: (message) =>
      Array.isArray(message)
        ? said(message.map(({ id }: Json) => ({ jsonrpc: '2.0', id, result: {} })))
        : undefined,
  }),
  J10: onWebSocket({ text: dieOnText('__proto__') }),
  J11: onWebSocket({ text: dieOnText('{"a":{"a":{"a":{"a":') }),
  J12: onWebSocket(
    before('witbox-check/no-such-method', ({ id }: Json) => ({
      jsonrpc: '2.0',
      id,
      error: { code: -32601, message: 'Method not found' },
    })),
  ),

  // versions
  V01: {
    ...onHttp(
      result('initialize', (opened) =>
        opened.protocolVersion === '2025-06-18' ? { ...opened, protocolVersion: '2025-03-26' } : opened,
      ),
    ),
    tried: ['2025-06-18', '2026-07-28'],
    with: ['V05'],
  },
  V02: onHttp({
    message: (message) =>
      ((message as Json).params as Json | undefined)?.protocolVersion === '1999-01-01'
        ? said({
            jsonrpc: '2.0',
            id: (message as Json).id,
            result: {
              protocolVersion: '1999-01-01',
              capabilities: {},
              serverInfo: { name: 'x', version: '1' },
            },
          })
        : undefined,
  }),
  V03: onHttp(
    result('tools/call', (called) => ({ ...called, content: [{ type: 'text', value: 'no text' }] })),
  ),
  V04: modern(code(-32022, -32602)),
  V05: {
    ...modern(
      result('initialize', (opened) =>
        opened.protocolVersion === '2025-06-18' ? { ...opened, protocolVersion: '2025-03-26' } : opened,
      ),
    ),
    tried: ['2025-06-18'],
    with: ['V01'],
  },
  V06: {
    with: ['H05'],
    tried: ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'],
    ...modern({
      message: (message) =>
        (message as Json).method === 'initialize'
          ? said({
              jsonrpc: '2.0',
              id: (message as Json).id,
              error: { code: -32601, message: 'Method not found' },
            })
          : undefined,
      ...result('server/discover', (found) => ({ ...found, supportedVersions: ['2026-07-28'] })),
    }),
  },
  V07: onHttp({ http: { anyVersionHeader: true } }),
  V08: onWebSocket({ message: dieWhen((message) => message.id === 'early') }),
  V09: {
    transport: 'stdio',
    revision: '2026-07-28',
    fault: firstMustBe('server/discover'),
  },

  // HTTP
  H01: onHttp({ http: { anyOrigin: true } }),
  H02: onHttp({ http: { anyHost: true } }),
  H03: onHttp({ http: { notificationStatus: 200 } }),
  H04: onHttp({ http: { anyMediaType: true } }),
  H05: onHttp({ http: { getStatus: 200 } }),
  H06: onHttp({ http: { sessionId: (count) => `session-${count}` } }),
  H07: onHttp({ http: { anyPrincipal: true } }),
  H08: onHttp({ http: { replaysAll: true } }),
  H09: onHttp({ http: { broadcast: true } }),
  H10: onHttp({ http: { disconnectCancels: true } }),
  H11: modern({ http: { streamWithoutHint: true } }),
  H12: { ...onHttp({ http: { endlessBody: true } }), milliseconds: 1_500 },
  H13: { transport: 'sse', revision: '2024-11-05', fault: { http: { lateEndpoint: true } } },
  H14: onHttp({ http: { forgetNothing: true } }),
  H15: onHttp({ http: { contentType: 'text/plain' } }),
  H19: onHttp({
    http: { sessionId: (count) => `${count}-a session with spaces-${'abcdefghijklmnop'.repeat(count)}` },
  }),
  H20: onHttp({ http: { missingSessionStatus: 404 } }),
  H21: { ...onHttp({ http: { sameEventIds: true } }), with: ['H10'] },
  H22: modern({ http: { namesNotDecoded: true } }),
  H23: modern({ http: { alwaysSession: true } }),
  H24: onHttp({ http: { streamStaysOpen: true } }),
  H25: modern({ http: { anyParameterHeaders: true } }),
  H16: modern({ http: { removedStatus: 200 } }),
  H17: { ...modern({ http: { anyHeaders: true } }), with: ['H25', 'V07'] },
  H18: modern(before('tools/call', { jsonrpc: '2.0', id: 's1', method: 'roots/list' })),

  // features
  F01: onHttp(result('initialize', (opened) => ({ ...opened, capabilities: { tools: {} } }))),
  F02: onHttp(
    tools((tool) => ({ ...tool, inputSchema: { type: 'object', properties: { text: { type: 'text' } } } })),
  ),
  F03: { ...onHttp(tools((tool) => ({ ...tool, name: 'echo text' }))), with: ['F06'] },
  F04: onHttp(
    result('tools/call', ({ structuredContent, ...rest }) =>
      structuredContent === undefined ? rest : { ...rest, structuredContent: { text: 5 } },
    ),
  ),
  F05: onHttp(code(-32602, -32601, 'tools/call')),
  F06: onHttp(result('tools/call', ({ isError, ...rest }) => rest)),
  F07: onHttp(code(-32002, -32603)),
  F08: onHttp({
    answer: (answer, request) =>
      (request.params as Json | undefined)?.cursor === undefined
        ? answer
        : {
            jsonrpc: '2.0',
            id: answer.id,
            result: { tools: [], resources: [], prompts: [], resourceTemplates: [] },
          },
  }),
  F09: modern(reversing()),
  F10: onHttp({
    message: (message) => {
      const { id, method, params } = message as Json;
      const token = ((params as Json | undefined)?._meta as Json | undefined)?.progressToken;
      if (method !== 'tools/call' || token === undefined) return undefined;
      const step = (progress: number) => ({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken: token, progress },
      });
      return {
        answer: {
          jsonrpc: '2.0',
          id,
          result: { content: [{ type: 'text', text: 'a' }], structuredContent: { text: 'a' } },
        },
        before: [step(2), step(1)],
        status: 200,
      };
    },
  }),
  F11: { ...onWebSocket({ slow: true, ignoresCancel: true }) },
  F12: modern(before('tools/call', LOG)),
  F13: onWebSocket(pingFailsUnderLoad()),
  F14: modern(flippingScope()),
  F16: modern(
    tools((tool) => ({
      ...tool,
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string', 'x-mcp-header': 'bad name' } },
        required: ['text'],
      },
    })),
  ),

  F17: modern(
    tools((tool) => ({
      ...tool,
      outputSchema: {
        type: 'object',
        properties: { text: { type: 'string' }, more: { $ref: 'https://example.com/more.json' } },
      },
    })),
  ),
  F28: modern(followsReferences()),
  F29: modern(keepsState({ anyRequest: true })),
  F30: modern(keepsState({ anyCaller: true })),
  F18: modern(asking({ inputRequests: { name: ELICIT } }, () => true)),
  F19: modern(asking({}, canBeAsked)),
  F20: modern({
    message: (message) =>
      (message as Json).method === 'subscriptions/listen'
        ? said({ jsonrpc: '2.0', id: (message as Json).id, result: { resultType: 'complete' } })
        : undefined,
  }),
  F21: modern({
    message: (message) =>
      isGoodCall(message)
        ? said(
            { jsonrpc: '2.0', id: (message as Json).id, error: { code: -32021, message: 'No elicitation' } },
            400,
          )
        : undefined,
  }),
  F27: onWebSocket(before('tools/call', { jsonrpc: '2.0', id: 's1', method: 'roots/list' })),
  F22: { ...onHttp(code(-32602, -32603, 'prompts/get')), with: ['F23'] },
  F23: onHttp({
    answer: (answer, { method, params }) =>
      method === 'prompts/get' && (params as Json).name === 'greet'
        ? { jsonrpc: '2.0', id: answer.id, result: { messages: [] } }
        : answer,
  }),
  F24: onHttp({
    answer: (answer, { method }) =>
      method === 'logging/setLevel' ? { jsonrpc: '2.0', id: answer.id, result: {} } : answer,
  }),
  F25: onHttp(result('tools/call', (called) => ({ ...called, content: [] }))),
  F26: onWebSocket({
    ...before('tools/call', LOG),
    ...result('initialize', ({ capabilities, ...opened }) => ({
      ...opened,
      capabilities: { ...(capabilities as Json), logging: undefined },
    })),
  }),
  V10: onHttp(
    tools((tool) => ({ ...tool, icons: [] })),
    '2025-06-18',
  ),
  V11: modern({
    answer: (answer, { params }) =>
      Object.hasOwn((params as Json)._meta as Json, 'io.modelcontextprotocol/clientCapabilities')
        ? answer
        : { ...answer, error: { code: -32600, message: 'clientCapabilities is missing' } },
  }),
  V12: modern(result('server/discover', ({ _meta, ...found }) => found)),
  V13: onHttp(result('tools/list', (list) => ({ ...list, _meta: { '-not a key-': 1 } }))),

  // security
  X01: onHttp({
    answer: (answer) =>
      answer.error === undefined
        ? answer
        : {
            ...answer,
            error: {
              ...(answer.error as Json),
              message: 'Error: no\n    at run (/home/ann/server/index.js:3:5)',
            },
          },
  }),
  F15: {
    ...modern(asking({ inputRequests: {}, requestState: 'step-1-of-2-unsigned' }, canBeAsked)),
    with: ['F29', 'F30'],
  },
  X02: onHttp({ http: { noRateLimit: true } }),
  X03: onHttp({ http: { unauthorized: '' } }),
  X04: { ...onWebSocket(tools((tool) => ({ ...tool, description: 'Another' }))), beside: 'http' },
  X05: onWebSocket({ http: { noSubprotocol: true } }),
  X06: modern(keepsTasks({ taskId: counting() })),
  X07: { ...onHttp({ http: { guard: { ignoresSignature: true } } }), guarded: true },
  X08: { ...onHttp({ http: { guard: { ignoresAudience: true } } }), guarded: true },
  X09: modern(keepsTasks({ anyCaller: true })),
};

function counting(): () => string {
  let count = 0;
  return () => String(++count);
}

/** Something that comes before the answers of one method. */
function before(method: string, what: Json | ((request: Json) => Json)): Fault {
  return {
    answer: (answer) => answer,
    extra: (request) =>
      request.method === method ? [typeof what === 'function' ? what(request) : what] : [],
  };
}

/** Asks for input in calls of its tool, then takes any state it gets back. */
function asking(result: Json, when: (meta: Json) => boolean): Fault {
  return {
    message: (message) => {
      const { id, params } = message as Json;
      const meta = ((params as Json | undefined)?._meta ?? {}) as Json;
      if (!isGoodCall(message) || !when(meta) || (params as Json).requestState !== undefined)
        return undefined;
      return said({ jsonrpc: '2.0', id, result: { resultType: 'input_required', ...result } });
    },
  };
}

function isGoodCall(message: unknown): boolean {
  const { method, params } = message as Json;
  return (
    method === 'tools/call' && typeof ((params as Json).arguments as Json | undefined)?.text === 'string'
  );
}

function dieWhen(matches: (message: Json) => boolean): (message: unknown) => Outgoing | undefined {
  return (message) => {
    return matches(message as Json) ? dies : undefined;
  };
}

function dieOnText(part: string): (text: string) => Outgoing | undefined {
  return (text) => {
    return text.includes(part) ? dies : undefined;
  };
}

function firstMustBe(method: string): Fault {
  let opened = false;
  return {
    message: (message) => {
      opened ||= (message as Json).method === method || (message as Json).method === 'initialize';
      return opened
        ? undefined
        : said({ jsonrpc: '2.0', id: (message as Json).id, error: { code: -32600, message: 'not opened' } });
    },
  };
}

function reversing(): Fault {
  let turn = 0;
  const change = result('tools/list', (list) => {
    const both = list.tools as Json[];
    return { ...list, tools: turn++ % 2 === 0 ? both : both.toReversed() };
  });
  return { ...change, slow: true };
}

/** The load check sends its ping after fifty other requests on a connection of its own. */
function pingFailsUnderLoad(): Fault {
  let lists = 0;
  return {
    answer: (answer, { method }) => {
      lists = method === 'tools/list' ? lists + 1 : method === 'ping' && lists < 40 ? 0 : lists;
      if (method !== 'ping' || lists < 40) return answer;
      lists = 0;
      return { jsonrpc: '2.0', id: answer.id, error: { code: -32000, message: 'busy' } };
    },
  };
}

function flippingScope(): Fault {
  return {
    answer: (answer, request) => {
      const body = answer.result as Json | undefined;
      if (request.method !== 'tools/list' || body === undefined) return answer;
      return { ...answer, result: { ...body, cacheScope: 'public', nextCursor: 'two' } };
    },
    message: (message) => {
      const { id, method, params } = message as Json;
      if (method !== 'tools/list' || (params as Json).cursor !== 'two') return undefined;
      return said({
        jsonrpc: '2.0',
        id,
        result: { resultType: 'complete', tools: [], ttlMs: 0, cacheScope: 'private' },
      });
    },
  };
}
