// What every message of 2026-07-28 says about itself, so that no message needs one before it.

import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { META } from '../conversation.ts';
import { codeOf, isObject, objectOf, resultOf } from '../message.ts';
import { type Check, fail, pass, type Revision, skip, TRANSPORTS, type Verdict } from '../model.ts';

const modern = { revisions: ['2026-07-28'] as readonly Revision[], transports: TRANSPORTS };

async function metaRequired(bench: Bench): Promise<Verdict> {
  const exchange = await bench.conversation.request('tools/list', {
    _meta: { [`${META}clientCapabilities`]: undefined },
  });
  if (exchange.answer === null && exchange.reply === null)
    return fail(`A request without clientCapabilities: ${exchange.silence}`, exchange);
  const code = codeOf(exchange.answer);
  if (code !== -32602)
    return fail(`A request without clientCapabilities got ${code ?? 'a result'}, not -32602`, exchange);
  const status = bench.transport === 'http' ? exchange.reply!.status : 400;
  return status === 400 ? pass : fail(`The error came with HTTP ${status} instead of 400`, exchange);
}

async function saysWhoItIs({ conversation }: Bench): Promise<Verdict> {
  const meta = resultOf(conversation.opening.answer)?._meta;
  const info = isObject(meta) ? meta[`${META}serverInfo`] : undefined;
  return isObject(info) && typeof info.name === 'string' && typeof info.version === 'string'
    ? pass
    : fail('server/discover does not say name and version in _meta', conversation.opening);
}

async function stateless(bench: Bench): Promise<Verdict> {
  if (!isObject(bench.conversation.capabilities.tools)) return skip('The server has no tools to list');
  const link = await bench.freshLink();
  const meta = { [`${META}protocolVersion`]: bench.revision, [`${META}clientCapabilities`]: {} };
  const sent = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } });
  const exchange = await link.send(sent, {
    want: (message) => objectOf(message)?.id === 1,
    milliseconds: bench.opening,
    headers:
      bench.transport === 'http'
        ? { 'mcp-protocol-version': bench.revision, 'mcp-method': 'tools/list' }
        : {},
  });
  return resultOf(exchange.answer) === null
    ? fail('tools/list as the first request was not served', exchange)
    : pass;
}

export const metadataChecks: readonly Check[] = [
  {
    id: 'V09',
    title: 'A request needs no request before it',
    level: 'must',
    severity: 'high',
    clause: clauses.statelessness,
    ...modern,
    remedy: 'Take version and capabilities from each request, never from an earlier one',
    run: stateless,
  },
  {
    id: 'V11',
    title: 'A request without its required metadata is refused with -32602',
    level: 'must',
    severity: 'high',
    clause: clauses.requestMeta,
    ...modern,
    remedy: 'Check protocolVersion and clientCapabilities in _meta of every request; over HTTP answer 400',
    run: metaRequired,
  },
  {
    id: 'V12',
    title: 'The server says its name and version',
    level: 'should',
    severity: 'low',
    clause: clauses.identity,
    ...modern,
    remedy: 'Send io.modelcontextprotocol/serverInfo in _meta of results',
    run: saysWhoItIs,
  },
];
