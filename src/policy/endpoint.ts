// The network side of a rule: `[scheme://]host[:port]`, `*.domain`, `*`, or a CIDR block, and whether an endpoint of a
// request matches it. `*.example.com` is any depth below example.com and never example.com itself. A literal address is
// a block of one.

import { type Address, cidrContains, cidrOf, parseCidr } from './address.ts';
import { canonicalHost, type Host } from './host.ts';
import type { Endpoint, NetworkTarget } from './policy.ts';
import { isWhollySpecial } from './special-ranges.ts';

const SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'ws', 'wss', 'tcp', 'udp']);

export interface EndpointParts {
  readonly host?: string | undefined;
  readonly cidr?: string | undefined;
  readonly scheme?: string | undefined;
  readonly port?: string | undefined;
}

/** The endpoint, or which field is wrong and how. Exactly one of `host` and `cidr` is given. */
export function parseEndpoint(
  parts: EndpointParts,
): Endpoint | { readonly field: keyof EndpointParts; readonly problem: string } {
  const bad = (field: keyof EndpointParts, problem: string) => ({ field, problem });
  let { scheme, port } = parts;
  let target: NetworkTarget | undefined;
  if (parts.cidr !== undefined) {
    const cidr = parseCidr(parts.cidr);
    if (!cidr)
      return bad(
        'cidr',
        'must be an address block such as "10.0.0.0/8" or "fd00::/8", with no bits set behind its prefix',
      );
    target = { kind: 'block', cidr, own: isWhollySpecial(cidr) };
  } else {
    const split = splitAuthority(parts.host ?? '');
    if (!split) return bad('host', 'must be [scheme://]host[:port] without a path');
    if (split.scheme !== undefined && scheme !== undefined) return bad('scheme', 'is given twice');
    if (split.port !== undefined && port !== undefined) return bad('port', 'is given twice');
    scheme ??= split.scheme;
    port ??= split.port;
    target = parseTarget(split.host);
    if (!target) return bad('host', 'must be a host name, "*.domain", an IP address or "*"');
  }
  const field = parts.scheme === undefined ? 'host' : 'scheme';
  if (scheme !== undefined && !SCHEMES.has(scheme))
    return bad(field, `has the scheme "${scheme}"; known are ${[...SCHEMES].join(', ')}`);
  const number = port === undefined ? undefined : parsePort(port);
  if (port !== undefined && number === undefined)
    return bad(parts.port === undefined ? 'host' : 'port', 'must have a port from 1 to 65535');
  return { target, scheme, port: number };
}

export interface Authority {
  readonly scheme: string | undefined;
  readonly host: string;
  readonly port: string | undefined;
}

/** `undefined` if there is a path, user info or anything else beside scheme, host and port. */
export function splitAuthority(text: string): Authority | undefined {
  if (text.length > 1100) return undefined;
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^/?#@:[\]\s]+)(?::([0-9]+))?$/.exec(text);
  if (match) return { scheme: match[1]?.toLowerCase(), host: match[2]!, port: match[3] };
  // An IPv6 address without brackets has no port.
  return canonicalHost(text)?.kind === 'address'
    ? { scheme: undefined, host: text, port: undefined }
    : undefined;
}

export function parsePort(text: string): number | undefined {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

function parseTarget(text: string): NetworkTarget | undefined {
  if (text === '*') return { kind: 'any' };
  const host = canonicalHost(text.startsWith('*.') ? text.slice(2) : text);
  if (!host) return undefined;
  if (text.startsWith('*.'))
    return host.kind === 'name' ? { kind: 'subdomains', suffix: `.${host.text}` } : undefined;
  if (host.kind === 'name') return { kind: 'name', name: host.text };
  const cidr = cidrOf(host.address);
  return { kind: 'block', cidr, own: isWhollySpecial(cidr) };
}

/** Equal for two spellings of one endpoint. */
export function endpointKey({ target, scheme, port }: Endpoint): string {
  const where = Object.values(target.kind === 'block' ? target.cidr : target).join(' ');
  return `${target.kind} ${where} ${scheme ?? ''} ${port ?? ''}`;
}

export function targetCoversName(target: NetworkTarget, host: Host): boolean {
  if (target.kind === 'any') return true;
  if (host.kind === 'address') return target.kind === 'block' && cidrContains(target.cidr, host.address);
  if (target.kind === 'name') return target.name === host.text;
  return target.kind === 'subdomains' && host.text.endsWith(target.suffix);
}

export function targetCoversAddress(target: NetworkTarget, address: Address): boolean {
  return target.kind === 'block' && cidrContains(target.cidr, address);
}

/** `localhost` and the names below it, RFC 6761: a rule that names them is a grant of its own for loopback. */
export function isLocalhostTarget(target: NetworkTarget): boolean {
  if (target.kind === 'name') return target.name === 'localhost' || target.name.endsWith('.localhost');
  return (
    target.kind === 'subdomains' && (target.suffix === '.localhost' || target.suffix.endsWith('.localhost'))
  );
}
