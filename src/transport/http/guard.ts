// Who may knock at all: Host and Origin against DNS rebinding, and CORS for origins that the operator named.
// A rebound name is always a name, so IP addresses and localhost pass as Host; everything else must be configured.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { WitboxError } from '../../core/errors.ts';

export interface GuardOptions {
  /** Host names beside localhost and IP addresses. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may use this server; without it only pages that it serves itself. */
  readonly allowedOrigins?: readonly string[];
}

export interface Guard {
  /** Throws `host-refused` or `origin-refused`. */
  check(request: IncomingMessage): void;
  /** Sets what a browser must see on a response to an allowed origin. */
  allow(request: IncomingMessage, response: ServerResponse): void;
  /** Answers a preflight; without configured origins there is nothing to allow. */
  preflight(request: IncomingMessage, response: ServerResponse): void;
}

const ALLOWED_HEADERS =
  'Content-Type, Accept, Authorization, X-API-Key, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name';

export function createGuard(options: GuardOptions): Guard {
  const hosts = new Set(['localhost', ...(options.allowedHosts ?? []).map((host) => host.toLowerCase())]);
  const origins = new Set((options.allowedOrigins ?? []).map((origin) => origin.toLowerCase()));

  // Clients send the same name again and again.
  let lastAllowed = '';
  const hostAllowed = (host: string): boolean => {
    if (host === lastAllowed) return true;
    const name = hostName(host);
    if (!hosts.has(name) && isIP(name.replace(/^\[|\]$/g, '')) === 0) return false;
    lastAllowed = host;
    return true;
  };
  const configured = (origin: string | undefined): boolean =>
    origin !== undefined && origins.has(origin.toLowerCase());

  return {
    check({ headers: { host, origin }, socket }) {
      if (host === undefined || !hostAllowed(host))
        throw new WitboxError('host-refused', { host: host ?? '' });
      if (origin === undefined || configured(origin)) return;
      const scheme = socket instanceof TLSSocket ? 'https' : 'http';
      if (origin.toLowerCase() !== `${scheme}://${host.toLowerCase()}`)
        throw new WitboxError('origin-refused', { origin });
    },
    allow({ headers: { origin } }, response) {
      if (origin === undefined || !configured(origin)) return;
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Expose-Headers', 'Mcp-Session-Id, WWW-Authenticate');
      response.setHeader('Vary', 'Origin');
    },
    preflight({ headers }, response) {
      if (configured(headers.origin)) {
        const asked = headers['access-control-request-headers'] ?? '';
        // Parameters of tools come as headers too, under names that nobody can list.
        const params = asked.split(',').filter((name) => /^\s*mcp-param-[\w-]+\s*$/i.test(name));
        response.setHeader('Access-Control-Allow-Methods', 'GET, POST, DELETE');
        response.setHeader('Access-Control-Allow-Headers', [ALLOWED_HEADERS, ...params].join(', '));
        response.setHeader('Access-Control-Max-Age', '600');
      }
      response.writeHead(204).end();
    },
  };
}

function hostName(host: string): string {
  const lower = host.toLowerCase();
  if (lower.startsWith('[')) return lower.slice(0, lower.indexOf(']') + 1);
  const colon = lower.indexOf(':');
  return colon < 0 ? lower : lower.slice(0, colon);
}
