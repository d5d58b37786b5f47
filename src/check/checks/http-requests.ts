// Streamable HTTP, one request at a time: who may ask, what a body may be, which status and type an answer has.

import { connect } from 'node:net';
import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { fenceMethod } from '../conversation.ts';
import { resultOf } from '../message.ts';
import { type Check, fail, isModern, pass, REVISIONS, since, skip, type Verdict } from '../model.ts';
import { exchangeHttp } from '../wire/http.ts';

const HTTP = since('2025-03-26');
const http = { transports: ['http'] as const };

/** Where rebinding a name leads: this machine, and networks that are not public. */
function isLocal({ hostname }: URL): boolean {
  return /^(?:localhost$|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|\[::1\]$|\[f[cd])|\.(?:local|internal)$/.test(
    hostname,
  );
}

async function badOrigin(bench: Bench): Promise<Verdict> {
  if (!isLocal(bench.conversation.link.url!)) return skip('A public server may welcome every origin');
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
  if (isModern(bench.revision)) return onlyPost(bench);
  const { link, session } = bench.conversation;
  const reply = await exchangeHttp({
    method: 'GET',
    url: link.url!,
    headers: {
      ...link.headers,
      accept: 'text/event-stream',
      ...(session === null ? {} : { 'mcp-session-id': session }),
      ...(bench.revision >= '2025-06-18' ? { 'mcp-protocol-version': bench.revision } : {}),
    },
    milliseconds: bench.options.milliseconds,
    untilHeaders: true,
  });
  const streams = reply.status === 200 && /^text\/event-stream/i.test(reply.headers['content-type'] ?? '');
  if (streams || reply.status === 405) return pass;
  return fail(`GET got HTTP ${reply.status}: neither an event stream nor 405`, { raw: reply.body });
}

async function onlyPost(bench: Bench): Promise<Verdict> {
  if (bench.supported.some((revision) => !isModern(revision)))
    return skip('The server speaks older revisions too, which have GET and DELETE');
  if (bench.probed.length < REVISIONS.length) return skip('Older revisions were not tried');
  for (const method of ['GET', 'DELETE']) {
    const reply = await exchangeHttp({
      method,
      url: bench.conversation.link.url!,
      headers: { ...bench.conversation.link.headers, accept: 'text/event-stream' },
      milliseconds: bench.options.milliseconds,
      untilHeaders: true,
    });
    if (reply.status !== 405)
      return fail(`${method} got HTTP ${reply.status} instead of 405`, { raw: reply.body });
  }
  return pass;
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
    setTimeout(done, bench.options.milliseconds).unref();
  });
  const after = await bench.conversation.fence();
  if (after.answer === null)
    return fail(`While a body of 1 GB was announced: ${after.silence}`, { sent: head });
  return /^HTTP\/1\.1 4\d\d/.test(answer)
    ? pass
    : fail('A body of 1 GB was not refused when it was announced', { sent: head, raw: answer });
}

async function answersHaveType(bench: Bench): Promise<Verdict> {
  const exchange = await bench.conversation.fence();
  const type = exchange.reply!.headers['content-type'] ?? '';
  if (!/^(application\/json|text\/event-stream)/i.test(type))
    return fail(`An answer has Content-Type "${type}"`, exchange);
  return resultOf(exchange.answer) === null ? fail('A correct request was not served', exchange) : pass;
}

export const httpRequestChecks: readonly Check[] = [
  {
    id: 'H01',
    title: 'A foreign Origin is refused',
    level: 'must',
    severity: 'critical',
    clause: clauses.origin,
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
    clause: clauses.origin,
    revisions: HTTP,
    ...http,
    scope: 'once',
    remedy: 'Accept only the host names the server is meant to be reached by: it stops DNS rebinding',
    run: badHost,
  },
  {
    id: 'H03',
    title: 'A notification gets 202 and no body',
    level: 'must',
    severity: 'medium',
    clause: clauses.sending,
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
    clause: clauses.sending,
    revisions: HTTP,
    ...http,
    scope: 'once',
    remedy:
      'Answer 415 to bodies that are not JSON and 406 when neither JSON nor an event stream is accepted',
    run: mediaTypes,
  },
  {
    id: 'H05',
    title: 'GET is an event stream or 405',
    level: (revision) => (isModern(revision) ? 'should' : 'must'),
    severity: 'medium',
    clause: clauses.listening,
    revisions: HTTP,
    ...http,
    remedy: 'Answer GET with an event stream, or with 405 where there is none to listen on',
    run: methodsAllowed,
  },
  {
    id: 'H12',
    title: 'An oversized body is refused early and blocks nobody',
    level: 'practice',
    severity: 'high',
    clause: clauses.sending,
    revisions: HTTP,
    ...http,
    scope: 'once',
    remedy: 'Refuse bodies over a limit with 413 as soon as Content-Length says so',
    run: bodyBounded,
  },
  {
    id: 'H15',
    title: 'Answers are JSON or an event stream, and say so',
    level: 'must',
    severity: 'high',
    clause: clauses.sending,
    revisions: HTTP,
    ...http,
    remedy: 'Set Content-Type to application/json or text/event-stream',
    run: answersHaveType,
  },
];
