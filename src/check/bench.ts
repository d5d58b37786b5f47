// What a check has to work with: the shared conversation of its cell of the matrix, fresh ones where it must break
// something, and the server's own lists, asked for once.

import { type Conversation, openConversation } from './conversation.ts';
import { type Address, type Exchange, type Link, openLink } from './link.ts';
import { isObject, type JsonObject, resultOf } from './message.ts';
import type { Revision, Transport } from './model.ts';
import { sampleArguments } from './sample.ts';

export interface BenchOptions {
  readonly milliseconds: number;
  /** Names of tools that may be called although not marked read-only; '*' for all. */
  readonly allowCalls: readonly string[];
  /** Arguments by tool name, where the schema is not enough. */
  readonly argumentsByTool: JsonObject;
}

export interface Bench {
  readonly transport: Transport;
  readonly revision: Revision;
  readonly address: Address;
  readonly options: BenchOptions;
  /** Revisions that the server speaks on this transport. */
  readonly supported: readonly Revision[];
  /** Revisions that the server claims anywhere: opened on another transport, or named by server/discover. */
  readonly claimed: readonly Revision[];
  readonly conversation: Conversation;
  /** A link on which nothing was said yet. */
  freshLink(): Promise<Link>;
  /** A new conversation for checks that may break theirs; closed after the check in any case. */
  fresh(capabilities?: JsonObject): Promise<Conversation>;
  /** All pages of a list, and the exchanges that gave them. */
  list(method: ListMethod): Promise<Listing>;
  /** A tool that may be called, with arguments for it. */
  callable(): Promise<{ readonly name: string; readonly arguments: JsonObject } | null>;
  close(): Promise<void>;
}

export type ListMethod = 'tools/list' | 'resources/list' | 'resources/templates/list' | 'prompts/list';

export interface Listing {
  readonly items: readonly JsonObject[];
  readonly pages: readonly Exchange[];
  /** Why the list is not whole. */
  readonly problem: string | null;
}

const KEYS: Readonly<Record<ListMethod, string>> = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
};
const MAX_PAGES = 200;

export function createBench(
  address: Address,
  conversation: Conversation,
  known: { readonly supported: readonly Revision[]; readonly claimed: readonly Revision[] },
  options: BenchOptions,
): Bench {
  const opened: { close(): Promise<void> }[] = [];
  const listings = new Map<ListMethod, Promise<Listing>>();
  const { revision } = conversation;

  async function freshLink(): Promise<Link> {
    const link = await openLink(address, options.milliseconds);
    opened.push(link);
    return link;
  }

  async function fresh(clientCapabilities: JsonObject = {}): Promise<Conversation> {
    const link = await freshLink();
    const made = await openConversation(link, revision, {
      milliseconds: options.milliseconds,
      clientCapabilities,
    });
    if (made === null) throw new Error('the server did not open a second conversation');
    opened.push(made);
    return made;
  }

  async function readList(method: ListMethod): Promise<Listing> {
    const items: JsonObject[] = [];
    const pages: Exchange[] = [];
    let cursor: unknown;
    while (pages.length < MAX_PAGES) {
      const page = await conversation.request(method, cursor === undefined ? {} : { cursor });
      pages.push(page);
      const result = resultOf(page.answer);
      if (result === null)
        return { items, pages, problem: page.silence ?? `${method} was answered with an error` };
      const batch = result[KEYS[method]];
      if (!Array.isArray(batch)) return { items, pages, problem: `${method} has no array "${KEYS[method]}"` };
      items.push(...batch.filter(isObject));
      cursor = result.nextCursor;
      if (cursor === undefined || cursor === null) return { items, pages, problem: null };
    }
    return { items, pages, problem: `${method} did not end after ${MAX_PAGES} pages` };
  }

  function list(method: ListMethod): Promise<Listing> {
    let listing = listings.get(method);
    if (listing === undefined) {
      listing = readList(method);
      listings.set(method, listing);
    }
    return listing;
  }

  return {
    transport: conversation.link.transport,
    revision,
    address,
    options,
    ...known,
    conversation,
    freshLink,
    fresh,
    list,
    async callable() {
      const { items } = await list('tools/list');
      for (const tool of items) {
        const name = tool.name;
        if (typeof name !== 'string' || !mayCall(tool, name, options.allowCalls)) continue;
        const given = options.argumentsByTool[name];
        const made = isObject(given) ? given : sampleArguments(tool.inputSchema);
        if (made !== null) return { name, arguments: made };
      }
      return null;
    },
    async close() {
      for (const thing of opened.splice(0)) await thing.close();
    },
  };
}

function mayCall(tool: JsonObject, name: string, allowed: readonly string[]): boolean {
  if (allowed.includes('*') || allowed.includes(name)) return true;
  return isObject(tool.annotations) && tool.annotations.readOnlyHint === true;
}
