// Cases about JSON-RPC itself.

import assert from 'node:assert/strict';
import { type Case, SESSIONS } from '../case.ts';
import type { HttpWire } from '../wire/http-wire.ts';
import type { Peer } from '../wire/peer.ts';
import type { WebSocketWire } from '../wire/websocket-wire.ts';
import type { Message } from '../wire/wire.ts';

/** Sends text that is no good request and expects an error; then shows that the connection still works. */
async function refused(peer: Peer, text: string, code: number, id?: unknown): Promise<Message> {
  await peer.wire.send(text);
  const answer = await peer.wire.take((message) => message.error !== undefined);
  assert.equal(answer.error?.code, code, text.slice(0, 200));
  if (id !== undefined) assert.equal(answer.id, id);
  assert.ok((await peer.request('tools/list')).result, 'the next request works');
  return answer;
}

const noId = (peer: Peer, answer: Message): void => {
  if (peer.revision >= '2025-11-25') assert.ok(!('id' in answer), 'no id');
  else assert.equal(answer.id, null);
};

/** HTTP knows the revision of a session only; a bad message outside one is taken for the assumed revision. */
const inSession = (peer: Peer, transport: string): boolean => !(peer.modern && transport !== 'none');

export const envelopeCases: readonly Case[] = [
  {
    name: 'what is not JSON is answered with -32700',
    verifies: ['malformed'],
    async run({ peer, transport }) {
      const one = await peer();
      for (const text of ['{', 'hello', '{"jsonrpc":"2.0","id":1,"method":"ping"', '"']) {
        const answer = await refused(one, text, -32700);
        if (inSession(one, transport)) noId(one, answer);
      }
    },
  },
  {
    name: 'a message beyond the limit is refused',
    verifies: ['oversized'],
    async run({ peer, transport }) {
      const one = await peer();
      const text = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"${'y'.repeat(5 << 20)}"}}`;
      if (transport === 'websocket') {
        // RFC 6455 has a close code for it.
        await one.wire.send(text);
        assert.equal(await (one.wire as WebSocketWire).closed, 1009);
        return;
      }
      if (transport === 'sse') {
        await assert.rejects(one.wire.send(text), /413/);
        assert.ok((await one.request('tools/list')).result);
        return;
      }
      await refused(one, text, -32600);
    },
  },
  {
    name: 'ids come back with their exact type',
    verifies: ['id-echo'],
    async run({ peer }) {
      const one = await peer();
      for (const id of ['1', 1_001, 0, -7, '', 'ä😀"\\', 2 ** 53 - 1]) {
        assert.equal((await one.request('tools/list', {}, id)).id, id);
      }
    },
  },
  {
    name: 'ids that are null, fractional, too large or of another type are refused',
    verifies: ['id-kinds'],
    async run({ peer, transport }) {
      const one = await peer();
      for (const id of ['null', '1.5', '9007199254740993', 'true', '[]', '{}']) {
        const answer = await refused(one, `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`, -32600);
        if (inSession(one, transport)) noId(one, answer);
      }
    },
  },
  {
    name: 'notifications are never answered, known or not, well-formed or not',
    verifies: ['no-answer-to-notifications'],
    async run({ peer }) {
      const one = await peer();
      await one.notify('notifications/unknown', { a: 1 });
      await one.notify('tools/call', { name: 'add' });
      for (const text of [
        '{"jsonrpc":"2.0","method":"notifications/cancelled","params":7}',
        '{"jsonrpc":"1.0","method":"x"}',
        '{"method":"tools/list","params":null}',
      ]) {
        await one.wire.send(text);
      }
      assert.ok((await one.request('tools/list')).result);
      assert.deepEqual(one.aside(), []);
    },
  },
  {
    name: 'an unknown method is -32601',
    verifies: ['unknown-method'],
    async run({ peer }) {
      const one = await peer();
      for (const method of ['nope', 'constructor', '__proto__', 'toString', 'tools', '']) {
        assert.equal((await one.error(method)).code, -32601);
      }
    },
  },
  {
    name: 'an invalid envelope is -32600',
    verifies: ['invalid-envelope'],
    async run({ peer }) {
      const one = await peer();
      await refused(one, '{"jsonrpc":"1.0","id":5,"method":"tools/list"}', -32600, 5);
      await refused(one, '{"id":6,"method":"tools/list"}', -32600, 6);
      await refused(one, '{"jsonrpc":"2.0","id":7,"method":8}', -32600, 7);
      await refused(one, '{"jsonrpc":"2.0","id":9}', -32600, 9);
      for (const text of ['1', 'null', '"x"', '{}', '[]']) await refused(one, text, -32600);
    },
  },
  {
    name: 'parameters that are no object are -32602',
    verifies: ['invalid-envelope'],
    async run({ peer }) {
      const one = await peer();
      await refused(one, '{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[1]}', -32602, 5);
      await refused(one, '{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"_meta":1}}', -32602, 6);
    },
  },
  {
    name: 'an id used twice at once is answered twice',
    verifies: ['id-reuse'],
    async run({ peer }) {
      const one = await peer();
      const call = (ms: number) =>
        JSON.stringify(one.message('tools/call', { name: 'wait', arguments: { ms } }, 77));
      const sent = [one.wire.send(call(30)), one.wire.send(call(10))];
      const answers = [
        await one.wire.take(({ id }) => id === 77),
        await one.wire.take(({ id }) => id === 77),
      ];
      await Promise.all(sent);
      assert.ok(answers.every(({ result }) => result));
      assert.ok((await one.request('tools/list')).result);
    },
  },
  {
    name: 'a batch is answered as one array, without the notifications in it',
    verifies: ['batch-answered'],
    revisions: ['2025-03-26'],
    async run({ peer }) {
      const one = await peer();
      const batch = [
        one.message('tools/list', {}, 'a'),
        { jsonrpc: '2.0', method: 'notifications/unknown' },
        one.message('nope', {}, 'b'),
        5,
        one.message('initialize', {}, 'c'),
      ];
      await one.wire.send(JSON.stringify(batch));
      const answers = (await one.wire.takeAny()) as Message[];
      const by = (id: string | null) => answers.find((answer) => answer.id === id);
      assert.equal(answers.length, 4);
      assert.ok(by('a')?.result);
      assert.equal(by('b')?.error?.code, -32601);
      assert.equal(by(null)?.error?.code, -32600);
      assert.equal(by('c')?.error?.code, -32600);
      await one.wire.send('[{"jsonrpc":"2.0","method":"notifications/unknown"}]');
      assert.ok((await one.request('tools/list')).result);
    },
  },
  {
    name: 'a batch is refused where the revision has none',
    verifies: ['batch-refused'],
    revisions: ['2024-11-05', '2025-06-18', '2025-11-25'],
    async run({ peer }) {
      const one = await peer();
      await refused(one, JSON.stringify([one.message('tools/list')]), -32600);
    },
  },
  {
    name: 'a batch of requests that stand alone is refused',
    verifies: ['batch-refused'],
    revisions: ['2026-07-28'],
    async run({ peer, transport }) {
      const one = await peer();
      const text = JSON.stringify([one.message('tools/list')]);
      if (transport !== 'http') {
        await refused(one, text, -32600);
        return;
      }
      const wire = one.wire as HttpWire;
      const response = await wire.post(text, { 'mcp-protocol-version': '2026-07-28' });
      assert.equal(response.status, 400);
      assert.equal(((await response.json()) as Message).error?.code, -32600);
    },
  },
  {
    name: 'duplicate keys and keys of prototypes do nothing',
    verifies: ['hostile-keys'],
    async run({ peer }) {
      const one = await peer();
      const message = one.message('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, 5);
      const hostile = JSON.stringify(message)
        .replace(
          '"a":1',
          '"a":9,"a":1,"__proto__":{"isError":true,"polluted":1},"constructor":{"prototype":{"x":1}}',
        )
        .replace('"id":5', '"id":4,"id":5');
      await one.wire.send(hostile);
      const answer = await one.wire.take(({ id }) => id === 5);
      assert.deepEqual(answer.result?.content, [{ type: 'text', text: '3' }]);
      assert.equal(({} as { polluted?: number }).polluted, undefined);
    },
  },
  {
    name: 'deep nesting is refused',
    verifies: ['nesting'],
    async run({ peer }) {
      const one = await peer();
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      await refused(one, `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":${deep}}}`, -32700);
      await refused(one, '['.repeat(100_000), -32700);
    },
  },
  {
    name: 'responses nobody waits for are dropped',
    verifies: ['no-answer-to-notifications'],
    revisions: SESSIONS,
    async run({ peer }) {
      const one = await peer();
      await one.wire.send('{"jsonrpc":"2.0","id":999,"result":{}}');
      await one.wire.send('{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"y"}}');
      assert.ok((await one.request('tools/list')).result);
      assert.deepEqual(one.aside(), []);
    },
  },
];
