// Streamable HTTP and HTTP+SSE: origins, status codes, content types, sessions, streams.

import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { isAnswer, isServerRequest, resultOf } from '../message.ts';
import {
  type Check,
  type Clause,
  fail,
  isModern,
  pass,
  type Revision,
  since,
  skip,
  type Verdict,
} from '../model.ts';
import { exchangeHttp, type HttpReply } from '../wire/http.ts';
import { fenceMethod } from './json-rpc.ts';

const page = (revision: Revision): string =>
  isModern(revision) ? 'basic/transports/streamable-http' : 'basic/transports';
const clause =
  (modern: string, legacy: string) =>
  (revision: Revision): Clause => ({ page: page(revision), heading: isModern(revision) ? modern : legacy });

const HTTP = since('2025-03-26');
const WITH_SESSIONS: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25'];
const security = clause('security-%26-endpoint', 'security-warning');
const sending = clause('sending-messages', 'sending-messages-to-the-server');

async function badOrigin(bench: Bench): Promise<Verdict> {
  const exchange = await bench.conversation.request(
    fenceMethod(bench.revision),
    {},
    {
      headers: { origin: 'https://attacker.example' },
    },
  );
  const { status } = exchange.reply!;
  if (status === 403) return pass;
  if (status >= 400 && bench.revision < '2025-11-25') return pass;
  return fail(`A request with a foreign Origin got HTTP ${status} instead of 403`, exchange);
}

async function badHost(bench: Bench): Promise<Verdict> {
  const url = bench.conversation.link.url!;
  if (!/^(localhost|127\.|\[::1\])/.test(url.hostname))
    return skip('Only a server on loopback can be asked this');
  const exchange = await bench.conversation.request(
    fenceMethod(bench.revision),
    {},
    {
      headers: { host: 'attacker.example' },
    },
  );
  const { status } = exchange.reply!;
  return status >= 400 && status < 500
    ? pass
    : fail(`A request with a foreign Host got HTTP ${status}`, exchange);
}

async function notificationAccepted(bench: Bench): Promise<Verdict> {
  const method = isModern(bench.revision) ? 'notifications/cancelled' : 'notifications/initialized';
  const exchange = await bench.conversation.notify(
    method,
    isModern(bench.revision) ? { requestId: 'none' } : {},
  );
  const { status, body } = exchange.reply!;
  if (isModern(bench.revision) && status >= 400) return pass;
  if (status !== 202) return fail(`A notification got HTTP ${status} instead of 202`, exchange);
  return body === '' ? pass : fail('The 202 answer to a notification has a body', exchange);
}

async function mediaTypes(bench: Bench): Promise<Verdict> {
  const type = await bench.conversation.request(
    fenceMethod(bench.revision),
    {},
    {
      headers: { 'content-type': 'text/plain' },
    },
  );
  if (type.reply!.status < 400) return fail(`A body of text/plain got HTTP ${type.reply!.status}`, type);
  const accept = await bench.conversation.request(
    fenceMethod(bench.revision),
    {},
    { headers: { accept: 'image/png' } },
  );
  if (accept.reply!.status < 400) return fail(`"Accept: image/png" got HTTP ${accept.reply!.status}`, accept);
  return pass;
}

async function methodsAllowed(bench: Bench): Promise<Verdict> {
  const refused = isModern(bench.revision) ? ['GET', 'DELETE', 'PUT'] : ['PUT'];
  for (const method of refused) {
    const reply = await bare(
      bench,
      method,
      isModern(bench.revision) ? { 'mcp-protocol-version': bench.revision } : {},
    );
    if (reply.status !== 405)
      return fail(`${method} got HTTP ${reply.status} instead of 405`, { raw: reply.body });
  }
  if (isModern(bench.revision)) return pass;
  const reply = await bare(bench, 'GET', sessionHeaders(bench));
  const streams = /^text\/event-stream/i.test(reply.headers['content-type'] ?? '') && reply.status === 200;
  return streams || reply.status === 405
    ? pass
    : fail(`GET got HTTP ${reply.status}: neither an event stream nor 405`);
}

