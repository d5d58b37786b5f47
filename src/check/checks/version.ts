// Version negotiation: what is claimed, what is opened, and what is answered to versions nobody knows.

import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { META, openConversation } from '../conversation.ts';
import { answers, codeOf, errorOf, isObject, objectOf, resultOf } from '../message.ts';
import {
  type Check,
  fail,
  isModern,
  pass,
  REVISIONS,
  type Revision,
  since,
  skip,
  TRANSPORTS,
  until,
  type Verdict,
} from '../model.ts';

const UNKNOWN = '1999-01-01';

const LEGACY = until('2025-11-25');

async function claimedVersionsOpen(bench: Bench): Promise<Verdict> {
  const missing = bench.claimed.filter(
    (revision) =>
      bench.probed.includes(revision) && !bench.supported.includes(revision) && applies(bench, revision),
  );
  if (missing.length === 0) return pass;
  return fail(
    `Claimed elsewhere, but not opened on this transport: ${missing.join(', ')}`,
    bench.conversation.opening,
  );
}

/** HTTP+SSE belongs to 2024-11-05; Streamable HTTP came after it. */
function applies(bench: Bench, revision: Revision): boolean {
  if (bench.transport === 'http') return revision !== '2024-11-05';
  if (bench.transport === 'sse') return revision === '2024-11-05';
  return true;
}

async function unknownVersionOffered(bench: Bench): Promise<Verdict> {
  const link = await bench.freshLink();
  const id = 1;
  const sent = JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'initialize',
    params: {
      protocolVersion: UNKNOWN,
      capabilities: {},
      clientInfo: { name: 'witbox-check', version: '1' },
    },
  });
  const exchange = await link.send(sent, {
    want: (message) => answers(message, id),
    milliseconds: bench.opening,
  });
  if (exchange.answer === null)
    return fail(`initialize with an unknown version: ${exchange.silence}`, exchange);
  const version = resultOf(exchange.answer)?.protocolVersion;
  if (version === UNKNOWN) return fail(`The unknown version ${UNKNOWN} was accepted`, exchange);
  if (codeOf(exchange.answer) !== null) return pass;
  return REVISIONS.some((known) => known === version)
    ? pass
    : fail(`Offered ${JSON.stringify(version)}, which is no revision of MCP`, exchange);
}

async function unsupportedVersionError(bench: Bench): Promise<Verdict> {
  for (const method of ['server/discover', 'tools/list']) {
    const exchange = await bench.conversation.request(
      method,
      { _meta: { [`${META}protocolVersion`]: UNKNOWN } },
      { headers: bench.transport === 'http' ? { 'mcp-protocol-version': UNKNOWN } : {} },
    );
    if (exchange.answer === null)
      return fail(`${method} at an unknown version: ${exchange.silence}`, exchange);
    const code = codeOf(exchange.answer);
    if (code !== -32022)
      return fail(`${method} at an unknown version got ${code ?? 'a result'}, not -32022`, exchange);
    const data = errorOf(exchange.answer)?.data;
    if (!isObject(data) || !Array.isArray(data.supported) || data.requested !== UNKNOWN) {
      return fail('The error does not say which versions are supported and which was requested', exchange);
    }
    if (exchange.reply !== null && bench.transport === 'http' && exchange.reply.status !== 400) {
      return fail(`The error came with HTTP ${exchange.reply.status} instead of 400`, exchange);
    }
  }
  return pass;
}

async function discoverTrue(bench: Bench): Promise<Verdict> {
  const versions = resultOf(bench.conversation.opening.answer)?.supportedVersions;
  if (!Array.isArray(versions))
    return fail('server/discover has no list of supported versions', bench.conversation.opening);
  for (const revision of REVISIONS.filter((known) => versions.includes(known) && applies(bench, known))) {
    if (bench.supported.includes(revision) || !bench.probed.includes(revision)) continue;
    return fail(`server/discover names ${revision}, which cannot be opened`, bench.conversation.opening);
  }
  return pass;
}

