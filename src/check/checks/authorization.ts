// Servers that ask for authorization: what a 401 says, and tokens that must be refused. All tokens but one are made
// here, from what the server publishes about itself; only an authorization server can make a good one for somebody else,
// so that one has to be given.

import { randomUUID } from 'node:crypto';
import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { META } from '../conversation.ts';
import { isObject, type JsonObject } from '../message.ts';
import { type Check, fail, isModern, pass, since, skip, type Verdict } from '../model.ts';
import { exchangeHttp, type HttpReply } from '../wire/http.ts';
import { type BadToken, forgeTokens } from './bad-tokens.ts';

const NOT_ASKED = 'The server does not ask for authorization';

/** A request that needs nothing before it, with this token or none. */
function attempt(bench: Bench, token?: string): Promise<HttpReply> {
  const modern = isModern(bench.revision);
  const method = modern ? 'server/discover' : 'initialize';
  const clientInfo = { name: 'witbox-check', version: '1' };
  const params = modern
    ? {
        _meta: {
          [`${META}protocolVersion`]: bench.revision,
          [`${META}clientCapabilities`]: {},
          [`${META}clientInfo`]: clientInfo,
        },
      }
    : { protocolVersion: bench.revision, capabilities: {}, clientInfo };
  const { authorization: _own, 'x-api-key': _key, ...others } = bench.conversation.link.headers;
  return exchangeHttp({
    method: 'POST',
    url: bench.conversation.link.url!,
    headers: {
      ...others,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(modern && { 'mcp-protocol-version': bench.revision, 'mcp-method': method }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    milliseconds: bench.options.milliseconds,
    isLast: () => true,
    impatient: true,
  });
}

async function unauthorizedSaysHow(bench: Bench): Promise<Verdict> {
  const bare = await attempt(bench);
  const reply = bare.status === 401 ? bare : await attempt(bench, randomUUID());
  if (reply.status !== 401) return skip(NOT_ASKED);
  const challenge = reply.headers['www-authenticate'] ?? '';
  if (/resource_metadata=/i.test(challenge)) return pass;
  if (bench.revision >= '2025-11-25' && (await readMetadata(bench, challenge)) !== null) return pass;
  return fail('401 says nowhere where the resource metadata is', { raw: `WWW-Authenticate: ${challenge}` });
}

/** What the server publishes about itself (RFC 9728): where the challenge says, or at a well-known address. */
async function readMetadata(bench: Bench, challenge: string): Promise<JsonObject | null> {
  const url = bench.conversation.link.url!;
  const named = /resource_metadata="?([^",\s]+)/i.exec(challenge)?.[1];
  const known = [url.pathname, ''].map((path) => `/.well-known/oauth-protected-resource${path}`);
  for (const place of [...(named === undefined ? [] : [named]), ...known]) {
    const at = URL.parse(place, url);
    // A server could name another host to have the checker ask there.
    if (at === null || at.origin !== url.origin) continue;
    const headers = { accept: 'application/json' };
    const { milliseconds } = bench.options;
    const reply = await exchangeHttp({ method: 'GET', url: at, headers, milliseconds, untilHeaders: true });
    const json = reply.messages[0]?.json;
    if (reply.status === 200 && isObject(json) && typeof json.resource === 'string') return json;
  }
  return null;
}

async function badTokensRefused(bench: Bench): Promise<Verdict> {
  const bare = await attempt(bench);
  const metadata = await readMetadata(bench, bare.headers['www-authenticate'] ?? '');
  if (bare.status !== 401 && metadata === null) return skip(NOT_ASKED);
  const own = /^Bearer\s+(\S+)$/i.exec(bench.conversation.link.headers.authorization ?? '')?.[1];
  return refused(bench, forgeTokens({ metadata, resource: bench.conversation.link.url!.href, own }));
}

async function otherAudienceRefused(bench: Bench): Promise<Verdict> {
  const { wrongAudienceToken: token } = bench.options;
  if (token === undefined)
    return skip(
      'Needs a token that your authorization server made for another resource: give it with --wrong-audience-token',
    );
  if ((await attempt(bench)).status !== 401) return skip(NOT_ASKED);
  return refused(bench, [{ what: 'a token for another audience', token }]);
}

async function refused(bench: Bench, tokens: readonly BadToken[]): Promise<Verdict> {
  for (const { what, token } of tokens) {
    const reply = await attempt(bench, token);
    if (reply.status === 401) continue;
    if (reply.status === 429) return skip('The server answers 429: it was asked too often to tell');
    const happened = reply.status >= 200 && reply.status < 300 ? 'was accepted' : 'did not get 401';
    return fail(`${upper(what)} ${happened}: HTTP ${reply.status}`, { raw: reply.body });
  }
  return pass;
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const http = { transports: ['http'] as const, scope: 'once' as const, severity: 'critical' as const };

export const authorizationChecks: readonly Check[] = [
  {
    id: 'X03',
    title: '401 says how to get authorized',
    level: 'should',
    clause: clauses.authorization,
    revisions: since('2025-06-18'),
    ...http,
    remedy: 'Send WWW-Authenticate with resource_metadata on every 401',
    run: unauthorizedSaysHow,
  },
  {
    id: 'X07',
    title: 'Forged, unsigned and expired tokens get 401',
    level: 'must',
    clause: clauses.tokens,
    revisions: since('2025-03-26'),
    ...http,
    remedy:
      'Verify the signature with the keys of your authorization server, then issuer, audience and expiry, and never take the algorithm from the token',
    run: badTokensRefused,
  },
  {
    id: 'X08',
    title: 'A token for another audience gets 401',
    level: 'must',
    clause: clauses.tokens,
    revisions: since('2025-06-18'),
    ...http,
    remedy: 'Compare the audience of every token with the address of this server before anything is served',
    run: otherAudienceRefused,
  },
];
