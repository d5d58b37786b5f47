// The headers of Streamable HTTP at 2026-07-28, which repeat what the body says, and what is left of earlier revisions.

import { type Bench, callParams } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { encodeHeader } from '../conversation.ts';
import { codeOf, isObject } from '../message.ts';
import { type Check, fail, pass, type Revision, skip, type Verdict } from '../model.ts';
import { annotatedParameters } from '../schema.ts';

const modern = { revisions: ['2026-07-28'] as readonly Revision[], transports: ['http'] as const };

async function removedIs404(bench: Bench): Promise<Verdict> {
  for (const method of ['ping', 'logging/setLevel', 'resources/subscribe']) {
    const exchange = await bench.conversation.request(method, {});
    const { status } = exchange.reply!;
    if (status !== 404)
      return fail(`The removed method ${method} got HTTP ${status} instead of 404`, exchange);
  }
  return pass;
}

async function headersMustMatch(bench: Bench): Promise<Verdict> {
  const name = 'witbox-check-no-such-tool';
  const wrong: readonly (readonly [string, Readonly<Record<string, string | undefined>>])[] = [
    ['server/discover', { 'mcp-method': 'tools/call' }],
    ['server/discover', { 'mcp-protocol-version': '2025-11-25' }],
    ['server/discover', { 'mcp-method': undefined }],
    ['tools/call', { 'mcp-name': 'witbox-check-another-tool' }],
  ];
  for (const [method, headers] of wrong) {
    const params = method === 'tools/call' ? { name, arguments: {} } : {};
    const exchange = await bench.conversation.request(method, params, { headers });
    const said = Object.entries(headers)
      .map(([key, value]) => (value === undefined ? `no ${key}` : `${key}: ${value}`))
      .join();
    const { status } = exchange.reply!;
    if (status !== 400) return fail(`"${said}" with ${method} got HTTP ${status} instead of 400`, exchange);
    const code = codeOf(exchange.answer);
    if (code !== -32020)
      return fail(`"${said}" with ${method} got ${code ?? 'no JSON-RPC error'} instead of -32020`, exchange);
  }
  return pass;
}

async function encodedNames(bench: Bench): Promise<Verdict> {
  const name = 'witbox-check-no-such-tool';
  const exchange = await bench.conversation.request(
    'tools/call',
    { name, arguments: {} },
    { headers: { 'mcp-name': `=?base64?${Buffer.from(name).toString('base64')}?=` } },
  );
  return codeOf(exchange.answer) === -32020
    ? fail('A name in its base64 form was taken for another name', exchange)
    : pass;
}

async function parametersCompared(bench: Bench): Promise<Verdict> {
  const { items } = await bench.list('tools/list');
  for (const call of await bench.callables()) {
    const tool = items.find((item) => item.name === call.name);
    const parameter = annotatedParameters(tool?.inputSchema).find(({ path }) => path.length === 1);
    const value = parameter === undefined ? undefined : call.arguments[parameter.path[0]!];
    if (parameter === undefined || value === undefined || isObject(value)) continue;
    const header = `mcp-param-${parameter.header.toLowerCase()}`;
    for (const sent of [undefined, encodeHeader(`${value}-not`)]) {
      const exchange = await bench.conversation.request('tools/call', callParams(call), {
        headers: { ...call.headers, [header]: sent },
      });
      if (exchange.reply!.status !== 400 || codeOf(exchange.answer) !== -32020)
        return fail(
          `${header} ${sent === undefined ? 'missing' : 'contradicting the body'} was not refused`,
          exchange,
        );
    }
    return pass;
  }
  return skip('No tool that may be called has a parameter with x-mcp-header');
}

async function noSession(bench: Bench): Promise<Verdict> {
  const exchange = await bench.conversation.request(
    'server/discover',
    {},
    { headers: { 'mcp-session-id': 'witbox-check-session' } },
  );
  if (exchange.answer === null || exchange.reply!.status !== 200)
    return fail('A request that carries an Mcp-Session-Id was not served', exchange);
  return exchange.reply!.headers['mcp-session-id'] === undefined
    ? pass
    : fail('The server gave a session id, which this revision does not have', exchange);
}

export const headerChecks: readonly Check[] = [
  {
    id: 'H16',
    title: 'Methods that were removed get -32601 with HTTP 404',
    level: 'must',
    severity: 'medium',
    clause: clauses.versionHeader,
    ...modern,
    remedy: 'Treat ping, logging/setLevel and resources/subscribe as unknown methods at this revision',
    run: removedIs404,
  },
  {
    id: 'H17',
    title: 'Headers that contradict the body or are missing get HTTP 400 with -32020',
    level: 'must',
    severity: 'high',
    clause: clauses.headerValidation,
    ...modern,
    remedy: 'Compare Mcp-Method, Mcp-Name and MCP-Protocol-Version with the body and answer 400 with -32020',
    run: headersMustMatch,
  },
  {
    id: 'H22',
    title: 'A base64 name in Mcp-Name is decoded before it is compared',
    level: 'must',
    severity: 'medium',
    clause: clauses.headerEncoding,
    ...modern,
    remedy: 'Decode header values of the form =?base64?…?= and compare what they say with the body',
    run: encodedNames,
  },
  {
    id: 'H25',
    title: 'Mcp-Param headers are compared with the arguments',
    level: 'must',
    severity: 'high',
    clause: clauses.headerValidation,
    ...modern,
    remedy:
      'Refuse a call with 400 and -32020 when an annotated argument and its header differ or one is missing',
    run: parametersCompared,
  },
  {
    id: 'H23',
    title: 'Session ids are neither asked for nor given',
    level: 'should',
    severity: 'low',
    clause: clauses.sessions,
    ...modern,
    remedy: 'Ignore Mcp-Session-Id at this revision and send none',
    run: noSession,
  },
];
