// JSON-RPC as MCP uses it: ids, envelopes, notifications, error codes. Each check sends something small and looks at
// exactly what came back.

import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { fenceMethod } from '../conversation.ts';
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

const everywhere = { revisions: REVISIONS, transports: TRANSPORTS };

const unknownMethod = (bench: Bench): Promise<Exchange> =>
  bench.conversation.request('witbox-check/no-such-method');

async function idsEchoed({ conversation }: Bench): Promise<Verdict> {
  for (const id of ['witbox-check-id', '7', conversation.nextId() + 1_000_000]) {
    const exchange = await conversation.request(fenceMethod(conversation.revision), {}, { id });
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
  ];
  for (const message of wrong) {
    const exchange = await conversation.raw(JSON.stringify(message));
    if (exchange.answer === null && isRefusal(exchange)) continue;
    if (exchange.answer === null)
      return fail('A message that is no JSON-RPC request got no answer', exchange);
    const code = codeOf(exchange.answer);
    if (code !== -32600)
      return fail(`A message that is no JSON-RPC request got ${code ?? 'a result'}, not -32600`, exchange);
  }
  return pass;
}

/** Over HTTP an error status says it too. */
const isRefusal = ({ reply }: Exchange): boolean => reply !== null && reply.status >= 400;

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

async function answeredOnce({ conversation }: Bench): Promise<Verdict> {
  const exchanges: Exchange[] = [];
  for (const method of [fenceMethod(conversation.revision), 'witbox-check/no-such-method', 'tools/list'])
    exchanges.push(await conversation.request(method));
  await conversation.fence();
  const all = conversation.link.inbox?.messages ?? exchanges.flatMap(({ messages }) => messages);
  for (const exchange of exchanges) {
    const id = objectOf(exchange.answer ?? { raw: '', json: null, at: 0 })?.id;
    const same = all.filter((message) => isAnswer(message) && objectOf(message)!.id === id);
    if (id !== undefined && same.length > 1)
      return fail(`The request with the id ${JSON.stringify(id)} was answered ${same.length} times`, {
        sent: exchange.sent,
        raw: same.map(({ raw }) => raw).join('\n'),
      });
  }
  return pass;
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

export const jsonRpcChecks: readonly Check[] = [
  {
    id: 'J01',
    title: 'The id of a request comes back with its exact type',
    level: 'must',
    severity: 'critical',
    clause: clauses.responses,
    ...everywhere,
    remedy:
      'Copy the id of the request into the response unchanged: a string stays a string, a number a number',
    run: idsEchoed,
  },
  {
    id: 'J02',
    title: 'Requests with a null or fractional id are not served',
    level: 'practice',
    severity: 'medium',
    clause: clauses.requests,
    ...everywhere,
    remedy: 'Refuse such a request with -32600: an MCP id is a string or an integer',
    run: badIdsRefused,
  },
  {
    id: 'J03',
    title: 'Notifications are never answered',
    level: 'must',
    severity: 'critical',
    clause: clauses.notifications,
    ...everywhere,
    remedy: 'Send nothing in return for a message without an id, known or unknown',
    run: notificationsSilent,
  },
  {
    id: 'J04',
    title: 'An unknown method is answered with -32601',
    level: 'must',
    severity: 'high',
    clause: clauses.errors,
    ...everywhere,
    remedy: 'Answer requests for methods that are not there with the error -32601 (method not found)',
    run: unknownMethodCode,
  },
  {
    id: 'J05',
    title: 'What is not a JSON-RPC request is answered with -32600',
    level: 'should',
    severity: 'medium',
    clause: clauses.errors,
    ...everywhere,
    remedy: 'Check jsonrpc, method and id before anything else and answer -32600 (invalid request)',
    run: envelopeRefused,
  },
  {
    id: 'J06',
    title: 'Every answer has jsonrpc 2.0 and exactly one of result and error',
    level: 'must',
    severity: 'critical',
    clause: clauses.responses,
    ...everywhere,
    remedy: 'Send either a result object or an error object, never both and never neither',
    run: oneOfResultAndError,
  },
  {
    id: 'J07',
    title: 'Errors have an integer code and a message, and no reserved code without a meaning',
    level: 'must',
    severity: 'high',
    clause: clauses.errorCodes,
    ...everywhere,
    remedy: 'Use the codes of JSON-RPC and of this revision; own codes belong into -32000 … -32019',
    run: errorCodes,
  },
  {
    id: 'J12',
    title: 'A request is answered once',
    level: 'must',
    severity: 'critical',
    clause: clauses.responses,
    ...everywhere,
    remedy: 'Send one response per request; check that no error path answers again',
    run: answeredOnce,
  },
  {
    id: 'J09',
    title: 'Batches are not served where the revision has none',
    level: 'practice',
    severity: 'medium',
    clause: clauses.noBatches,
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
    clause: clauses.batching,
    revisions: ['2025-03-26'],
    // HTTP+SSE belongs to the revision before, which has no batches.
    transports: ['stdio', 'http', 'websocket'],
    remedy: 'Accept a JSON array of messages and answer each request in it',
    run: batchServed,
  },
];
