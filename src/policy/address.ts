// IP addresses as numbers: parsing, canonical text, CIDR blocks, and the addresses hidden inside IPv6 transition forms.
// An IPv4-mapped IPv6 address is the IPv4 address, so that no rule can be walked around by writing it the other way.
// Must never accept a zone id (`fe80::1%eth0`) or a form that two parsers could read differently.

import { isIPv4, isIPv6 } from 'node:net';

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

export interface Cidr {
  readonly family: 4 | 6;
  readonly prefix: number;
  /** The bits before the prefix, shifted down, ready to compare. */
  readonly network: bigint;
}

/** ::ffff:0:0/96, RFC 4291. */
const MAPPED_PREFIX = 0xffffn;
/** 64:ff9b::/96, RFC 6052. */
const NAT64_PREFIX = 0x64ff9bn << 64n;

export const widthOf = (family: 4 | 6): number => (family === 4 ? 32 : 128);

/** Standard text only (`192.0.2.1`, `2001:db8::1`); odd forms such as `0x7f.1` go through `canonicalHost` first. */
export function parseAddress(text: string): Address | undefined {
  if (text.length > 45 || text.includes('%')) return undefined;
  if (isIPv4(text)) return { family: 4, value: parseDotted(text) };
  if (!isIPv6(text)) return undefined;
  const value = parseColons(text);
  return value >> 32n === MAPPED_PREFIX ? { family: 4, value: value & 0xffffffffn } : { family: 6, value };
}

export function formatAddress({ family, value }: Address): string {
  if (family === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
  const groups = Array.from({ length: 8 }, (_, i) => (value >> BigInt(112 - 16 * i)) & 0xffffn);
  const { start, length } = longestZeroRun(groups);
  const text = (part: readonly bigint[]): string => part.map((group) => group.toString(16)).join(':');
  // RFC 5952: the longest run of at least two zero groups is shortened, the first one if two are equally long.
  return length < 2 ? text(groups) : `${text(groups.slice(0, start))}::${text(groups.slice(start + length))}`;
}

/** `undefined` if it is no CIDR block, or has bits set behind its prefix (`10.1.2.3/8` is a mistake, not a block). */
export function parseCidr(text: string): Cidr | undefined {
  const match = /^([0-9a-fA-F:.]{2,45})\/(0|[1-9][0-9]{0,2})$/.exec(text);
  if (!match) return undefined;
  const [, base, length] = match as unknown as [string, string, string];
  const address = parseAddress(base);
  if (!address) return undefined;
  const mapped = address.family === 4 && base.includes(':');
  const prefix = Number(length) - (mapped ? 96 : 0);
  if (prefix < 0 || prefix > widthOf(address.family)) return undefined;
  const host = BigInt(widthOf(address.family) - prefix);
  const network = address.value >> host;
  return network << host === address.value ? { family: address.family, prefix, network } : undefined;
}

export function cidrOf(address: Address): Cidr {
  return { family: address.family, prefix: widthOf(address.family), network: address.value };
}

export function cidrContains(cidr: Cidr, address: Address): boolean {
  return (
    cidr.family === address.family &&
    address.value >> BigInt(widthOf(cidr.family) - cidr.prefix) === cidr.network
  );
}

export function cidrWithin(inner: Cidr, outer: Cidr): boolean {
  return (
    inner.family === outer.family &&
    inner.prefix >= outer.prefix &&
    inner.network >> BigInt(inner.prefix - outer.prefix) === outer.network
  );
}

/** The IPv4 address that a translator would reach for this IPv6 address: a deny rule on it must hold here as well. */
export function embeddedAddresses(address: Address): readonly Address[] {
  if (address.family === 4) return [];
  const { value } = address;
  const v4 = (bits: bigint): Address[] => [{ family: 4, value: bits & 0xffffffffn }];
  if (value >> 32n === 0n || value >> 32n === NAT64_PREFIX) return v4(value);
  if (value >> 112n === 0x2002n) return v4(value >> 80n);
  if (value >> 96n === 0x20010000n) return v4(~value);
  return [];
}

function parseDotted(text: string): bigint {
  return text.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function parseColons(text: string): bigint {
  const dotted = text.includes('.') ? text.slice(text.lastIndexOf(':') + 1) : undefined;
  const colons = dotted === undefined ? text : text.slice(0, -dotted.length) + dottedAsGroups(dotted);
  const [head = '', tail] = colons.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0n);
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | group, 0n);
}

function dottedAsGroups(dotted: string): string {
  const value = parseDotted(dotted);
  return `${(value >> 16n).toString(16)}:${(value & 0xffffn).toString(16)}`;
}

function groupsOf(text: string): bigint[] {
  return text === '' ? [] : text.split(':').map((group) => BigInt(`0x${group}`));
}

function longestZeroRun(groups: readonly bigint[]): { start: number; length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === 0n) length += 1;
    if (length > best.length) best = { start, length };
  }
  return best;
}
