// What is declared works, what works is declared, and lists behave: they end, repeat nothing and keep their order.

import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import type { Exchange } from '../link.ts';
import type { ListMethod } from '../listing.ts';
import { codeOf, isObject, type JsonObject, resultOf } from '../message.ts';
import { type Check, fail, isModern, pass, REVISIONS, TRANSPORTS, type Verdict } from '../model.ts';

const everywhere = { revisions: REVISIONS, transports: TRANSPORTS };
const LISTS: readonly (readonly [string, ListMethod])[] = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['prompts', 'prompts/list'],
];

async function declaredWorks(bench: Bench): Promise<Verdict> {
  const { conversation } = bench;
  for (const [capability, method] of LISTS) {
    const declared = isObject(conversation.capabilities[capability]);
    const { pages, items } = await bench.list(method);
    const works = resultOf(pages[0]!.answer) !== null;
    if (declared && !works) return fail(`"${capability}" is declared, but ${method} does not work`, pages[0]);
    if (!declared && items.length > 0)
      return fail(`${method} works, but "${capability}" is not declared`, conversation.opening);
  }
  return (await loggingWorks(bench)) ?? (await subscribingWorks(bench)) ?? pass;
}

async function loggingWorks({ conversation, revision }: Bench): Promise<Verdict | null> {
  if (isModern(revision) || !isObject(conversation.capabilities.logging)) return null;
  const exchange = await conversation.request('logging/setLevel', { level: 'error' });
  return resultOf(exchange.answer) === null
    ? fail('"logging" is declared, but logging/setLevel does not work', exchange)
    : null;
}

async function subscribingWorks(bench: Bench): Promise<Verdict | null> {
  const { conversation, revision } = bench;
  const { resources } = conversation.capabilities;
  if (isModern(revision) || !isObject(resources) || resources.subscribe !== true) return null;
  const uri = (await bench.list('resources/list')).items[0]?.uri;
  if (typeof uri !== 'string') return null;
  const exchange = await conversation.request('resources/subscribe', { uri });
  if (codeOf(exchange.answer) === -32601)
    return fail('"subscribe" is declared, but resources/subscribe is not there', exchange);
  await conversation.request('resources/unsubscribe', { uri });
  return null;
}

async function pagination(bench: Bench): Promise<Verdict> {
  for (const [capability, method] of LISTS) {
    if (!isObject(bench.conversation.capabilities[capability])) continue;
    const { items, pages, problem } = await bench.list(method);
    if (problem !== null) return fail(problem, pages.at(-1));
    const keys = items.map((item) => String(item.uri ?? item.name));
    const twice = keys.find((key, index) => keys.indexOf(key) !== index);
    if (twice !== undefined) return fail(`${method} lists "${twice}" twice`, pages[0]);
    const exchange = await bench.conversation.request(method, { cursor: 'witbox-check-no-such-cursor' });
    const code = codeOf(exchange.answer);
    if (code !== -32602)
      return fail(`${method} with a bad cursor got ${code ?? 'a result'} instead of -32602`, exchange);
  }
  return pass;
}

async function stableOrder(bench: Bench): Promise<Verdict> {
  const names = (exchange: Exchange) =>
    JSON.stringify((resultOf(exchange.answer)?.tools as JsonObject[] | undefined)?.map(({ name }) => name));
  const first = await bench.conversation.request('tools/list');
  const second = await (await bench.spare()).request('tools/list');
  return names(first) === names(second)
    ? pass
    : fail('tools/list came in another order the second time', second);
}

async function cacheScope(bench: Bench): Promise<Verdict> {
  for (const [capability, method] of LISTS) {
    if (!isObject(bench.conversation.capabilities[capability])) continue;
    const scopes = (await bench.list(method)).pages.map((page) => resultOf(page.answer)?.cacheScope);
    if (new Set(scopes).size > 1)
      return fail(`cacheScope changes between the pages of ${method}: ${scopes.join(', ')}`);
  }
  return pass;
}

export const listChecks: readonly Check[] = [
  {
    id: 'F01',
    title: 'A declared capability works, and what works is declared',
    level: 'must',
    severity: 'high',
    clause: clauses.toolCapability,
    ...everywhere,
    remedy: 'Declare exactly the capabilities whose methods are there',
    run: declaredWorks,
  },
  {
    id: 'F08',
    title: 'Lists end, repeat nothing, and refuse bad cursors',
    level: 'should',
    severity: 'medium',
    clause: clauses.cursors,
    ...everywhere,
    remedy: 'Answer a cursor that the server did not make with -32602',
    run: pagination,
  },
  {
    id: 'F09',
    title: 'The list of tools keeps its order',
    level: 'should',
    severity: 'low',
    clause: clauses.toolCapability,
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Sort lists by something that does not change',
    run: stableOrder,
  },
  {
    id: 'F14',
    title: 'cacheScope is the same on every page of a list',
    level: 'must',
    severity: 'medium',
    clause: clauses.cacheScope,
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Decide on a cacheScope once per list',
    run: cacheScope,
  },
];
