// The official clients as judges: what most hosts run today (v1) and the newest (v2), on every transport they have,
// pinned to every revision they speak.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewHttp,
  SSEClientTransport as NewSse,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as OldSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport as OldWebSocket } from '@modelcontextprotocol/sdk/client/websocket.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { createHarness, type Harness } from './harness.ts';
import { REVISIONS, type RevisionName } from './wire/peer.ts';

const PROGRAM = {
  command: process.execPath,
  args: [join(import.meta.dirname, 'fixture/serve.ts'), '--stdio'],
};
const INFO = { name: 'judge', version: '1.0.0' };
const CAPABILITIES = { capabilities: { elicitation: {} } };
const ADA = { action: 'accept' as const, content: { name: 'Ada' } };
const SESSIONS = REVISIONS.filter((revision) => revision !== '2026-07-28');

let harness: Harness;
before(async () => {
  harness = await createHarness({ server: { pageSize: 1_000 } });
});
after(() => harness.close());

/** What both clients can do, as far as the judgement needs it. */
interface Judge {
  listTools(): Promise<{ tools: readonly { name: string }[] }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<Record<string, unknown>>;
  readResource(read: { uri: string }): Promise<{ contents: readonly unknown[] }>;
  getPrompt(get: {
    name: string;
    arguments?: Record<string, string>;
  }): Promise<{ messages: readonly unknown[] }>;
  close(): Promise<void>;
}

async function judge(client: Judge, revision: RevisionName): Promise<void> {
  try {
    const { tools } = await client.listTools();
    assert.ok(tools.length > 20);
    const sum = await client.callTool({ name: 'add', arguments: { a: 5, b: 3 } });
    assert.deepEqual(sum.content, [{ type: 'text', text: '8' }]);
    const structured = revision < '2025-06-18' ? undefined : revision === '2026-07-28' ? 8 : { result: 8 };
    assert.deepEqual(sum.structuredContent, structured);
    assert.equal((await client.readResource({ uri: 'test://static-text' })).contents.length, 1);
    assert.equal((await client.getPrompt({ name: 'test_simple_prompt' })).messages.length, 1);
    await assert.rejects(client.callTool({ name: 'nope' }), /Unknown tool/);
    if (revision < '2025-06-18') return;
    const asked = await client.callTool({ name: 'test_input_required_result_elicitation' });
    assert.deepEqual(asked.content, [{ type: 'text', text: 'Hello, Ada!' }]);
  } finally {
    await client.close();
  }
}

// v1 always proposes its newest version; the proposal is changed on its way out.
function pinned<T extends { send(message: never, ...rest: never[]): Promise<void> }>(
  transport: T,
  version: string,
): T {
  const send = transport.send.bind(transport) as (message: object, ...rest: never[]) => Promise<void>;
  transport.send = ((message: { method?: string; params?: object }, ...rest: never[]) => {
    if (message.method !== 'initialize') return send(message, ...rest);
    return send({ ...message, params: { ...message.params, protocolVersion: version } }, ...rest);
  }) as T['send'];
  return transport;
}

suite('client v1', { concurrency: 4 }, () => {
  const transports = {
    stdio: () => new OldStdio({ ...PROGRAM, stderr: 'ignore' }),
    http: () => new OldHttp(new URL(`${harness.origin}/mcp`)),
    sse: () => new OldSse(new URL(`${harness.origin}/sse`)),
    websocket: () => new OldWebSocket(new URL(`${harness.origin.replace('http', 'ws')}/ws`)),
  };
  for (const [name, create] of Object.entries(transports)) {
    for (const revision of SESSIONS) {
      test(`works on ${name} at ${revision}`, async () => {
        const client = new OldClient(INFO, CAPABILITIES);
        client.setRequestHandler(ElicitRequestSchema, () => ADA);
        await client.connect(pinned(create(), revision) as OldStdio);
        await judge(client as unknown as Judge, revision);
      });
    }
  }
});

suite('client v2', { concurrency: 4 }, () => {
  const transports = {
    stdio: () => new NewStdio({ ...PROGRAM, stderr: 'ignore' }),
    http: () => new NewHttp(new URL(`${harness.origin}/mcp`)),
    sse: () => new NewSse(new URL(`${harness.origin}/sse`)),
  };
  for (const [name, create] of Object.entries(transports)) {
    for (const revision of REVISIONS) {
      if (name === 'sse' && revision === '2026-07-28') continue;
      test(`works on ${name} at ${revision}`, async () => {
        const newest = revision === '2026-07-28';
        const client = new NewClient(INFO, {
          ...CAPABILITIES,
          versionNegotiation: { mode: newest ? { pin: revision } : 'legacy' },
        });
        client.setRequestHandler('elicitation/create', () => ADA);
        await client.connect(newest ? create() : pinned(create(), revision));
        assert.equal(client.getNegotiatedProtocolVersion(), revision);
        await judge(client as unknown as Judge, revision);
      });
    }
    test(`finds the best revision on ${name} by itself`, async () => {
      const client = new NewClient(INFO, { ...CAPABILITIES, versionNegotiation: { mode: 'auto' } });
      client.setRequestHandler('elicitation/create', () => ADA);
      await client.connect(create());
      const found = client.getNegotiatedProtocolVersion() as RevisionName;
      if (name !== 'sse') assert.equal(found, '2026-07-28');
      await judge(client as unknown as Judge, found);
    });
  }
});
