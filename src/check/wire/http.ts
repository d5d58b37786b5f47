// One HTTP exchange at a time, as close to the bytes as node:http lets us: any method, any headers, any body; the
// answer's status, headers, body and events are kept as they came. Follows no redirects, keeps no connection alive. A
// server that has had enough for now (429) is given the time it asks for: its limits say nothing about other clauses.

import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Received } from '../message.ts';
import { received } from '../message.ts';
import { createEventReader, type ServerEvent } from './event-stream.ts';

export interface HttpReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, or for an event stream the raw stream, up to the limit. */
  readonly body: string;
  readonly events: readonly ServerEvent[];
  /** Messages in the body or in the events. */
  readonly messages: readonly Received[];
  /** Why the reply is not whole: time ran out, the connection broke, it was too long. */
  readonly broken: string | null;
  /** The last message came, but the event stream did not end after it. */
  readonly leftOpen: boolean;
}

export interface HttpCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly milliseconds: number;
  /** Called per event while the stream goes on; returning true ends the exchange there. */
  readonly onEvent?: (event: ServerEvent) => boolean;
  /** The answer's status and headers are enough. */
  readonly untilHeaders?: boolean;
  /** After such an event the stream should end by itself; it is given a moment for that, then left. */
  readonly isLast?: (event: ServerEvent) => boolean;
  readonly signal?: AbortSignal;
  /** Take 429 for an answer: limits are what is looked at. */
  readonly impatient?: boolean;
}

const MAX_BODY = 8 * 1024 * 1024;
const MAX_EVENTS = 20_000;
const MOMENT = 700;
const MAX_WAITS = 4;
const LONGEST_WAIT = 5;

export async function exchangeHttp(call: HttpCall): Promise<HttpReply> {
  for (let waits = 0; ; waits++) {
    const reply = await exchangeOnce(call);
    const seconds = Number(reply.headers['retry-after'] ?? Number.NaN);
    const mayWait = waits < MAX_WAITS && seconds >= 0 && seconds <= LONGEST_WAIT;
    if (reply.status !== 429 || call.impatient || call.signal?.aborted || !mayWait) return reply;
    await delay(seconds * 1_000);
  }
}

function exchangeOnce(call: HttpCall): Promise<HttpReply> {
  return new Promise((resolve) => {
    const send = call.url.protocol === 'https:' ? httpsRequest : httpRequest;
    let reply: IncomingMessage | null = null;
    let body = '';
    const events: ServerEvent[] = [];
    const messages: Received[] = [];
    let settled = false;
    let leftOpen = false;

    let timer = setTimeout(() => finish('no complete answer in time'), call.milliseconds);
    const { method, headers } = call;
    const servername = serverName(call.url);
    const request: ClientRequest = send(call.url, { method, headers, agent: false, servername });
    const abort = () => finish('closed by the checker');
    call.signal?.addEventListener('abort', abort, { once: true });

    function finish(broken: string | null): void {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      call.signal?.removeEventListener('abort', abort);
      request.destroy();
      resolve({
        status: reply?.statusCode ?? 0,
        headers: flat(reply),
        body,
        events,
        messages: messagesOf(reply, body, messages),
        broken,
        leftOpen,
      });
    }

    function expectEnd(): void {
      clearTimeout(timer);
      timer = setTimeout(() => {
        leftOpen = true;
        finish(null);
      }, MOMENT);
    }

    request.on('error', (error) => finish(error.message || 'the connection failed'));
    request.on('response', (response) => {
      reply = response;
      response.setEncoding('utf8');
      if (call.untilHeaders && isStreamType(response)) return finish(null);
      const isStream = isStreamType(response);
      const read = createEventReader((event) => {
        if (events.push(event) > MAX_EVENTS) return finish(`more than ${MAX_EVENTS} events came`);
        if (event.data !== '') messages.push(received(event.data));
        if (call.onEvent?.(event)) finish(null);
        else if (!settled && event.data !== '' && call.isLast?.(event)) expectEnd();
      });
      response.on('data', (text: string) => {
        body += text;
        if (body.length > MAX_BODY) return finish('the answer is longer than the checker reads');
        try {
          if (isStream) read(text);
        } catch (error) {
          finish((error as Error).message);
        }
      });
      response.on('end', () => finish(null));
      response.on('error', (error) => finish(error.message));
      response.on('close', () => finish('the connection closed early'));
    });
    request.end(call.body);
  });
}

/** Whose certificate it must be: of the address, whatever the Host header claims. Addresses have no such name. */
function serverName({ hostname }: URL): string {
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : '';
}

function isStreamType({ headers }: IncomingMessage): boolean {
  return /^text\/event-stream/i.test(headers['content-type'] ?? '');
}

function flat(reply: IncomingMessage | null): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(reply?.headers ?? {})) {
    headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return headers;
}

function messagesOf(
  reply: IncomingMessage | null,
  body: string,
  streamed: readonly Received[],
): readonly Received[] {
  if (reply !== null && isStreamType(reply)) return streamed;
  return body.trim() === '' ? [] : [received(body)];
}
