// Every import and every export of witbox:mcp, through the real server, at the oldest revision, the last with sessions,
// and the newest.

import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { callTool, openPeer } from '../../examples/peer.ts';
import { type Served, serve } from '../../examples/serve.ts';
import type { HttpWire } from '../mcp/wire/http-wire.ts';
import type { Peer, RevisionName } from '../mcp/wire/peer.ts';
import { buildGuest } from './component.ts';

const POLICY = `version: "1.0"
permissions:
  keyvalue: { allow: [{ bucket: probe }] }
  mcp: { allow: [{ capability: register-tool }, { capability: elicitation }] }
`;
const ANSWERS = {
  capabilities: { elicitation: {} },
  answers: { 'elicitation/create': () => ({ action: 'accept', content: { name: 'Ada' } }) },
};

let file: string;
before(async () => {
  file = await buildGuest('probe');
});

const words = async (peer: Peer, name: string, args: object = {}): Promise<string> =>
  (await callTool(peer, name, args)).content[0]!.text;

const REVISIONS: readonly RevisionName[] = ['2024-11-05', '2025-11-25', '2026-07-28'];

for (const revision of REVISIONS) {
  const modern = revision === '2026-07-28';
  const old = revision === '2024-11-05';

  suite(`at ${revision}`, () => {
    let served: Served;
    let peer: Peer;
    before(async () => {
      served = await serve({ components: [{ file, policy: POLICY }] });
      peer = await openPeer(served, revision, ANSWERS);
    });
    after(async () => {
      await peer.wire.close();
      await served.close();
    });

    test('tools.list-tools: a description goes out as far as the revision knows it', async () => {
      const tools = await peer.list('tools/list', 'tools');
      const ask = tools.find(({ name }) => (name as unknown) === 'everything') as Record<string, unknown>;
      assert.equal(ask.title, old ? undefined : 'Probe everything');
      assert.deepEqual(ask.annotations, old ? undefined : { readOnlyHint: true, openWorldHint: false });
      assert.equal(ask.outputSchema === undefined, old);
      assert.equal(ask.icons === undefined, old);
      assert.ok(tools.some(({ name }) => (name as unknown) === 'twice'));
    });

    test('tools.call-tool: content of every kind, as far as the revision knows it', async () => {
      const { content, structuredContent } = await callTool(peer, 'everything');
      const kinds = content.map(({ type }) => type);
      if (old) assert.ok(!kinds.includes('audio') && !kinds.includes('resource_link'));
      else assert.deepEqual(kinds, ['text', 'image', 'audio', 'resource_link', 'resource']);
      assert.equal(content[1]!.data, 'AQID');
      assert.deepEqual(structuredContent, old ? undefined : { kinds: 5 });
    });

    test('tools.call-tool: what a tool says about its own failure is a result', async () => {
      const wrong = await callTool(peer, 'wrong');
      assert.deepEqual([wrong.isError, wrong.content[0]!.text], [true, 'this went wrong']);
      const invalid = await peer.error('tools/call', { name: 'invalid' });
      assert.equal(invalid.code, -32602);
      assert.match(invalid.message, /it makes no sense/);
      const failed = await peer.error('tools/call', { name: 'failed' });
      assert.equal(failed.code, -32603);
      assert.ok(!JSON.stringify(failed).includes('a detail for the log alone'));
    });

    test('tools.call-tool: a question and its answer, with state in between', async () => {
      if (old) {
        // 2024-11-05 has no way to ask a user.
        const { result, error } = await peer.request('tools/call', { name: 'ask' });
        assert.ok(error !== undefined || (result?.isError as unknown) === true);
      } else assert.equal(await words(peer, 'ask'), 'answered Ada');
    });

    test('plain functions stand beside what a component describes itself', async () => {
      const { content } = await callTool(peer, 'twice', { value: 21 });
      assert.equal(content[0]!.text, '42');
    });

    test('host.log: reaches a client that wants it', async () => {
      if (!modern) await peer.result('logging/setLevel', { level: 'warning' });
      const wanted = modern ? { _meta: { 'io.modelcontextprotocol/logLevel': 'warning' } } : {};
      for (const level of ['info', 'error']) {
        await peer.result('tools/call', { name: 'log', arguments: { level, logger: 'me' }, ...wanted });
      }
      const logs = peer
        .aside()
        .filter(({ method }) => method === 'notifications/message')
        .map(({ params }) => params as unknown);
      assert.deepEqual(logs, [
        { level: 'error', logger: 'me', data: { from: 'probe' } },
        { level: 'error', data: 'no JSON' },
      ]);
    });

    test('host.progress: only what grows goes out, and only if it was asked for', async () => {
      await peer.result('tools/call', { name: 'progress' });
      assert.deepEqual(peer.aside(), []);
      await peer.result('tools/call', { name: 'progress', _meta: { progressToken: 7 } });
      const seen = peer.aside().map(({ params }) => params as unknown);
      const first = { progressToken: 7, progress: 1, total: 3 };
      assert.deepEqual(seen, [old ? first : { ...first, message: 'one' }, { progressToken: 7, progress: 2 }]);
    });

    test('host.is-cancelled and host.sleep', async () => {
      assert.equal(await words(peer, 'cancelled'), 'false');
      assert.ok(Number(await words(peer, 'sleep', { ms: 60 })) >= 50);
    });

    test('host.client: who is asking, and what it can', async () => {
      const client = JSON.parse(await words(peer, 'client'));
      assert.deepEqual([client.name, client.version, client.revision], ['peer', '1', revision]);
      assert.ok(JSON.parse(client.capabilities).elicitation);
    });

    test('host.register-tool and unregister-tool: a tool comes, is called, and goes', async () => {
      const names = async () => (await peer.list('tools/list', 'tools')).map(({ name }) => String(name));
      assert.equal(await words(peer, 'register', { name: 'made_now' }), 'done');
      if (!modern) await peer.wire.take(({ method }) => method === 'notifications/tools/list_changed');
      assert.ok((await names()).includes('made_now'));
      assert.equal(await words(peer, 'made_now', { a: 1 }), 'made_now got {"a":1}');
      assert.equal(await words(peer, 'unregister', { name: 'made_now' }), 'done');
      assert.ok(!(await names()).includes('made_now'));
      assert.match(await words(peer, 'unregister', { name: 'made_now' }), /^refused/);
      assert.match(await words(peer, 'register', { name: 'with spaces' }), /^refused.*with spaces/);
      assert.match(await words(peer, 'register', { name: 'made_bad', schema: '{"type":7}' }), /^refused/);
    });

    test('host.lists-changed: the host asks again', async () => {
      assert.equal((await peer.error('tools/call', { name: 'grown' })).code, -32602);
      await words(peer, 'grow');
      assert.equal(await words(peer, 'grown'), 'I am new');
    });

    test('host.resource-changed: whoever wants to know hears of it', async () => {
      if (modern) {
        const listening = peer.message('subscriptions/listen', {
          notifications: { resourceSubscriptions: ['probe://text'] },
        });
        await peer.wire.send(JSON.stringify(listening));
        await peer.wire.take(({ method }) => method === 'notifications/subscriptions/acknowledged');
      } else await peer.result('resources/subscribe', { uri: 'probe://text' });
      await words(peer, 'changed', { uri: 'probe://text' });
      const notice = await peer.wire.take(({ method }) => method === 'notifications/resources/updated');
      assert.equal(String(notice.params?.uri), 'probe://text');
    });

    test('prompts: listed, got, and refused without what they need', async () => {
      const prompts = await peer.list('prompts/list', 'prompts');
      assert.ok(prompts.some(({ name }) => (name as unknown) === 'greet'));
      const got = await peer.result('prompts/get', { name: 'greet', arguments: { who: 'Ada' } });
      assert.deepEqual(got.messages?.map(({ role, content }) => [role, content?.text]) as unknown, [
        ['user', 'Greet Ada'],
        ['assistant', 'With pleasure'],
      ]);
      assert.equal((await peer.error('prompts/get', { name: 'greet' })).code, -32602);
    });

    test('resources: listed, by template, by range, and none of a foreign URI', async () => {
      const read = async (params: { uri: string; range?: object }) =>
        String((await peer.result('resources/read', params)).contents?.[0]?.text);
      const listed = await peer.list('resources/list', 'resources');
      assert.ok(listed.some(({ uri }) => (uri as unknown) === 'probe://text'));
      const templates = await peer.list('resources/templates/list', 'resourceTemplates');
      assert.ok(templates.some(({ name }) => (name as unknown) === 'letters'));
      assert.equal(await read({ uri: 'probe://letters/q' }), 'qqq');
      // This one leaves the cutting to the host, the other does it itself.
      assert.equal(await read({ uri: 'probe://letters/q', range: { start: 1, length: 1 } }), 'q');
      assert.equal(await read({ uri: 'probe://text', range: { start: 23, length: 10 } }), 'xyz');
      const { code } = await peer.error('resources/read', { uri: 'probe://nowhere' });
      assert.equal(code, modern ? -32602 : -32002);
    });

    test('completion: reference, argument and what is known so far arrive', async () => {
      const context = old ? {} : { context: { arguments: { more: 'x' } } };
      const { completion } = await peer.result('completion/complete', {
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'who', value: 'A' },
        ...context,
      });
      const known = old ? '[]' : '[["more","x"]]';
      assert.deepEqual(completion as unknown, {
        values: ['prompt:greet', 'who', 'A!', known],
        total: 40,
        hasMore: true,
      });
    });
  });
}

