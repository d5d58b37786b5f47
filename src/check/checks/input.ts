// Input that a server asks for at 2026-07-28: only what the client can give, and in the right shape.

import { type Bench, NO_CALLS } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { codeOf, errorOf, isObject, resultOf } from '../message.ts';
import { type Check, fail, pass, type Revision, skip, TRANSPORTS, type Verdict } from '../model.ts';
import { askingTool } from './asking.ts';

const modern = {
  clause: clauses.inputRequests,
  revisions: ['2026-07-28'] as readonly Revision[],
  transports: TRANSPORTS,
};
const METHODS = ['elicitation/create', 'sampling/createMessage', 'roots/list'];

async function onlyDeclared(bench: Bench): Promise<Verdict> {
  const calls = await bench.calls();
  if (calls.length === 0) return skip(NO_CALLS);
  for (const { name, exchange } of calls) {
    const result = resultOf(exchange.answer);
    if (result?.resultType !== 'input_required') continue;
    // The calls were made without any client capability.
    if (isObject(result.inputRequests) && Object.keys(result.inputRequests).length > 0)
      return fail(`"${name}" asks for input that the client did not say it can give`, exchange);
  }
  return pass;
}

async function missingNamed(bench: Bench): Promise<Verdict> {
  const refused = (await bench.calls()).filter(({ exchange }) => codeOf(exchange.answer) === -32021);
  if (refused.length === 0) return skip('No call was refused for a missing capability');
  for (const { exchange } of refused) {
    const data = errorOf(exchange.answer)!.data;
    if (!isObject(data) || !isObject(data.requiredCapabilities))
      return fail('The error -32021 does not say which capabilities are missing', exchange);
    const status = bench.transport === 'http' ? exchange.reply!.status : 400;
    if (status !== 400) return fail(`The error -32021 came with HTTP ${status} instead of 400`, exchange);
  }
  return pass;
}

async function inputRequestShape(bench: Bench): Promise<Verdict> {
  const asking = await askingTool(bench);
  if (asking === null) return skip('No tool that may be called asks for input');
  const { result, exchange } = asking;
  if (result.inputRequests === undefined && result.requestState === undefined)
    return fail('An input-required result has neither inputRequests nor requestState', exchange);
  for (const [key, request] of Object.entries(isObject(result.inputRequests) ? result.inputRequests : {})) {
    if (!isObject(request) || !METHODS.includes(String(request.method)))
      return fail(`The input request "${key}" is none of ${METHODS.join(', ')}`, exchange);
  }
  return pass;
}

export const inputChecks: readonly Check[] = [
  {
    id: 'F18',
    title: 'Only input that the client can give is asked for',
    level: 'must',
    severity: 'high',
    ...modern,
    remedy:
      'Look at clientCapabilities of the request before asking; answer -32021 when something needed is missing',
    run: onlyDeclared,
  },
  {
    id: 'F21',
    title: 'A call that needs a missing capability says which',
    level: 'must',
    severity: 'medium',
    ...modern,
    clause: clauses.requestMeta,
    remedy: 'Answer -32021 with data.requiredCapabilities; over HTTP with status 400',
    run: missingNamed,
  },
  {
    id: 'F19',
    title: 'An input-required result asks for something, in a known way',
    level: 'must',
    severity: 'medium',
    ...modern,
    remedy: 'Send inputRequests of elicitation, sampling or roots, or a requestState, or both',
    run: inputRequestShape,
  },
];