function bare(bench: Bench, method: string, headers: Readonly<Record<string, string>>): Promise<HttpReply> {
  return exchangeHttp({
    method,
    url: bench.conversation.link.url!,
    headers: { accept: 'text/event-stream', ...headers },
    milliseconds: 700,
  });
}

function sessionHeaders(bench: Bench): Record<string, string> {
  const session = bench.conversation.opening.reply?.headers['mcp-session-id'];
  return {
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
    ...(bench.revision >= '2025-06-18' ? { 'mcp-protocol-version': bench.revision } : {}),
  };
}

async function sessionIds(bench: Bench): Promise<Verdict> {
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) {
    const id = (await bench.fresh()).opening.reply?.headers['mcp-session-id'];
    if (id !== undefined) ids.push(id);
  }
  if (ids.length === 0) return skip('The server does not use sessions');
  const id = ids[0]!;
  if (!/^[\x21-\x7e]+$/.test(id))
    return fail('The session id has characters beyond visible ASCII', { raw: id });
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

async function endedSession(bench: Bench): Promise<Verdict> {
  const conversation = await bench.fresh();
  const session = conversation.opening.reply?.headers['mcp-session-id'];
  if (session === undefined) return skip('The server does not use sessions');
  const ended = await exchangeHttp({
    method: 'DELETE',
    url: conversation.link.url!,
    headers: { 'mcp-session-id': session, 'mcp-protocol-version': bench.revision },
    milliseconds: bench.options.milliseconds,
  });
  if (ended.status === 405) return skip('The server does not let clients end sessions');
  const after = await conversation.request('ping');
  return after.reply!.status === 404
    ? pass
    : fail(`A request in an ended session got HTTP ${after.reply!.status}`, after);
}

async function oneStreamOnly(bench: Bench): Promise<Verdict> {
  const first = await bench.fresh();
  const second = await bench.fresh();
  const listen = (conversation: typeof first) =>
    exchangeHttp({
      method: 'GET',
      url: conversation.link.url!,
      headers: {
        accept: 'text/event-stream',
        'mcp-protocol-version': bench.revision,
        ...sessionOf(conversation.opening.reply),
      },
      milliseconds: 1_200,
    });
  const streams = [listen(first), listen(second)];
  await delay(150);
  await first.request('tools/list');
  const [mine, other] = await Promise.all(streams);
  if (mine!.status !== 200 || other!.status !== 200) return skip('The server has no stream to listen on');
  const leaked = [...mine!.messages, ...other!.messages].find(isAnswer);
  return leaked === undefined ? pass : fail('The answer to a POST came on a GET stream too', leaked);
}

function sessionOf(reply: HttpReply | null): Record<string, string> {
  const session = reply?.headers['mcp-session-id'];
  return session === undefined ? {} : { 'mcp-session-id': session };
}

async function noBuffering(bench: Bench): Promise<Verdict> {
  const tool = await bench.callable();
  const exchange = await bench.conversation.request(
    tool === null ? 'server/discover' : 'tools/call',
    tool === null ? {} : { name: tool.name, arguments: tool.arguments },
  );
  const { headers } = exchange.reply!;
  if (!/^text\/event-stream/i.test(headers['content-type'] ?? ''))
    return skip('No answer came as an event stream');
  return headers['x-accel-buffering'] === 'no'
    ? pass
    : fail('An event stream has no "X-Accel-Buffering: no"', exchange);
}

