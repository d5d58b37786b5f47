// Fields that came with a later revision than the one that is spoken. Schemas of MCP are open, so these are no
// violation; but a client of the older revision cannot know what they mean, and strict ones stumble.

import { isObject, type JsonObject } from './message.ts';
import type { Revision } from './model.ts';

type Since = Readonly<Record<string, Revision>>;

const RESULT: Since = {
  structuredContent: '2025-06-18',
  resultType: '2026-07-28',
  ttlMs: '2026-07-28',
  cacheScope: '2026-07-28',
};
const LISTED: Since = { title: '2025-06-18', _meta: '2025-06-18', icons: '2025-11-25' };
const TOOL: Since = {
  ...LISTED,
  annotations: '2025-03-26',
  outputSchema: '2025-06-18',
  execution: '2025-11-25',
};
const SERVER: Since = {
  title: '2025-06-18',
  icons: '2025-11-25',
  websiteUrl: '2025-11-25',
  description: '2025-11-25',
};
const CAPABILITIES: Since = {
  completions: '2025-03-26',
  tasks: '2025-11-25',
  extensions: '2026-07-28',
};

/** The first field in this result that the revision does not have yet; null if there is none. */
export function laterField(result: JsonObject, revision: Revision): string | null {
  const places: readonly (readonly [string, unknown, Since])[] = [
    ['', result, RESULT],
    ['serverInfo.', result.serverInfo, SERVER],
    ['capabilities.', result.capabilities, CAPABILITIES],
    ...items(result, 'tools', TOOL),
    ...items(result, 'resources', LISTED),
    ...items(result, 'resourceTemplates', LISTED),
    ...items(result, 'prompts', LISTED),
    ...items(result, 'content', { _meta: '2025-06-18' }),
    ...items(result, 'contents', { _meta: '2025-06-18' }),
  ];
  for (const [place, value, since] of places) {
    if (!isObject(value)) continue;
    for (const [name, first] of Object.entries(since))
      if (revision < first && Object.hasOwn(value, name)) return `${place}${name} came with ${first}`;
  }
  return null;
}

function items(result: JsonObject, key: string, since: Since): [string, unknown, Since][] {
  const list = result[key];
  return Array.isArray(list) ? list.map((item) => [`${key}[].`, item, since]) : [];
}
