// The HTTP+SSE transport of 2024-11-05: one GET that stays open and names the address for POSTs.

import type { ServerEvent } from './event-stream.ts';
import { exchangeHttp, type HttpReply } from './http.ts';
import { Inbox } from './inbox.ts';

export interface LegacySseWire {
  readonly inbox: Inbox;
  /** The events in order, the `endpoint` event among them. */
  readonly events: readonly ServerEvent[];
  readonly endpoint: URL | null;
  post(text: string, headers?: Readonly<Record<string, string>>): Promise<HttpReply>;
  close(): Promise<void>;
}

export async function openLegacySse(
  url: URL,
  base: Readonly<Record<string, string>>,
  milliseconds: number,
): Promise<LegacySseWire> {
  const ending = new AbortController();
  const inbox = new Inbox(() => ending.abort());
  const events: ServerEvent[] = [];
  let endpoint: URL | null = null;
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>();

  const stream = exchangeHttp({
    method: 'GET',
    url,
    headers: { accept: 'text/event-stream', ...base },
    milliseconds: 10 * 60_000,
    signal: ending.signal,
    onEvent(event) {
      events.push(event);
      if (event.event === 'endpoint' && endpoint === null) {
        endpoint = resolveEndpoint(event.data, url);
        isReady();
      } else if (event.data !== '') {
        inbox.push(event.data);
      }
      return false;
    },
  }).then((reply) => {
    inbox.end(reply.broken ?? `the event stream ended (HTTP ${reply.status})`);
    isReady();
  });
  const timer = setTimeout(isReady, milliseconds);
  await ready;
  clearTimeout(timer);

  return {
    inbox,
    events,
    endpoint,
    post(text, headers = {}) {
      return exchangeHttp({
        method: 'POST',
        url: endpoint ?? url,
        headers: { 'content-type': 'application/json', ...base, ...headers },
        body: text,
        milliseconds,
      });
    },
    async close() {
      ending.abort();
      await stream;
    },
  };
}

/** A server could name another host to have the checker's messages sent there. */
function resolveEndpoint(data: string, base: URL): URL | null {
  const endpoint = URL.parse(data, base);
  return endpoint !== null && endpoint.origin === base.origin ? endpoint : null;
}
