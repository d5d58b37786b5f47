// What no client should send and any server must live through: ids used twice, odd keys, deep nesting. Good practice
// beyond the text of the specification, looked at once per transport.

import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { fenceMethod } from '../conversation.ts';
import { type Check, fail, pass, REVISIONS, TRANSPORTS, type Verdict } from '../model.ts';

const everywhere = {
  clause: clauses.requests,
  revisions: REVISIONS,
  transports: TRANSPORTS,
  scope: 'once' as const,
};

async function idReuse(bench: Bench): Promise<Verdict> {
  const conversation = await bench.spare();
  const id = 'witbox-check-twice';
  const both = await Promise.all([
    conversation.request(fenceMethod(bench.revision), {}, { id }),
    conversation.request(fenceMethod(bench.revision), {}, { id }),
  ]);
  const after = await conversation.fence();
  return after.answer === null
    ? fail(`After one id was used twice at once: ${after.silence}`, both[1])
    : pass;
}

async function strangeKeys(bench: Bench): Promise<Verdict> {
  const conversation = await bench.spare();
  const method = fenceMethod(bench.revision);
  const texts = [
    `{"jsonrpc":"2.0","id":"a","method":"${method}","params":{"__proto__":{"jsonrpc":"3.0"},"constructor":{"prototype":{"id":1}}}}`,
    `{"jsonrpc":"2.0","id":"b","id":"c","method":"${method}","method":"${method}","params":{}}`,
  ];
  for (const text of texts) {
    const exchange = await conversation.raw(text);
    if (exchange.silence !== null) return fail(`Stopped answering: ${exchange.silence}`, exchange);
  }
  const after = await conversation.fence();
  return after.answer === null ? fail('Stopped answering after unusual keys', after) : pass;
}

async function deepNesting(bench: Bench): Promise<Verdict> {
  const conversation = await bench.spare();
  const depth = 50_000;
  const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const exchange = await conversation.raw(
    `{"jsonrpc":"2.0","id":"deep","method":"${fenceMethod(bench.revision)}","params":{"deep":${deep}}}`,
  );
  const after = await conversation.fence();
  if (after.answer !== null) return pass;
  return fail(`Stopped answering after a message nested ${depth} deep: ${exchange.silence}`, {
    raw: exchange.raw,
  });
}

export const hostileChecks: readonly Check[] = [
  {
    id: 'J08',
    title: 'An id used twice at the same time does no harm',
    level: 'practice',
    severity: 'medium',
    ...everywhere,
    remedy: 'Keep requests apart by more than their id, or refuse the second one',
    run: idReuse,
  },
  {
    id: 'J10',
    title: 'Duplicate keys and __proto__ are harmless',
    level: 'practice',
    severity: 'high',
    ...everywhere,
    remedy: 'Read messages into plain data; never copy their keys onto objects with a prototype',
    run: strangeKeys,
  },
  {
    id: 'J11',
    title: 'Deeply nested messages do not stop the server',
    level: 'practice',
    severity: 'high',
    ...everywhere,
    remedy: 'Bound the depth of a message before or while it is parsed',
    run: deepNesting,
  },
];
