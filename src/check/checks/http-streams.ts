// Event streams: what may stand on which stream, how they end, and what is replayed after a break.

import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, callParams } from '../bench.ts';
import { clauses } from '../clauses.ts';
import type { Conversation } from '../conversation.ts';
import type { Exchange } from '../link.ts';
import { answers, isServerRequest, type JsonObject, received } from '../message.ts';
import { type Check, fail, isModern, pass, type Revision, since, skip, type Verdict } from '../model.ts';
import { exchangeHttp, type HttpReply } from '../wire/http.ts';

const WITH_SESSIONS: readonly Revision[] = ['2025-03-26', '2025-06-18', '2025-11-25'];
const HTTP = since('2025-03-26');
const http = { transports: ['http'] as const };

const isStream = (reply: HttpReply): boolean =>
  /^text\/event-stream/i.test(reply.headers['content-type'] ?? '');

/** Answers that may come as an event stream. */
async function streamed(bench: Bench): Promise<Exchange[]> {
  const calls = await bench.calls();
  const exchanges = [...calls.map((call) => call.exchange), await bench.conversation.request('tools/list')];
  return exchanges.filter(({ reply }) => reply !== null && isStream(reply));
}

function listen(
  { link, session, revision }: Conversation,
  milliseconds: number,
  more: Readonly<Record<string, string>> = {},
  isEnough?: (event: { readonly data: string }) => boolean,
): Promise<HttpReply> {
  return exchangeHttp({
    method: 'GET',
    url: link.url!,
    headers: {
      ...link.headers,
      accept: 'text/event-stream',
      'mcp-protocol-version': revision,
      ...(session === null ? {} : { 'mcp-session-id': session }),
      ...more,
    },
    milliseconds,
    ...(isEnough === undefined ? {} : { onEvent: isEnough }),
  });
}

async function oneStreamOnly(bench: Bench): Promise<Verdict> {
  const { conversation } = bench;
  const ids: number[] = [];
  const [mine, other] = await Promise.all([
    listen(conversation, LISTENING),
    bench.fresh().then((second) => listen(second, LISTENING)),
    delay(LISTENING / 3).then(async () => {
      const id = conversation.nextId();
      ids.push(id);
      await conversation.request('tools/list', {}, { id });
    }),
  ]);
  if (mine.status !== 200 && other.status !== 200) return skip('The server has no stream to listen on');
  const leaked = [...mine.messages, ...other.messages].find((message) =>
    ids.some((id) => answers(message, id)),
  );
  return leaked === undefined ? pass : fail('The answer to a POST came on a GET stream too', leaked);
}

async function sameStreamReplayed(bench: Bench): Promise<Verdict> {
  const [first, second] = await twoStreams(bench);
  if (first === undefined || second === undefined) return skip(NO_EVENT_IDS);
  const reply = await listen(bench.conversation, LISTENING, { 'last-event-id': first.eventId });
  const foreign = reply.messages.find((message) => answers(message, second.id));
  return foreign === undefined
    ? pass
    : fail('Resuming one stream replayed the answer that belongs to another', foreign);
}

async function eventIdsUnique(bench: Bench): Promise<Verdict> {
  const streams = await twoStreams(bench);
  if (streams.length < 2) return skip(NO_EVENT_IDS);
  const ids = streams.flatMap(({ reply }) =>
    reply.events.flatMap(({ id }) => (id === undefined ? [] : [id])),
  );
  const twice = ids.find((id, index) => id !== '' && ids.indexOf(id) !== index);
  return twice === undefined
    ? pass
    : fail(`The event id ${JSON.stringify(twice)} was used twice in a session`);
}

const NO_EVENT_IDS = 'Event streams carry no ids, so they cannot be resumed';
const LISTENING = 600;

interface ResumableStream {
  readonly id: number;
  readonly eventId: string;
  readonly reply: HttpReply;
}