test('host.close-stream: the answer waits for whoever comes back for it', async () => {
  const served = await serve({ components: [{ file, policy: POLICY }] });
  const peer = await openPeer(served, '2025-11-25');
  const wire = peer.wire as HttpWire;
  try {
    const call = peer.message('tools/call', { name: 'let_go' });
    const stream = await wire.post(JSON.stringify(call), { 'mcp-protocol-version': '2025-11-25' });
    const begun = await stream.text();
    assert.ok(!begun.includes('finished'), begun);
    const last = [...begun.matchAll(/^id: ?(.+)$/gm)].at(-1)?.[1] ?? '';
    const rest = await fetch(`${served.origin}/mcp`, {
      headers: {
        accept: 'text/event-stream',
        'mcp-session-id': wire.session!,
        'mcp-protocol-version': '2025-11-25',
        'last-event-id': last,
      },
    });
    let replayed = '';
    for await (const chunk of rest.body!.pipeThrough(new TextDecoderStream())) {
      replayed += chunk;
      if (replayed.includes('finished without a stream')) break;
    }
    assert.match(replayed, /finished without a stream/);
  } finally {
    await wire.close();
    await served.close();
  }
});

test('host.close-stream: does nothing where nobody can come back', async () => {
  const served = await serve({ components: [{ file, policy: POLICY }] });
  const peer = await openPeer(served, '2026-07-28');
  assert.equal(await words(peer, 'let_go'), 'finished without a stream');
  await peer.wire.close();
  await served.close();
});

test('what the policy withholds is withheld', async () => {
  const policy = `version: "1.0"
permissions:
  mcp: { deny: [{ capability: log }, { capability: progress }, { capability: client }] }
`;
  const served = await serve({ components: [{ file, policy }] });
  const peer = await openPeer(served, '2025-11-25', ANSWERS);
  try {
    await peer.result('logging/setLevel', { level: 'debug' });
    await words(peer, 'log', { level: 'error' });
    await peer.result('tools/call', { name: 'progress', _meta: { progressToken: 1 } });
    assert.deepEqual(peer.aside(), []);
    assert.deepEqual(JSON.parse(JSON.parse(await words(peer, 'client')).capabilities), {});
    assert.match(await words(peer, 'register', { name: 'made_now' }), /^refused/);
    const { code, data } = await peer.error('tools/call', { name: 'ask' });
    assert.deepEqual([code, data?.permission as unknown], [-32001, 'mcp:elicitation']);
  } finally {
    await peer.wire.close();
    await served.close();
  }
});
