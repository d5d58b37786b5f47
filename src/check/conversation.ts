// A conversation at one revision over one link: opened as that revision asks (handshake, or per-request metadata),
// with ids never used twice. Checks talk through it, politely with `request`, or rudely with `raw`.

import type { Exchange, Link } from './link.ts';
import {
  answers,
  isAnswer,
  isObject,
  type JsonId,
  type JsonObject,
  type Received,
  resultOf,
} from './message.ts';
import { isModern, type Revision } from './model.ts';
import { exchangeHttp } from './wire/http.ts';

export const META = 'io.modelcontextprotocol/';
const CLIENT = { name: 'witbox-check', version: '1' };

export interface RequestOptions {
  readonly id?: JsonId;
  /** An undefined one takes a header away that would be sent. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly milliseconds?: number;
  /** What is waited for, where it is not the answer. */
  readonly until?: (message: Received) => boolean;
  /** Client capabilities for this request (2026-07-28). */
  readonly capabilities?: JsonObject;
  /** Over HTTP: take 429 for an answer. */
  readonly impatient?: boolean;
}

export interface Conversation {
  readonly link: Link;
  readonly revision: Revision;
  /** `initialize` or `server/discover`, as answered. */
  readonly opening: Exchange;
  readonly capabilities: JsonObject;
  /** The session that the server gave, over Streamable HTTP. */
  readonly session: string | null;
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
  /** For the first answer, where the server has to start first. */
  readonly opening?: number;
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
      const name = params.name ?? params.uri ?? params.taskId;
      if (typeof name === 'string') headers['mcp-name'] = encodeHeader(name);
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
      want: given.until ?? ((candidate) => answers(candidate, id)),
      thenLeave: given.until !== undefined,
      milliseconds: given.milliseconds ?? options.milliseconds,
      headers: present({ ...headersFor(method, params), ...given.headers }),
      impatient: given.impatient ?? false,
    });
  }

  function notify(method: string, params: JsonObject = {}): Promise<Exchange> {
    const text = JSON.stringify({ jsonrpc: '2.0', method, params: withMeta(params, declared) });
    return link.send(text, { milliseconds: options.milliseconds, headers: headersFor(method, params) });
  }

  const fence = () => request(fenceMethod(revision));

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

  const patience = { milliseconds: options.opening ?? options.milliseconds };
  const hello = { protocolVersion: revision, capabilities: declared, clientInfo: CLIENT };
  const opening = isModern(revision)
    ? await request('server/discover', {}, patience)
    : await request('initialize', hello, patience);
  const result = resultOf(opening.answer);
  if (result === null || !speaks(result, revision)) return null;
  session = opening.reply?.headers['mcp-session-id'] ?? null;
  if (!isModern(revision)) await notify('notifications/initialized');

  return {
    link,
    revision,
    opening,
    capabilities: isObject(result.capabilities) ? result.capabilities : {},
    session,
    nextId,
    request,
    notify,
    raw,
    fence,
    async close() {
      if (session !== null) await endSession(link, session, revision);
      await link.close();
    },
  };
}

/** A cheap method that every server of this revision has. */
export function fenceMethod(revision: Revision): string {
  return isModern(revision) ? 'server/discover' : 'ping';
}

function speaks(result: JsonObject, revision: Revision): boolean {
  if (!isModern(revision)) return result.protocolVersion === revision;
  return Array.isArray(result.supportedVersions) && result.supportedVersions.includes(revision);
}

async function endSession(link: Link, session: string, revision: Revision): Promise<void> {
  await exchangeHttp({
    method: 'DELETE',
    url: link.url!,
    headers: { ...link.headers, 'mcp-session-id': session, 'mcp-protocol-version': revision },
    milliseconds: 1_000,
  });
}

function present(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const entries = Object.entries(headers).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return Object.fromEntries(entries);
}

/** Names that are not plain visible ASCII travel in the base64 form of the specification. */
export function encodeHeader(name: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?base64?');
  return plain ? name : `=?base64?${Buffer.from(name, 'utf8').toString('base64')}?=`;
}

/** What the headers of a rude message should say, as far as it can be read. */
function methodIn(text: string): string {
  return /"method"\s*:\s*"([^"\\]*)"/.exec(text)?.[1] ?? '';
}
