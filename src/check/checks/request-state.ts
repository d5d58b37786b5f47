// The requestState of 2026-07-28 travels through the client, so it is worth what its guard is worth: changed, on another
// request, or from another caller, it must be refused. Accusations stand on a control: with the state as it was given,
// the same answers have completed the call.

import { createHmac } from 'node:crypto';
import { type Bench, type Callable, callParams, parameterHeaders } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { type Conversation, openConversation } from '../conversation.ts';
import type { Exchange } from '../link.ts';
import { isObject, type JsonObject, resultOf } from '../message.ts';
import { type Check, fail, pass, type Revision, skip, TRANSPORTS, type Verdict } from '../model.ts';
import { sampleArguments } from '../sample.ts';
import { ALL_INPUT, type Asking, askingTool } from './asking.ts';

const NO_STATE = 'No tool that may be called asks for input with a requestState';

interface Stateful extends Asking {
  readonly state: string;
}

async function stateful(bench: Bench): Promise<Stateful | null> {
  const asking = await askingTool(bench);
  const state = asking?.result.requestState;
  return asking === null || typeof state !== 'string' ? null : { ...asking, state };
}

function retry(
  conversation: Conversation,
  tool: Callable,
  requestState: string,
  inputResponses: JsonObject,
): Promise<Exchange> {
  const params = { ...callParams(tool), requestState, inputResponses };
  return conversation.request('tools/call', params, { capabilities: ALL_INPUT, headers: tool.headers });
}

function isComplete({ answer }: Exchange): boolean {
  const result = resultOf(answer);
  return result !== null && result.isError !== true && result.resultType === 'complete';
}

async function tamperedRefused(bench: Bench): Promise<Verdict> {
  const found = await stateful(bench);
  if (found === null) return skip(NO_STATE);
  const { state, tool } = found;
  const forged = [
    `${state.slice(0, -2)}${state.endsWith('A') ? 'BB' : 'AA'}`,
    createHmac('sha256', 'x').update(state).digest('base64url'),
  ];
  for (const one of forged) {
    const exchange = await retry(bench.conversation, tool, one, {});
    if (isComplete(exchange)) return fail('A requestState that was tampered with was accepted', exchange);
  }
  return pass;
}

/** Answers that a friendly person would give to what was asked. */
function answersTo(result: JsonObject): JsonObject {
  const requests = isObject(result.inputRequests) ? result.inputRequests : {};
  return Object.fromEntries(Object.entries(requests).map(([key, request]) => [key, answerTo(request)]));
}

function answerTo(request: unknown): JsonObject {
  const { method, params } = isObject(request) ? request : {};
  if (method === 'roots/list') return { roots: [] };
  if (method === 'sampling/createMessage')
    return { role: 'assistant', content: { type: 'text', text: 'a' }, model: 'witbox-check' };
  const schema = isObject(params) ? params.requestedSchema : undefined;
  return { action: 'accept', content: sampleArguments(schema) ?? {} };
}

/** Null if the answers complete a call with its own state; else why that cannot be told. */
async function controlFails(bench: Bench, { tool, state, result }: Stateful): Promise<string | null> {
  const exchange = await retry(bench.conversation, tool, state, answersTo(result));
  return isComplete(exchange)
    ? null
    : `"${tool.name}" could not be completed with answers made from its questions`;
}

async function otherRequestRefused(bench: Bench): Promise<Verdict> {
  const control = await stateful(bench);
  if (control === null) return skip(NO_STATE);
  const { items } = await bench.list('tools/list');
  const schema = items.find(({ name }) => name === control.tool.name)?.inputSchema;
  const tool = otherwise(control.tool, schema);
  if (tool === null) return skip(`"${control.tool.name}" has no argument that could be another one`);
  const problem = await controlFails(bench, control);
  if (problem !== null) return skip(problem);
  const found = await stateful(bench);
  if (found === null) return skip(NO_STATE);
  const exchange = await retry(bench.conversation, tool, found.state, answersTo(found.result));
  return isComplete(exchange)
    ? fail('A requestState was accepted with other arguments than it was given for', exchange)
    : pass;
}

/** The same call with one text or number changed. */
function otherwise(tool: Callable, schema: unknown): Callable | null {
  for (const [name, value] of Object.entries(tool.arguments)) {
    const changed = typeof value === 'string' ? `${value}a` : typeof value === 'number' ? value + 1 : null;
    if (changed === null) continue;
    const given = { ...tool.arguments, [name]: changed };
    return { ...tool, arguments: given, headers: parameterHeaders(schema, given) };
  }
  return null;
}

async function otherCallerRefused(bench: Bench): Promise<Verdict> {
  const other = bench.options.otherHeaders;
  if (other === undefined)
    return skip('Needs a second caller: give headers of another one with --other-header');
  const control = await stateful(bench);
  if (control === null) return skip(NO_STATE);
  const problem = await controlFails(bench, control);
  if (problem !== null) return skip(problem);
  const found = await stateful(bench);
  if (found === null) return skip(NO_STATE);
  const link = await bench.freshLink(other);
  const own = await openConversation(link, bench.revision, { milliseconds: bench.options.milliseconds });
  if (own === null) return skip('The second caller is not served');
  const exchange = await retry(own, found.tool, found.state, answersTo(found.result));
  return isComplete(exchange)
    ? fail('A requestState that one caller was given was accepted from another', exchange)
    : pass;
}

const modern = {
  level: 'should' as const,
  severity: 'critical' as const,
  clause: clauses.inputRequests,
  revisions: ['2026-07-28'] as readonly Revision[],
  transports: TRANSPORTS,
};

export const requestStateChecks: readonly Check[] = [
  {
    id: 'F15',
    title: 'A tampered requestState is refused',
    ...modern,
    remedy: 'Sign requestState and check the signature before anything else',
    run: tamperedRefused,
  },
  {
    id: 'F29',
    title: 'A requestState is refused on another request',
    ...modern,
    remedy: 'Put the method and a digest of the parameters into the signed requestState, and compare them',
    run: otherRequestRefused,
  },
  {
    id: 'F30',
    title: 'A requestState of one caller is refused from another',
    ...modern,
    transports: ['http', 'sse', 'websocket'],
    remedy: 'Put who is authorized into the signed requestState, and compare on its return',
    run: otherCallerRefused,
  },
];