async function bodyBounded(bench: Bench): Promise<Verdict> {
  const url = bench.conversation.link.url!;
  if (url.protocol !== 'http:') return skip('Only plain HTTP can be asked this');
  const head = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${1 << 30}`,
    '',
    '{',
  ].join('\r\n');
  const answer = await new Promise<string>((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80) }, () =>
      socket.write(head),
    );
    let text = '';
    const done = () => {
      socket.destroy();
      resolve(text);
    };
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('close', done);
    socket.on('error', done);
    setTimeout(done, 1_500);
  });
  const after = await bench.conversation.fence();
  if (after.answer === null)
    return fail(`While a body of 1 GB was announced: ${after.silence}`, { sent: head });
  return /^HTTP\/1\.1 4\d\d/.test(answer)
    ? pass
    : fail('A body of 1 GB was not refused when it was announced', { sent: head, raw: answer });
}

async function endpointEvent(bench: Bench): Promise<Verdict> {
  const { sse } = await bench.freshLink();
  const first = sse!.events[0];
  if (first?.event !== 'endpoint')
    return fail('The first event is not "endpoint"', { raw: JSON.stringify(first) });
  return sse!.endpoint === null
    ? fail('The endpoint event names no address of this server', { raw: first.data })
    : pass;
}

async function answersHaveType(bench: Bench): Promise<Verdict> {
  const exchange = await bench.conversation.fence();
  const type = exchange.reply!.headers['content-type'] ?? '';
  if (!/^(application\/json|text\/event-stream)/i.test(type))
    return fail(`An answer has Content-Type "${type}"`, exchange);
  return resultOf(exchange.answer) === null ? fail('A correct request was not served', exchange) : pass;
}

async function removedIs404(bench: Bench): Promise<Verdict> {
  for (const method of ['ping', 'logging/setLevel', 'resources/subscribe']) {
    const exchange = await bench.conversation.request(method, {});
    const { status } = exchange.reply!;
    if (status !== 404)
      return fail(`The removed method ${method} got HTTP ${status} instead of 404`, exchange);
  }
  return pass;
}

async function headersMustMatch(bench: Bench): Promise<Verdict> {
  const wrong: readonly Readonly<Record<string, string>>[] = [
    { 'mcp-method': 'tools/call' },
    { 'mcp-protocol-version': '2025-11-25' },
  ];
  for (const headers of wrong) {
    const exchange = await bench.conversation.request('server/discover', {}, { headers });
    const { status } = exchange.reply!;
    if (status !== 400)
      return fail(`${JSON.stringify(headers)} against the body got HTTP ${status} instead of 400`, exchange);
  }
  return pass;
}

async function noRequestsOnStreams(bench: Bench): Promise<Verdict> {
  const tool = await bench.callable();
  if (tool === null)
    return skip('No tool may be called: none is marked read-only, and --allow-calls names none');
  const exchange = await bench.conversation.request('tools/call', {
    name: tool.name,
    arguments: tool.arguments,
  });
  const asked = exchange.messages.find(isServerRequest);
  return asked === undefined ? pass : fail('The server sent a request on a response stream', asked);
}

const http = { transports: ['http'] as const };

export const httpChecks: readonly Check[] = [
  {
    id: 'H01',
    title: 'A foreign Origin is refused',
    level: 'must',
    severity: 'critical',
    clause: security,
    revisions: HTTP,
    ...http,
    remedy: 'Compare the Origin header with the origins you expect and answer 403 otherwise',
    run: badOrigin,
  },
  {
    id: 'H02',
    title: 'A foreign Host is refused on loopback',
    level: 'practice',
    severity: 'high',
    clause: security,
    revisions: HTTP,
    ...http,
    remedy: 'Accept only the host names the server is meant to be reached by: it stops DNS rebinding',
    run: badHost,
  },
  {
    id: 'H03',
    title: 'A notification gets 202 and no body',
    level: 'must',
    severity: 'medium',
    clause: sending,
    revisions: HTTP,
    ...http,
    remedy: 'Answer accepted notifications with 202 and nothing else',
    run: notificationAccepted,
  },
  {
    id: 'H04',
    title: 'Content-Type and Accept are looked at',
    level: 'practice',
    severity: 'medium',
    clause: sending,
    revisions: HTTP,
    ...http,
    remedy:
      'Answer 415 to bodies that are not JSON and 406 when neither JSON nor an event stream is accepted',
    run: mediaTypes,
  },
  {
    id: 'H05',
    title: 'Methods that the endpoint does not have get 405',
    level: 'must',
    severity: 'medium',
    clause: clause('backward-compatibility', 'listening-for-messages-from-the-server'),
    revisions: HTTP,
    ...http,
    remedy: 'Answer 405 to methods that are not offered; GET is an event stream or 405',
    run: methodsAllowed,
  },
  {
    id: 'H06',
    title: 'Session ids are visible ASCII and cannot be guessed',
    level: 'should',
    severity: 'high',
    clause: { page: 'basic/transports', heading: 'session-management' },
    revisions: WITH_SESSIONS,
    ...http,
    remedy: 'Make session ids from at least 128 random bits',
    run: sessionIds,
  },
  {
    id: 'H14',
    title: 'A request in an ended session gets 404',
    level: 'must',
    severity: 'medium',
    clause: { page: 'basic/transports', heading: 'session-management' },
    revisions: WITH_SESSIONS,
    ...http,
    remedy: 'Forget a session when it ends and answer 404 to its id from then on',
    run: endedSession,
  },
  {
    id: 'H09',
    title: 'A message is sent on one stream only',
    level: 'must',
    severity: 'high',
    clause: { page: 'basic/transports', heading: 'multiple-connections' },
    revisions: WITH_SESSIONS,
    ...http,
    remedy: 'Send the answer to a POST on the stream of that POST and nowhere else',
    run: oneStreamOnly,
  },
  {
    id: 'H11',
    title: 'Event streams ask proxies not to buffer',
    level: 'should',
    severity: 'low',
    clause: clause('receiving-messages', ''),
    revisions: ['2026-07-28'],
    ...http,
    remedy: 'Send "X-Accel-Buffering: no" with every event stream',
    run: noBuffering,
  },
  {
    id: 'H12',
    title: 'An oversized body is refused early and blocks nobody',
    level: 'practice',
    severity: 'high',
    clause: sending,
    revisions: HTTP,
    ...http,
    remedy: 'Refuse bodies over a limit with 413 as soon as Content-Length says so',
    run: bodyBounded,
  },
  {
    id: 'H13',
    title: 'The event stream begins with the endpoint event',
    level: 'must',
    severity: 'high',
    clause: { page: 'basic/transports', heading: 'http-with-sse' },
    revisions: ['2024-11-05'],
    transports: ['sse'],
    remedy: 'Send an "endpoint" event with the address for messages as soon as a client connects',
    run: endpointEvent,
  },
  {
    id: 'H15',
    title: 'Answers are JSON or an event stream, and say so',
    level: 'must',
    severity: 'high',
    clause: sending,
    revisions: HTTP,
    ...http,
    remedy: 'Set Content-Type to application/json or text/event-stream',
    run: answersHaveType,
  },
  {
    id: 'H16',
    title: 'Methods that were removed get -32601 with HTTP 404',
    level: 'must',
    severity: 'medium',
    clause: clause('protocol-version-header', ''),
    revisions: ['2026-07-28'],
    ...http,
    remedy: 'Treat ping, logging/setLevel and resources/subscribe as unknown methods at this revision',
    run: removedIs404,
  },
  {
    id: 'H17',
    title: 'Headers that contradict the body get HTTP 400',
    level: 'must',
    severity: 'high',
    clause: clause('server-validation', ''),
    revisions: ['2026-07-28'],
    ...http,
    remedy: 'Compare Mcp-Method and MCP-Protocol-Version with the body and answer 400 with -32020',
    run: headersMustMatch,
  },
  {
    id: 'H18',
    title: 'Response streams carry no requests of the server',
    level: 'must',
    severity: 'critical',
    clause: clause('receiving-messages', ''),
    revisions: ['2026-07-28'],
    ...http,
    remedy: 'Answer with an input-required result instead of asking the client',
    run: noRequestsOnStreams,
  },
];