interface Question {
  readonly method: string;
  readonly params: JsonObject;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request whose answer came as an event stream before, if there is one; a server may choose for each. */
async function streamedQuestion(bench: Bench): Promise<Question> {
  const calls = await bench.calls();
  const tool = calls.find(({ exchange }) => exchange.reply !== null && isStream(exchange.reply)) ?? calls[0];
  if (tool === undefined) return { method: 'tools/list', params: {}, headers: {} };
  const params = { ...callParams(tool), _meta: { progressToken: 'witbox-check-stream' } };
  return { method: 'tools/call', params, headers: tool.headers };
}

/** Two answers that came as event streams with ids, if there are such. */
async function twoStreams(bench: Bench): Promise<ResumableStream[]> {
  const { conversation } = bench;
  const { method, params, headers } = await streamedQuestion(bench);
  const streams: ResumableStream[] = [];
  for (let index = 0; index < 2; index++) {
    const id = conversation.nextId();
    const { reply } = await conversation.request(method, params, { id, headers });
    const eventId = reply?.events.find((event) => event.id !== undefined && event.id !== '')?.id;
    if (reply === null || eventId === undefined) return streams;
    streams.push({ id, eventId, reply });
  }
  return streams;
}

/** Breaks off at the first event that has an id, and asks for the rest. */
async function disconnectIsNoCancel(bench: Bench): Promise<Verdict> {
  const { conversation } = bench;
  if (isModern(bench.revision))
    return skip('Here the broken connection is the cancel, and what the server does after it cannot be seen');
  const { method, params } = await streamedQuestion(bench);
  const id = conversation.nextId();
  const message = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  let answered = false;
  const { link, session, revision } = conversation;
  const broken = await exchangeHttp({
    method: 'POST',
    url: link.url!,
    headers: {
      ...link.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(session === null ? {} : { 'mcp-session-id': session }),
    },
    body: message,
    milliseconds: bench.options.milliseconds,
    onEvent(event) {
      answered ||= event.data !== '' && answers(received(event.data), id);
      return answered || (event.id !== undefined && event.id !== '');
    },
  });
  const eventId = broken.events.at(-1)?.id;
  if (answered || eventId === undefined || eventId === '')
    return skip('No event with an id came before the answer, so a broken stream cannot be resumed');
  const isAnswerToIt = (event: { readonly data: string }) =>
    event.data !== '' && answers(received(event.data), id);
  const rest = await listen(
    conversation,
    bench.options.milliseconds,
    { 'last-event-id': eventId },
    isAnswerToIt,
  );
  if (rest.status !== 200 || !isStream(rest))
    return skip(`The stream could not be resumed: HTTP ${rest.status}`);
  const answer = rest.messages.find((one) => answers(one, id));
  return answer !== undefined
    ? pass
    : fail('After a broken connection the answer never came: the disconnect was taken for a cancel', {
        sent: message,
        raw: rest.body,
      });
}

async function noBuffering(bench: Bench): Promise<Verdict> {
  const [exchange] = await streamed(bench);
  if (exchange === undefined) return skip('No answer came as an event stream');
  return exchange.reply!.headers['x-accel-buffering'] === 'no'
    ? pass
    : fail('An event stream has no "X-Accel-Buffering: no"', exchange);
}

async function streamsEnd(bench: Bench): Promise<Verdict> {
  const exchanges = await streamed(bench);
  if (exchanges.length === 0) return skip('No answer came as an event stream');
  const open = exchanges.find(({ reply }) => reply!.leftOpen);
  return open === undefined ? pass : fail('An event stream stayed open after its answer', open);
}

async function noRequestsOnStreams(bench: Bench): Promise<Verdict> {
  const exchanges = await streamed(bench);
  const asked = exchanges.flatMap(({ messages }) => messages).find(isServerRequest);
  return asked === undefined ? pass : fail('The server sent a request on a response stream', asked);
}

async function endpointEvent(bench: Bench): Promise<Verdict> {
  const { sse } = bench.conversation.link;
  const first = sse!.events[0];
  if (first?.event !== 'endpoint')
    return fail('The first event is not "endpoint"', { raw: JSON.stringify(first) });
  return sse!.endpoint === null
    ? fail('The endpoint event names no address of this server', { raw: first.data })
    : pass;
}

export const streamChecks: readonly Check[] = [
  {
    id: 'H09',
    title: 'A message is sent on one stream only',
    level: 'must',
    severity: 'high',
    clause: clauses.oneStream,
    revisions: WITH_SESSIONS,
    ...http,
    remedy: 'Send the answer to a POST on the stream of that POST and nowhere else',
    run: oneStreamOnly,
  },
  {
    id: 'H08',
    title: 'Resuming a stream replays only that stream',
    level: 'must',
    severity: 'high',
    clause: clauses.resuming,
    revisions: WITH_SESSIONS,
    ...http,
    remedy: 'Keep events by stream; replay after a Last-Event-ID only those of the stream it belongs to',
    run: sameStreamReplayed,
  },
  {
    id: 'H21',
    title: 'Event ids are unique within a session',
    level: 'must',
    severity: 'medium',
    clause: clauses.resuming,
    revisions: WITH_SESSIONS,
    ...http,
    remedy: 'Put the stream into the event id, or count events per session',
    run: eventIdsUnique,
  },
  {
    id: 'H10',
    title: 'A broken connection cancels a request only from 2026-07-28 on',
    level: 'should',
    severity: 'high',
    clause: clauses.receiving,
    revisions: HTTP,
    ...http,
    remedy: 'Go on with the work and keep the answer for a client that resumes the stream',
    run: disconnectIsNoCancel,
  },
  {
    id: 'H24',
    title: 'An event stream ends after its answer',
    level: 'should',
    severity: 'medium',
    clause: clauses.receiving,
    revisions: HTTP,
    ...http,
    remedy: 'Close the stream of a POST once the response was sent on it',
    run: streamsEnd,
  },
  {
    id: 'H11',
    title: 'Event streams ask proxies not to buffer',
    level: 'should',
    severity: 'low',
    clause: clauses.receiving,
    revisions: ['2026-07-28'],
    ...http,
    remedy: 'Send "X-Accel-Buffering: no" with every event stream',
    run: noBuffering,
  },
  {
    id: 'H13',
    title: 'The event stream begins with the endpoint event',
    level: 'must',
    severity: 'high',
    clause: clauses.legacySse,
    revisions: ['2024-11-05'],
    transports: ['sse'],
    remedy: 'Send an "endpoint" event with the address for messages as soon as a client connects',
    run: endpointEvent,
  },
  {
    id: 'H18',
    title: 'Response streams carry no requests of the server',
    level: 'must',
    severity: 'critical',
    clause: clauses.receiving,
    revisions: ['2026-07-28'],
    ...http,
    remedy: 'Answer with an input-required result instead of asking the client',
    run: noRequestsOnStreams,
  },
];
