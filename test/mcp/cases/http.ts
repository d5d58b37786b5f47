// Cases about Streamable HTTP itself: doors, sessions, statuses, streams.

import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Case, MODERN, STREAMABLE } from '../case.ts';
import { readEvents, type ServerSentEvent } from '../wire/events.ts';
import type { HttpWire } from '../wire/http-wire.ts';
import type { Peer } from '../wire/peer.ts';
import type { Message } from '../wire/wire.ts';

const transports = ['http'] as const;
const wireOf = (peer: Peer): HttpWire => peer.wire as HttpWire;
const bodyOf = async (response: Response) => (await response.json()) as Message;

/** fetch() does not let a test lie about its Host. */
function statusWith(origin: string, headers: Record<string, string>, method = 'POST'): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${origin}/mcp`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    request.on('error', reject);
    request.end(method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' : undefined);
  });
}

async function events(response: Response): Promise<ServerSentEvent[]> {
  const all: ServerSentEvent[] = [];
  await readEvents(response, (event) => all.push(event));
  return all;
}

const JSON_TYPE = { 'content-type': 'application/json' };

export const httpCases: readonly Case[] = [
  {
    name: 'a foreign Origin is 403, our own and none are welcome',
    verifies: ['http-origin'],
    transports,
    revisions: STREAMABLE,
    async run({ harness: { origin } }) {
      const { host } = new URL(origin);
      for (const foreign of ['http://evil.example', 'null', 'http://localhost:1', `https://${host}`]) {
        assert.equal(await statusWith(origin, { ...JSON_TYPE, origin: foreign }), 403, foreign);
      }
      assert.equal(await statusWith(origin, { ...JSON_TYPE, origin }), 200);
      assert.equal(await statusWith(origin, JSON_TYPE), 200);
    },
  },
  {
    name: 'a foreign Host is refused',
    verifies: ['http-host'],
    transports,
    async run({ harness: { origin } }) {
      for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:80']) {
        assert.equal(await statusWith(origin, { ...JSON_TYPE, host }), 403, host);
      }
      for (const host of ['localhost', 'localhost:99', '[::1]:80', '127.0.0.1']) {
        assert.equal(await statusWith(origin, { ...JSON_TYPE, host }), 200, host);
      }
    },
  },
  {
    name: 'a notification is 202 without a body',
    verifies: ['http-accepted'],
    transports,
    async run({ peer, revision }) {
      const one = await peer();
      const response = await wireOf(one).post('{"jsonrpc":"2.0","method":"notifications/x"}', {
        'mcp-protocol-version': revision,
      });
      assert.equal(response.status, 202);
      assert.equal(await response.text(), '');
    },
  },
  {
    name: 'Content-Type must be JSON and Accept must allow both kinds of answers',
    verifies: ['http-negotiation'],
    transports,
    async run({ peer }) {
      const one = await peer();
      const text = JSON.stringify(one.message('tools/list'));
      const status = async (headers: Record<string, string>) =>
        (await wireOf(one).post(text, headers)).status;
      assert.equal(await status({ 'content-type': 'text/plain' }), 415);
      assert.equal(await status({ 'content-type': 'application/json; charset=utf-8' }), 200);
      assert.equal(await status({ accept: 'application/json' }), 406);
      assert.equal(await status({ accept: 'text/html' }), 406);
      assert.equal(await status({ accept: '*/*' }), 200);
      assert.equal(await status({ accept: 'application/*, text/*;q=0.5' }), 200);
    },
  },
  {
    name: 'an answer is an event stream for clients that name it first',
    verifies: ['http-negotiation'],
    transports,
    async run({ peer }) {
      const one = await peer();
      const text = JSON.stringify(one.message('tools/list', {}, 5));
      const response = await wireOf(one).post(text, { accept: 'text/event-stream, application/json' });
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      assert.equal(response.headers.get('x-accel-buffering'), 'no');
      const last = (await events(response)).at(-1);
      assert.equal((JSON.parse(last?.data ?? '') as Message).id, 5);
    },
  },
  {
    name: 'methods that are not served are 405',
    verifies: ['http-methods'],
    transports,
    async run({ harness: { origin }, revision, modern }) {
      const version = { 'mcp-protocol-version': revision };
      assert.equal(await statusWith(origin, version, 'PUT'), 405);
      assert.equal(await statusWith(origin, version, 'GET'), 405, 'no session');
      assert.equal(await statusWith(origin, version, 'DELETE'), 405, 'no session');
      if (modern) assert.equal(await statusWith(origin, { ...version, 'mcp-session-id': 'x' }, 'GET'), 405);
    },
  },
  {
    name: 'a session has an unguessable id and is 404 once it ended',
    verifies: ['http-session'],
    transports,
    revisions: STREAMABLE,
    async run({ peer, harness: { origin } }) {
      const one = await peer();
      const { session } = wireOf(one);
      assert.match(session!, /^[\x21-\x7e]{22,}$/);
      const header = { 'mcp-session-id': session! };
      const text = JSON.stringify(one.message('tools/list'));
      assert.equal((await wireOf(one).post(text, { 'mcp-session-id': 'nope' })).status, 404);
      assert.equal((await fetch(`${origin}/mcp`, { method: 'DELETE', headers: header })).status, 200);
      assert.equal((await wireOf(one).post(text)).status, 404);
      assert.equal(await statusWith(origin, { ...header, accept: 'text/event-stream' }, 'GET'), 404);
      wireOf(one).session = undefined;
    },
  },
  {
    name: 'no session is ever made or looked at',
    verifies: ['http-stateless'],
    transports,
    revisions: MODERN,
    async run({ peer }) {
      const one = await peer();
      const response = await wireOf(one).post(JSON.stringify(one.message('tools/list')), {
        'mcp-session-id': 'nope',
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('mcp-session-id'), null);
    },
  },
  {
    name: 'an unknown version header is 400',
    verifies: ['http-version'],
    transports,
    revisions: STREAMABLE,
    async run({ peer }) {
      const one = await peer();
      const text = JSON.stringify(one.message('tools/list'));
      assert.equal((await wireOf(one).post(text, { 'mcp-protocol-version': '1999-01-01' })).status, 400);
      assert.equal((await wireOf(one).post(text, { 'mcp-protocol-version': '' })).status, 400);
    },
  },
  {
    name: 'headers that contradict the body are -32020',
    verifies: ['http-headers'],
    transports,
    revisions: MODERN,
    async run({ peer }) {
      const one = await peer();
      const call = (args: object, headers: Record<string, string>) =>
        wireOf(one).post(
          JSON.stringify(one.message('tools/call', { name: 'header_echo', arguments: args })),
          headers,
        );
      const refused = async (args: object, headers: Record<string, string>) => {
        const response = await call(args, headers);
        assert.equal(response.status, 400, JSON.stringify(headers));
        assert.equal((await bodyOf(response)).error?.code, -32020);
      };
      const served = async (args: object, headers: Record<string, string>) =>
        assert.ok((await bodyOf(await call(args, headers))).result, JSON.stringify(headers));
      const encoded = (value: string) => `=?base64?${Buffer.from(value).toString('base64')}?=`;

      await refused({}, { 'mcp-method': 'tools/list' });
      await refused({}, { 'mcp-method': 'TOOLS/CALL' });
      await refused({}, { 'mcp-method': '' });
      await refused({}, { 'mcp-name': 'add' });
      await refused({}, { 'mcp-protocol-version': '2025-11-25' });
      await refused({ region: 'eu' }, { 'mcp-param-region': 'us' });
      await refused({ region: 'eu' }, { 'mcp-param-region': '=?base64?###?=' });
      await refused({}, { 'mcp-param-region': 'eu' });
      await refused({ level: 7 }, {});
      await refused({ level: 7 }, { 'mcp-param-level': '8' });
      await served({ level: 7 }, { 'mcp-param-level': '7.0' });
      await served({ dry: true }, { 'mcp-param-dry': 'true' });
      await served({ region: 'zürich' }, { 'mcp-param-region': encoded('zürich') });
      await served(
        { region: 'eu' },
        { 'mcp-param-region': encoded('eu'), 'mcp-name': encoded('header_echo') },
      );
      await served({ region: null }, {});
      await served({}, { 'mcp-param-unknown': 'x' });
    },
  },
  {
    name: 'errors of the protocol have their HTTP statuses, errors of methods have not',
    verifies: ['http-statuses'],
    transports,
    revisions: MODERN,
    async run({ peer }) {
      const one = await peer();
      const status = async (method: string, params = {}) =>
        (await wireOf(one).post(JSON.stringify(one.message(method, params)))).status;
      assert.equal(await status('nope'), 404);
      assert.equal(await status('ping'), 404);
      assert.equal(
        await status('tools/list', { _meta: { 'io.modelcontextprotocol/clientCapabilities': 1 } }),
        400,
      );
      assert.equal(await status('tools/call', { name: 'test_missing_capability' }), 400);
      assert.equal(await status('tools/call', { name: 'nope' }), 200);
      assert.equal(await status('resources/read', { uri: 'nope:' }), 200);
    },
  },
  {
    name: 'a broken stream is resumed from the last event, on its own stream only',
    verifies: ['http-resume'],
    transports,
    revisions: STREAMABLE,
    async run({ peer, harness: { origin } }) {
      const one = await peer();
      const post = async (id: string) => {
        const abort = new AbortController();
        const call = one.message(
          'tools/call',
          { name: 'test_tool_with_progress', _meta: { progressToken: id } },
          id,
        );
        const response = await fetch(`${origin}/mcp`, {
          method: 'POST',
          body: JSON.stringify(call),
          signal: abort.signal,
          headers: {
            ...JSON_TYPE,
            accept: 'application/json, text/event-stream',
            'mcp-session-id': wireOf(one).session!,
          },
        });
        return new Promise<string>((resolve) => {
          readEvents(response, ({ id: eventId, data }) => {
            if (!data) return;
            resolve(eventId!);
            abort.abort();
          }).catch(() => {});
        });
      };
      const [first] = await Promise.all([post('a'), post('b')]);
      const headers = {
        accept: 'text/event-stream',
        'mcp-session-id': wireOf(one).session!,
        'last-event-id': first,
      };
      const resumed = await events(await fetch(`${origin}/mcp`, { headers }));
      const messages = resumed.filter(({ data }) => data).map(({ data }) => JSON.parse(data!) as Message);
      assert.deepEqual(
        messages.map(({ params }) => params?.progress),
        [50, 100, undefined],
      );
      assert.ok(messages.every(({ id, params }) => (id ?? params?.progressToken) === 'a'));
      assert.equal(messages.at(-1)?.id, 'a');
      for (const bad of ['x', '99-1', '-', '1']) {
        assert.equal(
          (await fetch(`${origin}/mcp`, { headers: { ...headers, 'last-event-id': bad } })).status,
          400,
        );
      }
      const stranger = await peer();
      const other = { ...headers, 'mcp-session-id': wireOf(stranger).session! };
      assert.equal(
        (await fetch(`${origin}/mcp`, { headers: other })).status,
        400,
        'an event of another session',
      );
    },
  },
  {
    name: 'a stream starts with an id to come back with, and may be let go with the time to come back',
    verifies: ['http-polling'],
    transports,
    revisions: ['2025-11-25'],
    async run({ peer, harness: { origin } }) {
      const one = await peer();
      const call = one.message('tools/call', { name: 'test_reconnection' }, 'far');
      const [first, second, ...rest] = await events(await wireOf(one).post(JSON.stringify(call)));
      assert.ok(first?.id && first.data === '');
      assert.match(second?.retry ?? '', /^\d+$/);
      assert.deepEqual(rest, []);
      const headers = {
        accept: 'text/event-stream',
        'mcp-session-id': wireOf(one).session!,
        'last-event-id': first.id,
      };
      const resumed = await events(await fetch(`${origin}/mcp`, { headers }));
      assert.equal((JSON.parse(resumed.at(-1)?.data ?? '') as Message).id, 'far');
    },
  },
  {
    name: 'a client that goes away has cancelled only where the revision says so',
    verifies: ['http-disconnect', 'cancel'],
    transports,
    async run({ peer, harness, modern, revision }) {
      const one = await peer();
      const name = `witness-${revision}`;
      const { promise: ended, resolve } = Promise.withResolvers<boolean>();
      const { promise: started, resolve: start } = Promise.withResolvers<void>();
      harness.catalog.addTool({
        tool: { name, description: 'Says how it ended', inputSchema: { type: 'object' } },
        run: async (_, { signal }) => {
          start();
          await Promise.race([
            sleep(modern ? 10_000 : 150, undefined, { ref: !modern }),
            new Promise((done) => signal.addEventListener('abort', done)),
          ]);
          resolve(signal.aborted);
          return { kind: 'complete', content: [] };
        },
      });
      const abort = new AbortController();
      const message = one.message('tools/call', { name });
      const call = fetch(`${harness.origin}/mcp`, {
        method: 'POST',
        body: JSON.stringify(message),
        signal: abort.signal,
        headers: {
          ...JSON_TYPE,
          ...(modern
            ? { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': name }
            : { 'mcp-session-id': wireOf(one).session! }),
        },
      });
      await started;
      abort.abort();
      await assert.rejects(call);
      assert.equal(await ended, modern);
    },
  },
];
