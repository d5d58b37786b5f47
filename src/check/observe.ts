// Gathers one result of every kind that a server gives without being changed: what it opens with, its lists, what
// its resources, prompts and completions say, and what its harmless tools answer. Bounded: a few of each.

import type { Bench } from './bench.ts';
import type { Exchange } from './link.ts';
import type { ListMethod } from './listing.ts';
import { isObject, type JsonObject } from './message.ts';
import { isModern } from './model.ts';

export interface Observed {
  readonly method: string;
  readonly exchange: Exchange;
}

const FEW = 5;

export async function observe(bench: Bench): Promise<readonly Observed[]> {
  const { conversation, revision } = bench;
  const has = (name: string) => isObject(conversation.capabilities[name]);
  const seen: Observed[] = [
    { method: isModern(revision) ? 'server/discover' : 'initialize', exchange: conversation.opening },
  ];
  const ask = async (method: string, params: JsonObject): Promise<void> => {
    seen.push({ method, exchange: await conversation.request(method, params) });
  };
  const pages = async (method: ListMethod): Promise<readonly JsonObject[]> => {
    const listing = await bench.list(method);
    seen.push(...listing.pages.map((exchange) => ({ method, exchange })));
    return listing.items.slice(0, FEW);
  };

  if (has('tools')) {
    await pages('tools/list');
    for (const { exchange } of await bench.calls()) seen.push({ method: 'tools/call', exchange });
  }
  if (has('resources')) {
    for (const { uri } of await pages('resources/list'))
      if (typeof uri === 'string') await ask('resources/read', { uri });
    const templates = await pages('resources/templates/list');
    if (has('completions')) for (const params of templateCompletions(templates)) await ask(COMPLETE, params);
  }
  if (has('prompts')) {
    for (const prompt of await pages('prompts/list')) {
      const names = argumentNames(prompt);
      await ask('prompts/get', {
        name: prompt.name,
        arguments: Object.fromEntries(names.map((name) => [name, 'a'])),
      });
      if (has('completions') && names[0] !== undefined)
        await ask(COMPLETE, {
          ref: { type: 'ref/prompt', name: prompt.name },
          argument: { name: names[0], value: '' },
        });
    }
  }
  return seen;
}

const COMPLETE = 'completion/complete';

function argumentNames(prompt: JsonObject): string[] {
  const list = Array.isArray(prompt.arguments) ? prompt.arguments : [];
  return list.flatMap((one) => (isObject(one) && typeof one.name === 'string' ? [one.name] : []));
}

function templateCompletions(templates: readonly JsonObject[]): JsonObject[] {
  return templates.flatMap(({ uriTemplate }) => {
    const variable = typeof uriTemplate === 'string' ? /\{[+#./;?&]?(\w+)/.exec(uriTemplate)?.[1] : undefined;
    return variable === undefined
      ? []
      : [{ ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name: variable, value: '' } }];
  });
}
