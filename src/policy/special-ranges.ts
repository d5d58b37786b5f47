// The address ranges that are not the public Internet (IANA special-purpose registries, RFC 6890 and later). A grant for
// a name, for `*`, or for a block that is wider than one of these never reaches into them; they need a grant of their
// own. For IPv6 everything outside 2000::/3 counts: what is not assigned to the public is not public.

import { type Address, type Cidr, cidrContains, cidrWithin, parseCidr } from './address.ts';

interface SpecialRange {
  readonly cidr: Cidr;
  readonly name: string;
}

// The narrow ones stand before the wide ones that hold them: the first match names the range.
const RANGES: readonly SpecialRange[] = [
  range('0.0.0.0/8', 'this network'),
  range('10.0.0.0/8', 'private'),
  range('100.64.0.0/10', 'shared (CGNAT)'),
  range('127.0.0.0/8', 'loopback'),
  range('169.254.0.0/16', 'link-local'),
  range('172.16.0.0/12', 'private'),
  range('192.0.0.0/24', 'protocol assignments'),
  range('192.0.2.0/24', 'documentation'),
  range('192.88.99.0/24', '6to4 relay'),
  range('192.168.0.0/16', 'private'),
  range('198.18.0.0/15', 'benchmarking'),
  range('198.51.100.0/24', 'documentation'),
  range('203.0.113.0/24', 'documentation'),
  range('224.0.0.0/4', 'multicast'),
  range('240.0.0.0/4', 'reserved'),
  range('::1/128', 'loopback'),
  range('::/96', 'IPv4-compatible'),
  range('64:ff9b::/96', 'NAT64'),
  range('64:ff9b:1::/48', 'NAT64'),
  range('100::/64', 'discard'),
  range('2001::/32', 'Teredo'),
  range('2001::/23', 'protocol assignments'),
  range('2001:db8::/32', 'documentation'),
  range('2002::/16', '6to4'),
  range('3fff::/20', 'documentation'),
  range('fc00::/7', 'private'),
  range('fe80::/10', 'link-local'),
  range('fec0::/10', 'site-local'),
  range('ff00::/8', 'multicast'),
  range('::/3', 'reserved'),
  range('4000::/2', 'reserved'),
  range('8000::/1', 'reserved'),
];

/** What kind of non-public address this is, or `undefined` for a public one. */
export function specialRangeOf(address: Address): string | undefined {
  return RANGES.find(({ cidr }) => cidrContains(cidr, address))?.name;
}

export function isLoopback(address: Address): boolean {
  return specialRangeOf(address) === 'loopback';
}

/** Whether every address of the block is special: only then is the block a grant "of its own" for them. */
export function isWhollySpecial(block: Cidr): boolean {
  return RANGES.some(({ cidr }) => cidrWithin(block, cidr));
}

function range(text: string, name: string): SpecialRange {
  return { cidr: parseCidr(text)!, name };
}
