// JSON-RPC as MCP uses it: ids, envelopes, notifications, error codes. Each check sends something small and looks at
// exactly what came back.

import type { Bench } from '../bench.ts';
import type { Exchange } from '../link.ts';
import { codeOf, errorOf, isAnswer, isObject, objectOf, type Received } from '../message.ts';
import {
  type Check,
  fail,
  pass,
  REVISIONS,
  type Revision,
  since,
  TRANSPORTS,
  type Verdict,
} from '../model.ts';

const BASE = { page: 'basic', heading: 'messages' };
const everywhere = { revisions: REVISIONS, transports: TRANSPORTS };

const unknownMethod = (bench: Bench): Promise<Exchange> =>
  bench.conversation.request('witbox-check/no-such-method');

async function idsEchoed({ conversation }: Bench): Promise<Verdict> {
  for (const id of ['witbox-check-id', '7', conversation.nextId() + 1_000_000]) {
    const exchange = await conversation.request(
      fenceMethod(conversation.revision),
      {},
      { id, milliseconds: 3_000 },
    );
    if (exchange.answer === null) {
      return fail(`A request with the id ${JSON.stringify(id)} got no answer`, exchange);
    }
    const back = objectOf(exchange.answer)!.id;
    if (back !== id)
      return fail(`The id ${JSON.stringify(id)} came back as ${JSON.stringify(back)}`, exchange);
  }
  return pass;
}

async function badIdsRefused({ conversation }: Bench): Promise<Verdict> {
  for (const id of ['null', '1.5']) {
    const text = `{"jsonrpc":"2.0","id":${id},"method":"${fenceMethod(conversation.revision)}","params":{}}`;
    const exchange = await conversation.raw(text);
    const served = exchange.messages.find((message) => Object.hasOwn(objectOf(message) ?? {}, 'result'));
    if (served !== undefined) return fail(`A request with the id ${id} was served`, exchange);
  }
  return pass;
}

async function notificationsSilent({ conversation }: Bench): Promise<Verdict> {
  for (const method of ['notifications/witbox-check', 'tools/list', 'witbox-check/no-such-method']) {
    const exchange = await conversation.raw(JSON.stringify({ jsonrpc: '2.0', method, params: {} }));
    const reply = exchange.reply;
    // Over HTTP a refused notification may carry an error body without an id, with an error status.
    const spoke =
      reply !== null && conversation.link.inbox === null
        ? reply.status < 300 && exchange.messages.some(isAnswer)
        : exchange.answer !== null;
    if (spoke) return fail(`The notification "${method}" was answered`, exchange);
  }
  return pass;
}

async function unknownMethodCode(bench: Bench): Promise<Verdict> {
  const exchange = await unknownMethod(bench);
  if (exchange.answer === null) return fail(`An unknown method got no answer: ${exchange.silence}`, exchange);
  const code = codeOf(exchange.answer);
  return code === -32601
    ? pass
    : fail(`An unknown method got ${code ?? 'a result'} instead of -32601`, exchange);
}

async function envelopeRefused({ conversation }: Bench): Promise<Verdict> {
  const id = () => conversation.nextId();
  const wrong = [
    { jsonrpc: '1.0', id: id(), method: 'ping' },
    { id: id(), method: 'ping' },
    { jsonrpc: '2.0', id: id(), method: 5 },
    { jsonrpc: '2.0', id: id() },
  ];
  for (const message of wrong) {
    const exchange = await conversation.raw(JSON.stringify(message));
    if (exchange.answer === null)
      return fail('A message that is no JSON-RPC request got no answer', exchange);
    const code = codeOf(exchange.answer);
    if (code !== -32600)
      return fail(`A message that is no JSON-RPC request got ${code ?? 'a result'}, not -32600`, exchange);
  }
  return pass;
}

async function oneOfResultAndError(bench: Bench): Promise<Verdict> {
  const exchanges = [
    bench.conversation.opening,
    await bench.conversation.fence(),
    await unknownMethod(bench),
  ];
  for (const exchange of exchanges) {
    for (const message of exchange.messages.filter(isAnswer)) {
      const wrong = envelopeFault(message);
      if (wrong !== null) return fail(wrong, exchange);
    }
  }
  return pass;
}

function envelopeFault(message: Received): string | null {
  const json = objectOf(message)!;
  if (json.jsonrpc !== '2.0') return `An answer has jsonrpc ${JSON.stringify(json.jsonrpc)}`;
  const has = (key: string) => Object.hasOwn(json, key);
  if (has('result') === has('error')) return 'An answer has both result and error';
  if (has('error') && !isObject(json.error)) return 'An answer has an error that is not an object';
  if (has('result') && !isObject(json.result)) return 'An answer has a result that is not an object';
  return null;
}

async function errorCodes(bench: Bench): Promise<Verdict> {
  const provoked = [
    await unknownMethod(bench),
    await bench.conversation.request('tools/call', { name: 'witbox-check-no-such-tool', arguments: {} }),
    await bench.conversation.request('prompts/get', { name: 'witbox-check-no-such-prompt' }),
    await bench.conversation.request('resources/read', { uri: 'witbox-check://no-such-resource' }),
  ];
  for (const exchange of provoked) {
    const error = errorOf(exchange.answer);
    if (error === null) continue;
    if (!Number.isInteger(error.code))
      return fail(`An error has the code ${JSON.stringify(error.code)}`, exchange);
    if (typeof error.message !== 'string') return fail('An error has no message', exchange);
    if (bench.revision === '2026-07-28' && isUndefinedCode(error.code as number)) {
      return fail(`The code ${error.code} is reserved by the specification and not defined`, exchange);
    }
  }
  return pass;
}

const isUndefinedCode = (code: number): boolean => code <= -32020 && code >= -32099 && code < -32022;

