// From a host and a port to addresses that may be connected to. A name is resolved here, once, and every address it
// gave is decided; the connection then goes to one of exactly these, so an answer that changes later changes nothing.

import { lookup } from 'node:dns/promises';
import { HostFailure } from '../../core/port.ts';
import { formatAddress, parseAddress } from '../../policy/address.ts';
import { canonicalHost, type Host } from '../../policy/host.ts';
import type { NetworkRequest } from '../../policy/request.ts';
import type { Denials } from '../denials.ts';
import type { Decision, Grants } from '../grants.ts';

/** Name → addresses as text; the system's resolver unless a composition gives another. */
export type Resolve = (name: string) => Promise<readonly string[]>;

interface CheckedAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface Endpoint {
  readonly host: Host;
  readonly port: number;
  /** At least one; each was allowed for this host, port and scheme. */
  readonly addresses: readonly CheckedAddress[];
}

/** Failure codes differ between HTTP and sockets. */
interface EndpointCodes {
  readonly invalid: string;
  readonly denied: string;
  readonly prohibited: string;
}

const MOST_ADDRESSES = 16;
const MOST_LOOKUPS = 4;

export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address);

export interface Endpoints {
  check(scheme: 'http' | 'https', hostText: string, port: number, codes: EndpointCodes): Promise<Endpoint>;
  /** Resolves a granted name, for `ip-name-lookup`; addresses that no port could reach are left in. */
  resolveName(name: string, codes: EndpointCodes): Promise<readonly CheckedAddress[]>;
  /** Decides a connection to a bare address, by itself or by a name that was looked up in this call. */
  checkAddress(scheme: 'tcp' | 'udp', address: string, port: number): CheckedAddress;
}

export function createEndpoints(
  grants: Grants,
  denials: Denials,
  resolve: Resolve,
  lookupMs: number,
): Endpoints {
  const namesOf = new Map<string, Set<string>>();
  const ask = (request: Omit<NetworkRequest, 'kind'>): Decision =>
    grants.decide({ kind: 'network', ...request });

  let lookups = 0;

  /** Lookups occupy threads that the whole broker shares: few at once, and none for long. */
  async function lookUp(name: string): Promise<readonly string[]> {
    if (lookups >= MOST_LOOKUPS) throw Object.assign(new Error('busy'), { code: 'EAI_AGAIN' });
    lookups++;
    const answer = resolve(name).finally(() => lookups--);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'EAI_AGAIN' })), lookupMs);
      timer.unref();
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async function addressesOf(name: string): Promise<CheckedAddress[]> {
    const found: CheckedAddress[] = [];
    for (const text of (await lookUp(name)).slice(0, MOST_ADDRESSES)) {
      const address = parseAddress(text);
      if (address !== undefined) found.push({ address: formatAddress(address), family: address.family });
    }
    if (found.length === 0) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
    return found;
  }

  return {
    async check(scheme, hostText, port, codes) {
      const host = canonicalHost(hostText);
      if (host === undefined) throw new HostFailure(codes.invalid);
      const literal = host.kind === 'address';
      const request = { scheme, host: host.text, port, address: literal ? host.text : null };
      denials.require(ask(request), codes.denied);
      if (literal) return { host, port, addresses: [{ address: host.text, family: host.address.family }] };

      let refused: Decision | undefined;
      const addresses = (await addressesOf(host.text)).filter(({ address }) => {
        const decision = ask({ ...request, address });
        if (!decision.allowed) refused = decision;
        return decision.allowed;
      });
      if (addresses.length === 0 && refused !== undefined) {
        denials.require(refused, codes.prohibited);
      }
      return { host, port, addresses };
    },
    async resolveName(name, codes) {
      const host = canonicalHost(name);
      if (host === undefined) throw new HostFailure(codes.invalid);
      if (host.kind === 'address') return [{ address: host.text, family: host.address.family }];
      denials.require(ask({ host: host.text }), codes.denied);
      const addresses = await addressesOf(host.text);
      for (const { address } of addresses) {
        const names = namesOf.get(address) ?? new Set();
        namesOf.set(address, names);
        if (names.size < 64) names.add(host.text);
      }
      return addresses;
    },
    checkAddress(scheme, text, port) {
      const parsed = parseAddress(text);
      if (parsed === undefined) throw new HostFailure('invalid-argument');
      const address = formatAddress(parsed);
      const named = [...(namesOf.get(address) ?? [])].some(
        (host) => ask({ scheme, host, port, address }).allowed,
      );
      if (!named) denials.require(ask({ scheme, host: address, port, address }), 'access-denied');
      return { address, family: parsed.family };
    },
  };
}
