// Finds out which revisions a server speaks on one transport, by opening a conversation at each. The conversations are
// kept: they become those of the matrix.

import { type Conversation, openConversation } from './conversation.ts';
import { type Address, openLink } from './link.ts';
import { isObject, type JsonObject, resultOf } from './message.ts';
import { isModern, REVISIONS, type Revision } from './model.ts';
import { exchangeHttp } from './wire/http.ts';

export interface Probe {
  readonly open: ReadonlyMap<Revision, Conversation>;
  readonly probed: readonly Revision[];
  /** Named by server/discover. */
  readonly named: readonly Revision[];
  readonly server: ServerName | null;
  /** How long to wait for the first answer on a new link: a process has to start before it can answer. */
  readonly opening: number;
  /** Why there is none, when none could be opened. */
  readonly reason: string;
}

const FIRST = 4;

export interface ServerName {
  readonly name: string;
  readonly version: string;
}

export async function probe(
  address: Address,
  revisions: readonly Revision[],
  {
    milliseconds,
    starting = milliseconds * FIRST,
  }: { readonly milliseconds: number; readonly starting?: number },
): Promise<Probe> {
  // What most servers speak comes first and alone; how long that takes tells how patient to be with the rest.
  const usual = revisions.includes('2025-11-25') ? '2025-11-25' : revisions.at(-1)!;
  const started = performance.now();
  const first = await open(address, usual, starting, milliseconds);
  const took = performance.now() - started;
  const opening = first.conversation === null ? milliseconds : milliseconds + took * revisions.length;
  const found = await Promise.all(
    revisions.map((revision) =>
      revision === usual ? first : open(address, revision, opening, milliseconds),
    ),
  );
  const conversations = new Map<Revision, Conversation>();
  const named = new Set<Revision>();
  let server: ServerName | null = null;
  let reason = 'no revision of MCP could be opened';
  for (const one of found) {
    if (one.conversation === null) {
      reason = one.reason ?? reason;
      continue;
    }
    const { revision, opening } = one.conversation;
    conversations.set(revision, one.conversation);
    const result = resultOf(opening.answer)!;
    server ??= nameOf(result);
    if (isModern(revision))
      for (const version of REVISIONS) {
        if ((result.supportedVersions as unknown[]).includes(version)) named.add(version);
      }
  }
  if (conversations.size === 0 && address.transport === 'http')
    reason = (await statusReason(address, milliseconds)) ?? reason;
  return { open: conversations, probed: revisions, named: [...named], server, opening, reason };
}

/** What HTTP says to anybody who asks, where MCP said nothing. */
async function statusReason(
  { url, headers }: Exclude<Address, { readonly transport: 'stdio' }>,
  milliseconds: number,
): Promise<string | null> {
  const reply = await exchangeHttp({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    milliseconds,
    untilHeaders: true,
  });
  if (reply.status === 401 || reply.status === 403)
    return `it asks for authorization (HTTP ${reply.status}): give --header "Authorization: Bearer …"`;
  return reply.status === 0
    ? reply.broken
    : `it answers HTTP ${reply.status} and no revision of MCP could be opened`;
}

async function open(
  address: Address,
  revision: Revision,
  opening: number,
  milliseconds: number,
): Promise<{ conversation: Conversation | null; reason: string | null }> {
  const link = await openLink(address, opening);
  const conversation = await openConversation(link, revision, { milliseconds, opening });
  if (conversation !== null) return { conversation, reason: null };
  const reason = link.inbox?.ended ?? null;
  await link.close();
  return { conversation: null, reason };
}

function nameOf(result: JsonObject): ServerName | null {
  const meta = isObject(result._meta) ? result._meta : {};
  const info = result.serverInfo ?? meta['io.modelcontextprotocol/serverInfo'];
  if (!isObject(info)) return null;
  const { name, version } = info;
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : null;
}