async function initializeRefusedHelpfully(bench: Bench): Promise<Verdict> {
  if (bench.supported.some((revision) => !isModern(revision)))
    return skip('The server speaks older revisions too');
  if (bench.probed.length < REVISIONS.length) return skip('Older revisions were not tried');
  const link = await bench.freshLink();
  const sent = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'witbox-check', version: '1' },
    },
  });
  const exchange = await link.send(sent, {
    want: (message) => objectOf(message)?.id === 1,
    milliseconds: bench.opening,
  });
  if (exchange.answer !== null && exchange.raw.includes(bench.revision)) return pass;
  return fail('initialize is refused without naming the versions that work', exchange);
}

async function badVersionHeader(bench: Bench): Promise<Verdict> {
  const exchange = await bench.conversation.request(
    isModern(bench.revision) ? 'server/discover' : 'ping',
    {},
    { headers: { 'mcp-protocol-version': 'no-such-version' } },
  );
  const status = exchange.reply!.status;
  return status === 400
    ? pass
    : fail(`A bad MCP-Protocol-Version header got HTTP ${status} instead of 400`, exchange);
}

async function beforeInitialize(bench: Bench): Promise<Verdict> {
  const link = await bench.freshLink();
  const sent = JSON.stringify({ jsonrpc: '2.0', id: 'early', method: 'tools/list', params: {} });
  const exchange = await link.send(sent, {
    want: (message) => objectOf(message)?.id === 'early',
    milliseconds: bench.opening,
  });
  if (exchange.answer === null && exchange.reply?.status === undefined) {
    return fail(`A request before initialize: ${exchange.silence}`, exchange);
  }
  const after = await openConversation(link, bench.revision, { milliseconds: bench.opening });
  return after === null ? fail('initialize no longer works after an early request', exchange) : pass;
}

export const versionChecks: readonly Check[] = [
  {
    id: 'V01',
    title: 'Every version that the server claims can be opened here',
    level: 'must',
    severity: 'critical',
    clause: clauses.negotiation,
    revisions: REVISIONS,
    transports: TRANSPORTS,
    remedy:
      'Answer initialize with the requested version whenever the server supports it, on every transport alike',
    run: claimedVersionsOpen,
  },
  {
    id: 'V02',
    title: 'An unknown version is answered with one that the server supports',
    level: 'must',
    severity: 'high',
    clause: clauses.negotiation,
    revisions: LEGACY,
    transports: TRANSPORTS,
    scope: 'once',
    remedy: 'Answer initialize for an unknown version with the latest version the server supports',
    run: unknownVersionOffered,
  },
  {
    id: 'V04',
    title: 'An unsupported version is refused with -32022 on every request',
    level: 'must',
    severity: 'critical',
    clause: clauses.negotiation,
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Check the version in _meta of every request; answer -32022 with data {supported, requested}',
    run: unsupportedVersionError,
  },
  {
    id: 'V05',
    title: 'What server/discover says is true',
    level: 'must',
    severity: 'high',
    clause: clauses.discover,
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'List exactly the versions that can be used on this transport',
    run: discoverTrue,
  },
  {
    id: 'V06',
    title: 'initialize to a server without old revisions names the ones that work',
    level: 'should',
    severity: 'low',
    clause: clauses.initializeRefused,
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Answer initialize with an error whose data lists the supported versions',
    run: initializeRefusedHelpfully,
  },
  {
    id: 'V07',
    title: 'A bad version header gets HTTP 400',
    level: 'must',
    severity: 'high',
    clause: clauses.versionHeader,
    revisions: since('2025-06-18'),
    transports: ['http'],
    remedy: 'Answer 400 when MCP-Protocol-Version is not a version the server supports',
    run: badVersionHeader,
  },
  {
    id: 'V08',
    title: 'A request before initialize is answered, and initialize works after it',
    level: 'practice',
    severity: 'medium',
    clause: clauses.initialization,
    scope: 'once',
    revisions: LEGACY,
    transports: ['stdio', 'sse', 'websocket'],
    remedy: 'Answer early requests, with a result or with an error, and keep the connection usable',
    run: beforeInitialize,
  },
];
