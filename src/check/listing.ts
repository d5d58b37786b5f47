// Reads a list of the server to its end, page by page, and keeps the exchanges: checks look at both. A list that does
// not end is cut off and says so.

import type { Conversation } from './conversation.ts';
import type { Exchange } from './link.ts';
import { isObject, type JsonObject, resultOf } from './message.ts';

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

export async function readList(conversation: Conversation, method: ListMethod): Promise<Listing> {
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
