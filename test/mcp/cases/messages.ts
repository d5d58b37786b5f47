// Cases about what comes beside responses: progress, log messages, cancellation, change notices.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Case, MODERN, SESSIONS } from '../case.ts';
import type { Peer } from '../wire/peer.ts';
import type { Message } from '../wire/wire.ts';

const inbox = (peer: Peer) => peer.wire.inbox as Message[];
const LEVEL = 'io.modelcontextprotocol/logLevel';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** Opens what the revision has for notices and gives back a way to wait for the next one. */
async function watch(peer: Peer, uri: string) {
  if (!peer.modern) {
    await peer.result('resources/subscribe', { uri });
    return (method: string) => peer.wire.take((message) => message.method === method);
  }
  const notifications = { toolsListChanged: true, resourceSubscriptions: [uri] };
  const listen = peer.message('subscriptions/listen', { notifications }, 'listening');
  await peer.wire.send(JSON.stringify(listen));
  const first = await peer.wire.take(({ method }) => method === 'notifications/subscriptions/acknowledged');
  assert.deepEqual(first.params?.notifications, notifications);
  assert.equal(first.params?._meta?.[SUBSCRIPTION], 'listening');
  return async (method: string) => {
    const notice = await peer.wire.take((message) => message.method === method);
    assert.equal(notice.params?._meta?.[SUBSCRIPTION], 'listening');
    return notice;
  };
}

export const messageCases: readonly Case[] = [
  {
    name: 'progress grows under the token of the request and stops with it',
    verifies: ['progress'],
    async run({ peer, revision }) {
      const one = await peer();
      for (const progressToken of ['token', 7]) {
        await one.result('tools/call', { name: 'test_tool_with_progress', _meta: { progressToken } });
        const told = one.aside();
        assert.deepEqual(
          told.map(({ method }) => method),
          Array(3).fill('notifications/progress'),
        );
        assert.deepEqual(
          told.map(({ params }) => params?.progress),
          [0, 50, 100],
        );
        assert.ok(told.every(({ params }) => (params?.progressToken as unknown) === progressToken));
        assert.equal(told[0]?.params?.message, revision === '2024-11-05' ? undefined : 'started');
      }
      await one.result('tools/call', { name: 'test_tool_with_progress' });
      assert.deepEqual(one.aside(), [], 'no token, no progress');
    },
  },
  {
    name: 'cancelling stops the work and no response follows',
    verifies: ['cancel'],
    async run({ peer, transport, modern }) {
      // Over HTTP, 2026-07-28 cancels by closing the stream: see the cases about HTTP.
      if (transport === 'http' && modern) return;
      const one = await peer();
      const call = one.message('tools/call', { name: 'wait', arguments: { ms: 60_000 } }, 'long');
      void one.wire.send(JSON.stringify(call)).catch(() => {});
      await sleep(20);
      await one.notify('notifications/cancelled', { requestId: 'nobody' });
      await one.notify('notifications/cancelled', { requestId: 'long', reason: 'changed my mind' });
      assert.ok((await one.request('tools/list')).result);
      assert.deepEqual(one.aside(), []);
    },
  },
  {
    name: 'log messages come at the level that was set',
    verifies: ['log-level'],
    revisions: SESSIONS,
    async run({ peer }) {
      const one = await peer();
      const levels = async () => {
        await one.result('tools/call', { name: 'test_logging_tool' });
        return one
          .aside()
          .map(({ method, params }) => (method === 'notifications/message' ? params?.level : method));
      };
      assert.deepEqual(await levels(), ['error'], 'info and above by default');
      await one.result('logging/setLevel', { level: 'debug' });
      assert.deepEqual(await levels(), ['debug', 'error']);
      await one.result('logging/setLevel', { level: 'emergency' });
      assert.deepEqual(await levels(), []);
      assert.equal((await one.error('logging/setLevel', { level: 'loud' })).code, -32602);
    },
  },
  {
    name: 'there are no log messages unless the request names a level',
    verifies: ['log-silence'],
    revisions: MODERN,
    async run({ peer }) {
      const one = await peer();
      await one.result('tools/call', { name: 'test_logging_tool' });
      assert.deepEqual(one.aside(), []);
      await one.result('tools/call', { name: 'test_logging_tool', _meta: { [LEVEL]: 'error' } });
      const [message, ...rest] = one.aside();
      assert.deepEqual(message?.params, { level: 'error', logger: 'fixture', data: { step: 2 } });
      assert.deepEqual(rest, []);
    },
  },
  {
    name: 'changes of lists are announced to those who may hear of them',
    verifies: ['list-changed'],
    async run({ peer }) {
      const one = await peer();
      const next = await watch(one, 'test://nobody');
      await one.result('tools/call', { name: 'test_trigger_tool_change' });
      await next('notifications/tools/list_changed');
      await one.result('tools/call', { name: 'test_trigger_prompt_change' });
      if (!one.modern) await next('notifications/prompts/list_changed');
      await one.result('tools/call', { name: 'test_trigger_tool_change' });
      await next('notifications/tools/list_changed');
      assert.ok(!inbox(one).some(({ method }) => method?.includes('prompts')) || !one.modern);
    },
  },
  {
    name: 'updates come for subscribed resources only, and end with the subscription',
    verifies: ['subscriptions'],
    async run({ peer, harness, transport }) {
      const one = await peer();
      const uri = 'test://watched-resource';
      const next = await watch(one, uri);
      harness.catalog.change({ kind: 'resource', uri: 'test://static-text' });
      harness.catalog.change({ kind: 'resource', uri });
      assert.equal((await next('notifications/resources/updated')).params?.uri, uri);
      if (!one.modern) await one.result('resources/unsubscribe', { uri });
      else if (transport !== 'http') await one.notify('notifications/cancelled', { requestId: 'listening' });
      else return;
      assert.ok((await one.request('tools/list')).result);
      harness.catalog.change({ kind: 'resource', uri });
      await sleep(10);
      assert.ok((await one.request('tools/list')).result);
      assert.ok(!inbox(one).some(({ method }) => method === 'notifications/resources/updated'));
    },
  },
];