async function idReuse(bench: Bench): Promise<Verdict> {
  const conversation = await bench.fresh();
  const id = 'witbox-check-twice';
  const both = await Promise.all([
    conversation.request(fenceMethod(bench.revision), {}, { id, milliseconds: 3_000 }),
    conversation.request(fenceMethod(bench.revision), {}, { id, milliseconds: 3_000 }),
  ]);
  const after = await conversation.fence();
  return after.answer === null
    ? fail(`After one id was used twice at once: ${after.silence}`, both[1])
    : pass;
}

async function batchRefused({ conversation }: Bench): Promise<Verdict> {
  const exchange = await conversation.raw(
    batchOf(conversation.revision, [conversation.nextId(), conversation.nextId()]),
  );
  const served = exchange.messages.some(
    (message) => Array.isArray(message.json) || Object.hasOwn(objectOf(message) ?? {}, 'result'),
  );
  return served ? fail('A JSON-RPC batch was served, although this revision has none', exchange) : pass;
}

async function batchServed({ conversation }: Bench): Promise<Verdict> {
  const ids = [conversation.nextId(), conversation.nextId()];
  const exchange = await conversation.raw(batchOf(conversation.revision, ids));
  const answered = exchange.messages.flatMap((message) =>
    Array.isArray(message.json) ? message.json : [message.json],
  );
  const missing = ids.filter((id) => !answered.some((answer) => isObject(answer) && answer.id === id));
  return missing.length === 0
    ? pass
    : fail('A JSON-RPC batch of two requests was not answered in full', exchange);
}

function batchOf(revision: Revision, ids: readonly number[]): string {
  return JSON.stringify(ids.map((id) => ({ jsonrpc: '2.0', id, method: fenceMethod(revision) })));
}

async function strangeKeys(bench: Bench): Promise<Verdict> {
  const conversation = await bench.fresh();
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
  const conversation = await bench.fresh();
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

export function fenceMethod(revision: Revision): string {
  return revision === '2026-07-28' ? 'server/discover' : 'ping';
}

export const jsonRpcChecks: readonly Check[] = [
  {
    id: 'J01',
    title: 'The id of a request comes back with its exact type',
    level: 'must',
    severity: 'critical',
    clause: BASE,
    ...everywhere,
    remedy:
      'Copy the id of the request into the response unchanged: a string stays a string, a number a number',
    run: idsEchoed,
  },
  {
    id: 'J02',
    title: 'Requests with a null or fractional id are not served',
    level: 'should',
    severity: 'medium',
    clause: BASE,
    ...everywhere,
    remedy: 'Refuse such a request with -32600: an MCP id is a string or an integer',
    run: badIdsRefused,
  },
  {
    id: 'J03',
    title: 'Notifications are never answered',
    level: 'must',
    severity: 'critical',
    clause: BASE,
    ...everywhere,
    remedy: 'Send nothing in return for a message without an id, known or unknown',
    run: notificationsSilent,
  },
  {
    id: 'J04',
    title: 'An unknown method is answered with -32601',
    level: 'must',
    severity: 'high',
    clause: BASE,
    ...everywhere,
    remedy: 'Answer requests for methods that are not there with the error -32601 (method not found)',
    run: unknownMethodCode,
  },
  {
    id: 'J05',
    title: 'What is not a JSON-RPC request is answered with -32600',
    level: 'should',
    severity: 'medium',
    clause: BASE,
    ...everywhere,
    remedy: 'Check jsonrpc, method and id before anything else and answer -32600 (invalid request)',
    run: envelopeRefused,
  },
  {
    id: 'J06',
    title: 'Every answer has jsonrpc 2.0 and exactly one of result and error',
    level: 'must',
    severity: 'critical',
    clause: BASE,
    ...everywhere,
    remedy: 'Send either a result object or an error object, never both and never neither',
    run: oneOfResultAndError,
  },
  {
    id: 'J07',
    title: 'Errors have an integer code and a message, and no reserved code without a meaning',
    level: 'must',
    severity: 'high',
    clause: BASE,
    ...everywhere,
    remedy: 'Use the codes of JSON-RPC and of this revision; own codes belong into -32000 … -32019',
    run: errorCodes,
  },
  {
    id: 'J08',
    title: 'An id used twice at the same time does no harm',
    level: 'practice',
    severity: 'medium',
    clause: BASE,
    ...everywhere,
    remedy: 'Keep requests apart by more than their id, or refuse the second one',
    run: idReuse,
  },
  {
    id: 'J09',
    title: 'Batches are not served where the revision has none',
    level: 'should',
    severity: 'medium',
    clause: (revision) => (revision === '2024-11-05' ? BASE : { page: 'changelog' }),
    revisions: since('2025-06-18'),
    transports: TRANSPORTS,
    remedy: 'Refuse a JSON array with -32600',
    run: batchRefused,
  },
  {
    id: 'S10',
    title: 'A batch is answered at 2025-03-26',
    level: 'must',
    severity: 'high',
    clause: { page: 'basic', heading: 'batching' },
    revisions: ['2025-03-26'],
    transports: TRANSPORTS,
    remedy: 'Accept a JSON array of messages and answer each request in it',
    run: batchServed,
  },
  {
    id: 'J10',
    title: 'Duplicate keys and __proto__ are harmless',
    level: 'practice',
    severity: 'high',
    clause: BASE,
    ...everywhere,
    remedy: 'Read messages into plain data; never copy their keys onto objects with a prototype',
    run: strangeKeys,
  },
  {
    id: 'J11',
    title: 'Deeply nested messages do not stop the server',
    level: 'practice',
    severity: 'high',
    clause: BASE,
    ...everywhere,
    remedy: 'Bound the depth of a message before or while it is parsed',
    run: deepNesting,
  },
];
