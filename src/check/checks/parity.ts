// One server on several transports: the same question gets the same answer. The first transport at a revision sets the
// measure, the others are compared with it; what differs from one call to the next anyway is left out.

import { isDeepStrictEqual } from 'node:util';
import { type Bench, callParams } from '../bench.ts';
import { clauses } from '../clauses.ts';
import type { Exchange } from '../link.ts';
import { codeOf, type JsonObject, resultOf } from '../message.ts';
import { type Check, fail, pass, REVISIONS, skip, TRANSPORTS, type Verdict } from '../model.ts';

async function sameEverywhere(bench: Bench): Promise<Verdict> {
  if (bench.transports.length < 2) return skip('Only one transport was given');
  const first = bench.seen.get(bench.revision);
  if (first === undefined) {
    const what = look(bench);
    bench.seen.set(bench.revision, { transport: bench.transport, what });
    await what;
    return pass;
  }
  const [there, here] = await Promise.all([first.what, look(bench)]);
  for (const question of Object.keys(there)) {
    if (isDeepStrictEqual(there[question], here[question])) continue;
    return fail(`${question} is answered differently on ${first.transport} and on ${bench.transport}`, {
      sent: `on ${first.transport}: ${JSON.stringify(there[question])}`,
      raw: `on ${bench.transport}: ${JSON.stringify(here[question])}`,
    });
  }
  return pass;
}

async function look(bench: Bench): Promise<JsonObject> {
  const { conversation } = bench;
  const listed = async (method: 'tools/list' | 'resources/list' | 'prompts/list') =>
    (await bench.list(method)).items;
  return {
    capabilities: conversation.capabilities,
    'tools/list': await listed('tools/list'),
    'resources/list': await listed('resources/list'),
    'prompts/list': await listed('prompts/list'),
    'an unknown tool': outcome(
      await conversation.request('tools/call', { name: 'witbox-check-no-such-tool', arguments: {} }),
    ),
    'a missing resource': outcome(
      await conversation.request('resources/read', { uri: 'witbox-check://no-such-resource' }),
    ),
    ...(await steadyCall(bench)),
  };
}

const outcome = ({ answer }: Exchange): unknown => codeOf(answer) ?? resultOf(answer);

/** A call whose answer does not change from one time to the next. */
async function steadyCall(bench: Bench): Promise<JsonObject> {
  for (const { name, exchange, ...call } of await bench.calls()) {
    const again = await bench.conversation.request('tools/call', callParams({ ...call, name }), {
      headers: call.headers,
    });
    const result = outcome(exchange);
    if (exchange.answer !== null && isDeepStrictEqual(result, outcome(again)))
      return { [`a call of "${name}"`]: result };
  }
  return {};
}

export const parityChecks: readonly Check[] = [
  {
    id: 'X04',
    title: 'The same question gets the same answer on every transport',
    level: 'practice',
    severity: 'high',
    clause: clauses.customTransports,
    revisions: REVISIONS,
    transports: TRANSPORTS,
    remedy: 'Let all transports share one implementation of the methods',
    run: sameEverywhere,
  },
];
