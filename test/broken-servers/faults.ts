// One broken server per check: the smallest change to the correct one that breaks just that rule.

import type { Revision, Transport } from '../../src/check/model.ts';
import type { Fault, Json, Outgoing } from './server.ts';

export interface BrokenServer {
  readonly transport: Transport;
  readonly revision: Revision;
  readonly fault: Fault;
  /** Checks that rightly fail along with it, since one wrong byte breaks two rules. */
  readonly with?: readonly string[];
}

const onHttp = (fault: Fault, revision: Revision = '2025-11-25'): BrokenServer => ({
  transport: 'http',
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

const said = (answer: unknown, status = 200): Outgoing => ({ answer, before: [], status });
const silent: Outgoing = { answer: undefined, before: [], status: 202 };

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
  S05: onStdio({ staysAlive: true }),
  S06: onStdio({ chunkIsMessage: true }, { with: ['S07', 'J03', 'J05', 'J10', 'F13', 'X01', 'S08'] }),
  S07: onStdio({ diesOnGarbage: true }, { with: ['S06', 'S08', 'X01', 'J10'] }),
  S08: onStdio({ maxLine: 1 << 20 }),
  S09: {
    transport: 'stdio',
    revision: '2026-07-28',
    fault: {
      message: (message) =>
        (message as Json).method === 'tools/list'
          ? said({ jsonrpc: '2.0', id: 'server-1', method: 'roots/list' })
          : undefined,
    },
    with: ['F01', 'V09', 'F08', 'F02', 'F03', 'V03', 'V04'],
  },
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
      request.method === 'prompts/get'
        ? { ...answer, error: { code: 'NOT_FOUND', message: 'no such prompt' } }
        : answer,
  }),
  J08: {
    transport: 'stdio',
    revision: '2025-11-25',
    fault: { message: dieWhen((message) => message.id === 'witbox-check-twice') },
  },
  J09: onHttp({
    message: (message) =>
      Array.isArray(message)
        ? said(message.map(({ id }: Json) => ({ jsonrpc: '2.0', id, result: {} })))
        : undefined,
  }),
  J10: { transport: 'stdio', revision: '2025-11-25', fault: { text: dieOnText('__proto__') } },
  J11: { transport: 'stdio', revision: '2025-11-25', fault: { text: dieOnText('{"a":{"a":{"a":{"a":') } },

  // versions
  V01: onHttp(
    result('initialize', (opened) =>
      opened.protocolVersion === '2025-06-18' ? { ...opened, protocolVersion: '2025-03-26' } : opened,
    ),
    '2025-11-25',
  ),
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
    with: ['V01'],
  },
  V06: {
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
  V08: {
    transport: 'stdio',
    revision: '2025-11-25',
    fault: { message: dieWhen((message) => message.id === 'early') },
  },
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
  H05: onHttp({ http: { methodStatus: 200 } }),
  H06: onHttp({ http: { sessionId: (count) => `session-${count}` } }),
  H09: onHttp({ http: { broadcast: true } }),
  H11: modern({ http: { streamWithoutHint: true } }),
  H12: onHttp({ http: { endlessBody: true } }),
  H13: { transport: 'sse', revision: '2024-11-05', fault: { http: { lateEndpoint: true } } },
  H14: onHttp({ http: { forgetNothing: true } }),
  H15: onHttp({ http: { contentType: 'text/plain' } }),
  H16: modern({ http: { removedStatus: 200 } }),
  H17: modern({ http: { anyHeaders: true } }),
  H18: modern({
    message: (message) =>
      isGoodCall(message)
        ? {
            answer: {
              jsonrpc: '2.0',
              id: (message as Json).id,
              result: { resultType: 'complete', content: [], structuredContent: { text: '' } },
            },
            before: [{ jsonrpc: '2.0', id: 's1', method: 'roots/list' }],
            status: 200,
          }
        : undefined,
  }),

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
        : { jsonrpc: '2.0', id: answer.id, result: { tools: [], resources: [] } },
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
        answer: { jsonrpc: '2.0', id, result: { content: [] } },
        before: [step(2), step(1)],
        status: 200,
      };
    },
  }),
  F12: modern({
    message: (message) => {
      const { id } = message as Json;
      if (!isGoodCall(message)) return undefined;
      const log = {
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data: 'hello' },
      };
      return {
        answer: {
          jsonrpc: '2.0',
          id,
          result: { resultType: 'complete', content: [], structuredContent: { text: 'a' } },
        },
        before: [log],
        status: 200,
      };
    },
  }),
  F13: { transport: 'stdio', revision: '2025-11-25', fault: loseNthPing(3) },
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
  F15: modern({
    message: (message) => {
      const { id, params } = message as Json;
      if (!isGoodCall(message)) return undefined;
      const asks = { resultType: 'input_required', inputRequests: {}, requestState: 'step-1-of-2-unsigned' };
      const done = { resultType: 'complete', content: [], structuredContent: { text: '' } };
      return said({ jsonrpc: '2.0', id, result: (params as Json).requestState === undefined ? asks : done });
    },
  }),
  X03: onHttp({ http: { unauthorized: '' } }),
  X05: { transport: 'websocket', revision: '2025-11-25', fault: {} },
  X06: modern({
    message: (message) => {
      const meta = ((message as Json).params as Json | undefined)?._meta as Json | undefined;
      const capabilities = meta?.['io.modelcontextprotocol/clientCapabilities'] as Json | undefined;
      if (!isGoodCall(message) || capabilities?.extensions === undefined) return undefined;
      return said({
        jsonrpc: '2.0',
        id: (message as Json).id,
        result: { resultType: 'task', task: { taskId: '1' } },
      });
    },
  }),
};

function isGoodCall(message: unknown): boolean {
  const { method, params } = message as Json;
  return (
    method === 'tools/call' && typeof ((params as Json).arguments as Json | undefined)?.text === 'string'
  );
}

function dieWhen(matches: (message: Json) => boolean): (message: unknown) => undefined {
  return (message) => {
    if (matches(message as Json)) process.exit(1);
    return undefined;
  };
}

function dieOnText(part: string): (text: string) => undefined {
  return (text) => {
    if (text.includes(part)) process.exit(1);
    return undefined;
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
  const two = (tool: Json) => [tool, { ...tool, name: 'echo2' }];
  return result('tools/list', (list) => {
    const both = two((list.tools as Json[])[0]!);
    return { ...list, tools: turn++ % 2 === 0 ? both : both.reverse() };
  });
}

/** The load check sends its ping after fifty other requests; only there is one lost. */
function loseNthPing(_nth: number): Fault {
  let listed = 0;
  return {
    message: (message) => {
      const { method } = message as Json;
      if (method === 'tools/list') listed++;
      return method === 'ping' && listed >= 40 ? silent : undefined;
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
