// One open connection to a server, whatever the transport: send a text, see what comes back. Stream transports (stdio,
// WebSocket, HTTP+SSE) answer in an inbox; Streamable HTTP answers each POST. Knows nothing of MCP but message ids.

import { isAnswer, type Received, received } from './message.ts';
import type { Transport } from './model.ts';
import type { ServerEvent } from './wire/event-stream.ts';
import { exchangeHttp, type HttpReply } from './wire/http.ts';
import type { Inbox } from './wire/inbox.ts';
import { type LegacySseWire, openLegacySse } from './wire/legacy-sse.ts';
import { openStdio, type StdioWire } from './wire/stdio.ts';
import { openWebSocket, type WebSocketWire } from './wire/websocket.ts';

export interface Exchange {
  readonly sent: string;
  /** Everything that came back, as text. */
  readonly raw: string;
  readonly messages: readonly Received[];
  readonly answer: Received | null;
  /** HTTP only. */
  readonly reply: HttpReply | null;
  /** Why there is no answer, when there is none. */
  readonly silence: string | null;
}

export interface SendOptions {
  /** What counts as the answer; without it nothing is waited for on stream transports. */
  readonly want?: (message: Received) => boolean;
  readonly milliseconds: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Over HTTP: leave when it came, though the stream would go on. */
  readonly thenLeave?: boolean;
  /** Over HTTP: take 429 for an answer. */
  readonly impatient?: boolean;
}

export interface Link {
  readonly transport: Transport;
  /** Stream transports only: all that ever came. */
  readonly inbox: Inbox | null;
  readonly stdio: StdioWire | null;
  readonly sse: LegacySseWire | null;
  readonly websocket: WebSocketWire | null;
  readonly url: URL | null;
  /** Sent with every HTTP request. */
  readonly headers: Readonly<Record<string, string>>;
  send(text: string, options: SendOptions): Promise<Exchange>;
  close(): Promise<void>;
}

export type Address =
  | {
      readonly transport: 'stdio';
      readonly command: readonly string[];
      readonly environment: NodeJS.ProcessEnv;
    }
  | {
      readonly transport: 'http' | 'sse' | 'websocket';
      readonly url: URL;
      readonly headers: Readonly<Record<string, string>>;
    };

export async function openLink(address: Address, milliseconds: number): Promise<Link> {
  const nothing = { stdio: null, sse: null, websocket: null, url: null, headers: {} };
  if (address.transport === 'stdio') {
    const stdio = openStdio(address.command, address.environment);
    const write = async (text: string) => {
      stdio.write(`${text}\n`);
      return null;
    };
    return { ...nothing, ...streamLink('stdio', stdio.inbox, write), stdio, close: stdio.close };
  }
  const { url, headers } = address;
  if (address.transport === 'websocket') {
    const websocket = await openWebSocket(url, headers, milliseconds);
    const write = async (text: string) => {
      websocket.write(text);
      return null;
    };
    return {
      ...nothing,
      ...streamLink('websocket', websocket.inbox, write),
      websocket,
      url,
      headers,
      close: websocket.close,
    };
  }
  if (address.transport === 'sse') {
    const sse = await openLegacySse(url, headers, milliseconds);
    return { ...nothing, ...streamLink('sse', sse.inbox, sse.post), sse, url, headers, close: sse.close };
  }
  return { ...nothing, ...httpLink(url, headers), url, headers };
}

type Write = (text: string, headers: Readonly<Record<string, string>>) => Promise<HttpReply | null>;

function streamLink(
  transport: Transport,
  inbox: Inbox,
  write: Write,
): Pick<Link, 'transport' | 'inbox' | 'send'> {
  return {
    transport,
    inbox,
    async send(text, { want, milliseconds, headers = {} }) {
      const from = inbox.messages.length;
      const reply = await write(text, headers);
      const answer = want === undefined ? null : await inbox.next(want, from, milliseconds);
      const messages = inbox.messages.slice(from);
      return {
        sent: text,
        raw: messages.map((message) => message.raw).join('\n'),
        messages,
        answer,
        reply,
        silence: answer === null ? (inbox.ended ?? `no answer within ${milliseconds} ms`) : null,
      };
    },
  };
}

function httpLink(
  url: URL,
  base: Readonly<Record<string, string>>,
): Pick<Link, 'transport' | 'inbox' | 'send' | 'close'> {
  return {
    transport: 'http',
    inbox: null,
    async send(text, { want = isAnswer, milliseconds, headers = {}, thenLeave = false, impatient = false }) {
      const reply = await exchangeHttp({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...base,
          ...headers,
        },
        body: text,
        milliseconds,
        impatient,
        [thenLeave ? 'onEvent' : 'isLast']: (event: ServerEvent) => want(received(event.data)),
      });
      const answer = reply.messages.find(want) ?? null;
      return {
        sent: text,
        raw: `HTTP ${reply.status}\n${reply.body}`,
        messages: reply.messages,
        answer,
        reply,
        silence: answer === null ? (reply.broken ?? `HTTP ${reply.status} without an answer`) : null,
      };
    },
    async close() {},
  };
}
