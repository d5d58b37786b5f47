// Finds out which revisions a server speaks on one transport, by opening a conversation at each. The conversations are
// kept: they become those of the matrix.

import { type Conversation, openConversation } from './conversation.ts';
import { type Address, openLink } from './link.ts';
import { isObject, type JsonObject, resultOf } from './message.ts';
import { isModern, REVISIONS, type Revision } from './model.ts';

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
  return { open: conversations, probed: revisions, named: [...named], server, opening, reason };
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
