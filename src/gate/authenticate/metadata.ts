// What this server says about itself as a resource of OAuth (RFC 9728), at the root and with the path of an endpoint.

import type { JsonObject } from '../../core/json.ts';
import type { OAuthOptions } from '../options.ts';

export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** What a token may be made for when nobody said otherwise: the whole server, or its endpoint. */
const ENDPOINTS = ['', '/mcp'];

/** `path` is that of the endpoint, or empty for the whole server. */
export function resourceMetadata(
  publicUrl: string,
  path: string,
  oauth: readonly OAuthOptions[],
): JsonObject {
  const scopes = [...new Set(oauth.flatMap((one) => one.scopes))];
  return {
    resource: below(publicUrl, path),
    authorization_servers: oauth.map(({ issuer }) => issuer),
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
    resource_name: 'Witbox',
  };
}

export function audiences(publicUrl: string, { audience }: OAuthOptions): ReadonlySet<string> {
  const named = audience.length > 0 ? audience : ENDPOINTS.map((path) => below(publicUrl, path));
  return new Set(named.map(bare));
}

/** Clients write the address of a server with or without the last slash. */
export function bare(audience: string): string {
  return audience.endsWith('/') ? audience.slice(0, -1) : audience;
}

function below(publicUrl: string, path: string): string {
  return bare(publicUrl) + path;
}
