// A conversation at one revision over one link: opened as that revision asks (handshake, or per-request metadata),
// with ids never used twice. Checks talk through it, politely with `request`, or rudely with `raw`.

import type { Exchange, Link } from './link.ts';
import { answers, isAnswer, isObject, type JsonId, type JsonObject, resultOf } from './message.ts';
import { isModern, type Revision } from './model.ts';

export const META = 'io.modelcontextprotocol/';
const CLIENT = { name: 'witbox-check', version: '1' };

export interface RequestOptions {
  readonly id?: JsonId;
  readonly headers?: Readonly<Record<string, string>>;
  readonly milliseconds?: number;
  /** Client capabilities for this request (2026-07-28). */
  readonly capabilities?: JsonObject;
}

export interface Conversation {
  readonly link: Link;
  readonly revision: Revision;
  /** `initialize` or `server/discover`, as answered. */
  readonly opening: Exchange;
  readonly capabilities: JsonObject;
  nextId(): number;
  request(method: string, params?: JsonObject, options?: RequestOptions): Promise<Exchange>;
  notify(method: string, params?: JsonObject): Promise<Exchange>;
  /** Sends any text. Whatever the server says to it before it answers a further, correct request is in `messages`. */
  raw(text: string, headers?: Readonly<Record<string, string>>): Promise<Exchange>;
  /** A cheap request that any server of this revision answers. */
  fence(): Promise<Exchange>;
  close(): Promise<void>;
}

export interface ConversationOptions {
  readonly milliseconds: number;
  readonly clientCapabilities?: JsonObject;
}

/** Null when the server does not speak this revision on this link. */
export async function openConversation(
  link: Link,
  revision: Revision,
  options: ConversationOptions,
): Promise<Conversation | null> {
  let lastId = 0;
  let session: string | null = null;
  const nextId = () => ++lastId;
  const declared = options.clientCapabilities ?? {};

  function headersFor(method: string, params: JsonObject): Record<string, string> {
    if (link.transport !== 'http') return {};
    const headers: Record<string, string> = {};
    if (session !== null) headers['mcp-session-id'] = session;
    if (method !== 'initialize' && revision >= '2025-06-18') headers['mcp-protocol-version'] = revision;
    if (isModern(revision)) {
      headers['mcp-method'] = method;
      const name = params.name ?? params.uri;
      if (typeof name === 'string') headers['mcp-name'] = headerValue(name);
    }
    return headers;
  }

  function withMeta(params: JsonObject, capabilities: JsonObject): JsonObject {
    if (!isModern(revision)) return params;
    const own = isObject(params._meta) ? params._meta : {};
    return {
      ...params,
      _meta: {
        [`${META}protocolVersion`]: revision,
        [`${META}clientCapabilities`]: capabilities,
        [`${META}clientInfo`]: CLIENT,
        ...own,
      },
    };
  }

  function request(method: string, params: JsonObject = {}, given: RequestOptions = {}): Promise<Exchange> {
    const id = given.id === undefined ? nextId() : given.id;
    const message = { jsonrpc: '2.0', id, method, params: withMeta(params, given.capabilities ?? declared) };
    return link.send(JSON.stringify(message), {
      want: (candidate) => answers(candidate, id),
      milliseconds: given.milliseconds ?? options.milliseconds,
      headers: { ...headersFor(method, params), ...given.headers },
    });
  }

  function notify(method: string, params: JsonObject = {}): Promise<Exchange> {
    const text = JSON.stringify({ jsonrpc: '2.0', method, params: withMeta(params, declared) });
    return link.send(text, { milliseconds: options.milliseconds, headers: headersFor(method, params) });
  }

  const fence = () => request(isModern(revision) ? 'server/discover' : 'ping');

  async function raw(text: string, headers: Readonly<Record<string, string>> = {}): Promise<Exchange> {
    if (link.inbox === null) {
      const exchange = await link.send(text, {
        milliseconds: options.milliseconds,
        headers: { ...headersFor(methodIn(text), {}), ...headers },
      });
      // Over HTTP a status is an answer too; silence is when not even that came.
      return exchange.reply!.status === 0 ? exchange : { ...exchange, silence: null };
    }
    const from = link.inbox.messages.length;
    const first = await link.send(text, { milliseconds: options.milliseconds, headers });
    const after = await fence();
    const messages = link.inbox.messages.slice(from).filter((message) => message !== after.answer);
    return {
      ...first,
      messages,
      raw: messages.map((message) => message.raw).join('\n'),
      answer: messages.find(isAnswer) ?? null,
      silence: after.answer === null ? after.silence : null,
    };
  }

  const opening = isModern(revision)
    ? await request('server/discover')
    : await request('initialize', { protocolVersion: revision, capabilities: declared, clientInfo: CLIENT });
  const result = resultOf(opening.answer);
  if (result === null || !speaks(result, revision)) return null;
  session = opening.reply?.headers['mcp-session-id'] ?? null;
  if (!isModern(revision)) await notify('notifications/initialized');

  return {
    link,
    revision,
    opening,
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
    nextId,
    request,
    notify,
    raw,
    fence,
    async close() {
      if (session !== null) await endSession(link, session);
      await link.close();
    },
  };
}

function speaks(result: JsonObject, revision: Revision): boolean {
  if (!isModern(revision)) return result.protocolVersion === revision;
  return Array.isArray(result.supportedVersions) && result.supportedVersions.includes(revision);
}

async function endSession(link: Link, session: string): Promise<void> {
  const { exchangeHttp } = await import('./wire/http.ts');
  await exchangeHttp({
    method: 'DELETE',
    url: link.url!,
    headers: { 'mcp-session-id': session },
    milliseconds: 1_000,
  });
}

/** Names that are not plain visible ASCII travel in the base64 form of the specification. */
function headerValue(name: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?base64?');
  return plain ? name : `=?base64?${Buffer.from(name, 'utf8').toString('base64')}?=`;
}

/** What the headers of a rude message should say, as far as it can be read. */
function methodIn(text: string): string {
  return /"method"\s*:\s*"([^"\\]*)"/.exec(text)?.[1] ?? '';
}
