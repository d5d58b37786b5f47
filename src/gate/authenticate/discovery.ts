// Where an authorization server has its keys: RFC 8414 and OpenID Connect discovery, in the order that MCP gives. What
// comes back is bounded in time and size, never followed elsewhere, and must be from the issuer it claims.

import { isJsonObject, type JsonObject, own } from '../../core/json.ts';
import type { OAuthOptions } from '../options.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 512 * 1024;

export async function fetchKeys({ issuer, jwks }: OAuthOptions, fetcher: typeof fetch): Promise<JsonObject> {
  const set = await fetchJson(jwks ?? (await keysAddress(issuer, fetcher)), fetcher);
  if (!Array.isArray(own(set, 'keys'))) throw new Error('what it gives as its keys has none');
  return set;
}

async function keysAddress(issuer: string, fetcher: typeof fetch): Promise<string> {
  let last: unknown = new Error('it has no metadata');
  for (const address of metadataAddresses(issuer)) {
    try {
      const metadata = await fetchJson(address, fetcher);
      if (own(metadata, 'issuer') !== issuer) throw new Error(`metadata at ${address} is of another issuer`);
      const keys = own(metadata, 'jwks_uri');
      if (typeof keys !== 'string') throw new Error(`metadata at ${address} names no keys`);
      // Whoever is asked over TLS must not send us where there is none.
      if (new URL(issuer).protocol === 'https:' && !keys.startsWith('https://'))
        throw new Error(`metadata at ${address} names keys without TLS`);
      return keys;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}

function metadataAddresses(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  );
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

async function fetchJson(address: string, fetcher: typeof fetch): Promise<JsonObject> {
  const response = await fetcher(address, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`${address} answers ${response.status}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_BYTES) throw new Error(`${address} answers with more than ${MAX_BYTES} bytes`);
    parts.push(part);
  }
  const json: unknown = JSON.parse(Buffer.concat(parts).toString());
  if (!isJsonObject(json)) throw new Error(`${address} answers with something else than an object`);
  return json;
}
