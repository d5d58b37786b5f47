// Streamable HTTP: every message is a POST with the headers that its revision wants; answers come as JSON or as an
// event stream; after the handshake a GET stream is open for the rest.

import { readEvents } from './events.ts';
import { createInbox, type Message, type Wire } from './wire.ts';

export interface HttpWire extends Wire {
  session: string | undefined;
  /** The last status, for cases about HTTP itself. */
  status: number;
  post(text: string, headers?: Record<string, string>): Promise<Response>;
}

const META = 'io.modelcontextprotocol/protocolVersion';
const NAMES: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
};

export function openHttp(url: string): HttpWire {
  const box = createInbox();
  const abort = new AbortController();
  let version: string | undefined;

  const wire: HttpWire = {
    ...box,
    session: undefined,
    status: 0,
    post: (text, headers = {}) =>
      fetch(url, {
        method: 'POST',
        body: text,
        signal: abort.signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(wire.session !== undefined && { 'mcp-session-id': wire.session }),
          ...(version !== undefined && { 'mcp-protocol-version': version }),
          ...mirrored(text),
          ...headers,
        },
      }),
    async send(text) {
      const response = await wire.post(text);
      wire.status = response.status;
      wire.session ??= response.headers.get('mcp-session-id') ?? undefined;
      if (response.headers.get('content-type') === 'text/event-stream') {
        readEvents(response, ({ data }) => {
          if (data) box.receive(data);
        }).catch(() => {});
        return;
      }
      const body = await response.text();
      if (body === '') {
        if (text.includes('notifications/initialized')) await listen();
        return;
      }
      version ??= (JSON.parse(body) as Message).result?.protocolVersion as string | undefined;
      box.receive(body);
    },
    async close() {
      if (wire.session !== undefined) {
        await fetch(url, { method: 'DELETE', headers: { 'mcp-session-id': wire.session } });
      }
      abort.abort();
    },
  };

  const listen = async (): Promise<void> => {
    const response = await fetch(url, {
      signal: abort.signal,
      headers: { accept: 'text/event-stream', 'mcp-session-id': wire.session ?? '' },
    });
    readEvents(response, ({ data }) => {
      if (data) box.receive(data);
    }).catch(() => {});
  };
  return wire;
}

/** What 2026-07-28 wants said twice. */
function mirrored(text: string): Record<string, string> {
  let message: Message;
  try {
    message = JSON.parse(text) as Message;
  } catch {
    return {};
  }
  const version: unknown = message?.params?._meta?.[META];
  const params = message?.params;
  if (typeof version !== 'string' || typeof message.method !== 'string' || !params) return {};
  const name: unknown = params[NAMES[message.method] ?? ''];
  const region: unknown = params.arguments?.region;
  return {
    'mcp-protocol-version': version,
    'mcp-method': message.method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...(typeof region === 'string' && { 'mcp-param-region': region }),
  };
}
