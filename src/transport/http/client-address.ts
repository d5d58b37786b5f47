// Where a request came from: the other end of the socket, or, if that is a proxy which the operator believes, what the
// proxy says. Read from the right: everything left of the first address that is not believed was written by a stranger.

import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { WitboxError } from '../../core/errors.ts';

export interface Peer {
  /** Where the request began, as far as it can be believed. */
  readonly address: string | null;
  /** The socket's other end is this machine or a proxy that is believed. */
  readonly isNear: boolean;
}

export interface Peers {
  of(request: Pick<IncomingMessage, 'headers' | 'socket'>): Peer;
  /** Proxies bring many clients over few sockets. */
  isProxy(address: string): boolean;
}

const MAX_HOPS = 32;

/** `trusted`: addresses and networks, such as `10.0.0.1` or `fd00::/8`. Throws `flag-invalid`. */
export function createPeers(trusted: readonly string[]): Peers {
  const proxies = new BlockList();
  for (const one of trusted) addTo(proxies, one);
  const isProxy = (address: string): boolean =>
    trusted.length > 0 && proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return {
    isProxy,
    of({ headers, socket }) {
      const end = plainAddress(socket.remoteAddress ?? '');
      if (end === '') return { address: null, isNear: false };
      if (!isProxy(end)) return { address: end, isNear: isLoopback(end) };
      return { address: beyond(headers['x-forwarded-for'], end, isProxy), isNear: true };
    },
  };
}

function beyond(
  forwarded: string | string[] | undefined,
  proxy: string,
  isProxy: (address: string) => boolean,
): string {
  const hops = String(forwarded ?? '').split(',');
  let last = proxy;
  for (const hop of hops.slice(-MAX_HOPS).reverse()) {
    const address = hopAddress(hop.trim());
    if (address === null) return last;
    last = address;
    if (!isProxy(address)) return last;
  }
  return last;
}

/** Some proxies add the port. */
function hopAddress(hop: string): string | null {
  const [, six, four] = /^(?:\[([0-9a-f:.]+)\](?::\d+)?|([\d.]+)(?::\d+)?)$/i.exec(hop) ?? [];
  const address = plainAddress(six ?? four ?? hop);
  return isIP(address) === 0 ? null : address;
}

/** One form for one address: a socket for both families shows IPv4 as a part of IPv6. */
export function plainAddress(address: string): string {
  const [, four] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return four ?? address.toLowerCase();
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

function addTo(proxies: BlockList, text: string): void {
  const [, address = '', bits] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  const most = family === 6 ? 128 : 32;
  if (family === 0 || Number(bits ?? most) > most) {
    const expected = 'an IP address or a network, such as 10.0.0.1 or 10.0.0.0/8';
    throw new WitboxError('flag-invalid', { flag: 'trust-proxy', value: text, expected });
  }
  proxies.addSubnet(address, Number(bits ?? most), family === 6 ? 'ipv6' : 'ipv4');
}
