// Sessions of Streamable HTTP, 2025-03-26 to 2025-11-25: their ids, their end, and whose they are.

import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { openConversation } from '../conversation.ts';
import { answers } from '../message.ts';
import { type Check, fail, pass, type Revision, skip, until, type Verdict } from '../model.ts';
import { exchangeHttp } from '../wire/http.ts';

const NO_SESSIONS = 'The server does not use sessions';
const WITH_SESSIONS: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25'];
const sessions = { clause: clauses.sessions, revisions: WITH_SESSIONS, transports: ['http'] as const };

async function idsSecret(bench: Bench): Promise<Verdict> {
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) {
    const id = (await bench.fresh()).session;
    if (id !== null) ids.push(id);
  }
  if (ids.length === 0) return skip(NO_SESSIONS);
  const id = ids[0]!;
  if (new Set(ids).size < ids.length) return fail('Two sessions have the same id', { raw: ids.join('\n') });
  if (id.length < 16) return fail(`A session id of ${id.length} characters can be guessed`, { raw: id });
  return looksCounted(ids) ? fail('Session ids follow each other', { raw: ids.join('\n') }) : pass;
}

/** Ids that share all but a few characters come from a counter or a clock. */
function looksCounted(ids: readonly string[]): boolean {
  const [first, second] = ids;
  if (first === undefined || second === undefined || first.length !== second.length) return false;
  let same = 0;
  for (let index = 0; index < first.length; index++) if (first[index] === second[index]) same++;
  return same > first.length * 0.7;
}

async function idsVisible({ conversation }: Bench): Promise<Verdict> {
  if (conversation.session === null) return skip(NO_SESSIONS);
  return /^[\x21-\x7e]+$/.test(conversation.session)
    ? pass
    : fail('The session id has characters beyond visible ASCII', { raw: conversation.session });
}

async function endedSession(bench: Bench): Promise<Verdict> {
  const conversation = await bench.fresh();
  const { link, session } = conversation;
  if (session === null) return skip(NO_SESSIONS);
  const ended = await exchangeHttp({
    method: 'DELETE',
    url: link.url!,
    headers: { ...link.headers, 'mcp-session-id': session, 'mcp-protocol-version': bench.revision },
    milliseconds: bench.options.milliseconds,
  });
  if (ended.status === 405) return skip('The server does not let clients end sessions');
  if (ended.status >= 400) return skip(`The session could not be ended: HTTP ${ended.status}`);
  const after = await conversation.request('ping');
  return after.reply!.status === 404
    ? pass
    : fail(`A request in an ended session got HTTP ${after.reply!.status}`, after);
}

async function missingSession(bench: Bench): Promise<Verdict> {
  const { conversation } = bench;
  if (conversation.session === null) return skip(NO_SESSIONS);
  const link = await bench.freshLink();
  const exchange = await link.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }), {
    milliseconds: bench.options.milliseconds,
    headers: bench.revision >= '2025-06-18' ? { 'mcp-protocol-version': bench.revision } : {},
  });
  const { status } = exchange.reply!;
  // A server that does not require a session may serve the request.
  return status < 300 || status === 400
    ? pass
    : fail(`A request without Mcp-Session-Id got HTTP ${status} instead of 400`, exchange);
}

async function ownSessionOnly(bench: Bench): Promise<Verdict> {
  const other = bench.options.otherHeaders;
  if (other === undefined)
    return skip('Needs a second caller: give headers of another one with --other-header');
  if (bench.transport === 'sse') return ownStreamOnly(bench, other);
  const mine = await bench.fresh();
  const { session } = mine;
  if (session === null) return skip(NO_SESSIONS);
  const link = await bench.freshLink(other);
  const own = await openConversation(link, bench.revision, { milliseconds: bench.options.milliseconds });
  if (own === null) return skip('The second caller cannot open a session of its own');
  const stolen = { 'mcp-session-id': session };
  const asked = await own.request('tools/list', {}, { headers: stolen });
  if (!isRefused(asked.reply!))
    return fail(`The session of one caller served another: HTTP ${asked.reply!.status}`, asked);
  for (const [method, accept] of [
    ['GET', 'text/event-stream'],
    ['DELETE', '*/*'],
  ] as const) {
    const reply = await exchangeHttp({
      method,
      url: link.url!,
      headers: { ...link.headers, ...stolen, accept, 'mcp-protocol-version': bench.revision },
      milliseconds: bench.options.milliseconds,
      untilHeaders: true,
    });
    if (!isRefused(reply))
      return fail(`${method} with the session of another caller was served: HTTP ${reply.status}`, {
        raw: reply.body,
      });
  }
  const after = await mine.request('ping');
  return after.reply!.status < 300
    ? pass
    : fail(`After another caller tried, the session is gone: HTTP ${after.reply!.status}`, after);
}

/** HTTP+SSE: the address for messages is the session. */
async function ownStreamOnly(bench: Bench, other: Readonly<Record<string, string>>): Promise<Verdict> {
  const mine = await bench.fresh();
  const { endpoint } = mine.link.sse!;
  if (endpoint === null) return skip('The server names no address for messages');
  const id = mine.nextId();
  const from = mine.link.inbox!.messages.length;
  const reply = await exchangeHttp({
    method: 'POST',
    url: endpoint,
    headers: { 'content-type': 'application/json', ...other },
    body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }),
    milliseconds: bench.options.milliseconds,
  });
  await mine.fence();
  const served = mine.link.inbox!.messages.slice(from).find((message) => answers(message, id));
  if (served !== undefined)
    return fail('A message of one caller was served in the stream of another', served);
  return isRefused(reply)
    ? pass
    : fail(`A message to the stream of another caller got HTTP ${reply.status}`, { raw: reply.body });
}

const isRefused = ({ status }: { readonly status: number }): boolean => status >= 400 && status < 500;

export const sessionChecks: readonly Check[] = [
  {
    id: 'H06',
    title: 'Session ids cannot be guessed',
    level: 'should',
    severity: 'high',
    ...sessions,
    remedy: 'Make session ids from at least 128 random bits',
    run: idsSecret,
  },
  {
    id: 'H19',
    title: 'Session ids are visible ASCII',
    level: 'must',
    severity: 'medium',
    ...sessions,
    remedy: 'Make session ids from the characters 0x21 to 0x7E, such as a UUID',
    run: idsVisible,
  },
  {
    id: 'H07',
    title: 'A session serves only the caller who opened it',
    level: 'practice',
    severity: 'critical',
    clause: (revision) =>
      revision === '2024-11-05'
        ? { page: 'basic/transports', heading: 'http-with-sse' }
        : clauses.sessions(revision),
    revisions: until('2025-11-25'),
    transports: ['http', 'sse'],
    remedy: 'Bind a session to who was authorized when it was opened, and compare on every request',
    run: ownSessionOnly,
  },
  {
    id: 'H14',
    title: 'A request in an ended session gets 404',
    level: 'must',
    severity: 'medium',
    ...sessions,
    remedy: 'Forget a session when it ends and answer 404 to its id from then on',
    run: endedSession,
  },
  {
    id: 'H20',
    title: 'A request without its session id gets 400, where one is required',
    level: 'should',
    severity: 'low',
    ...sessions,
    remedy: 'Answer 400 to requests other than initialize that carry no Mcp-Session-Id',
    run: missingSession,
  },
];
