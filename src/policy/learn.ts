// Denials → the smallest document under which none of them would have been denied, for a person to review. It never
// grants anything by itself: it makes text. Only exact paths, hosts, ports and names; no wildcard is ever guessed.

import { WitboxError } from '../core/errors.ts';
import { formatAddress, parseAddress, widthOf } from './address.ts';
import { decide } from './decide.ts';
import { grantPermission } from './edit.ts';
import type { Grant } from './grant.ts';
import { canonicalHost } from './host.ts';
import { parsePolicy } from './parse.ts';
import type { NetworkRequest, PolicyRequest } from './request.ts';
import { pathSegments, pathToUri } from './storage-uri.ts';

const MAX_DENIALS = 256;
const START = '# Learned from what was denied. Review each rule before you set it.\nversion: "1.0"\n';

/** What can never be granted (a relative path, no host name) is left out. */
export function learnPolicy(denials: readonly PolicyRequest[]): string {
  let text = START;
  // The more a request asks for, the earlier: what it needs may already serve the ones after it.
  for (const request of denials.slice(0, MAX_DENIALS).toSorted((a, b) => weight(b) - weight(a))) {
    for (const grant of grantsFor(request)) {
      if (decide(parsePolicy(text), request).allowed) break;
      text = tryGrant(text, grant);
    }
  }
  return text;
}

function weight(request: PolicyRequest): number {
  return request.kind === 'network' ? Number(request.port != null) + Number(request.scheme != null) : 0;
}

/** In the order in which they are tried: a later one is only needed if the ones before did not do. */
function grantsFor(request: PolicyRequest): readonly Grant[] {
  if (request.kind === 'network') return networkGrants(request);
  // Where a secret may be sent is for a person to say.
  if (request.kind === 'secret') return [];
  if (request.kind !== 'storage') return [{ kind: request.kind, value: request.name }];
  if (!pathSegments(request.path)) return [];
  return [{ kind: 'storage', value: pathToUri(request.path), access: [request.access] }];
}

function networkGrants({ host, scheme, port, address }: NetworkRequest): readonly Grant[] {
  const canonical = canonicalHost(host);
  if (!canonical) return [];
  const name = canonical.text.includes(':') ? `[${canonical.text}]` : canonical.text;
  const endpoint = `${scheme == null ? '' : `${scheme}://`}${name}${port == null ? '' : `:${port}`}`;
  const grants: Grant[] = [{ kind: 'network', value: endpoint }];
  const known = address == null ? undefined : parseAddress(address);
  if (known) grants.push({ kind: 'network', value: `${formatAddress(known)}/${widthOf(known.family)}` });
  return grants;
}

function tryGrant(text: string, grant: Grant): string {
  try {
    return grantPermission(text, grant);
  } catch (error) {
    if (error instanceof WitboxError && error.code === 'grant-invalid') return text;
    throw error;
  }
}
