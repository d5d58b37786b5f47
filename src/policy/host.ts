// One spelling for every host: lower case, IDN as ASCII, no trailing dot, and an IP address in each of the forms that
// resolvers accept (decimal, hexadecimal, octal, short, bracketed) as that address. Rules and requests both pass
// through here, so a comparison never sees two spellings of one host. Follows the host parser of the WHATWG URL standard.

import { domainToASCII } from 'node:url';
import { type Address, formatAddress, parseAddress } from './address.ts';

export type Host =
  | { readonly kind: 'name'; readonly text: string }
  | { readonly kind: 'address'; readonly text: string; readonly address: Address };

const MAX_LENGTH = 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is forbidden
const FORBIDDEN = /[\u0000-\u0020\u007f-\u009f%/?#@\\]/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;

/** `undefined` for what is no host: the caller denies or refuses it. */
export function canonicalHost(text: string): Host | undefined {
  // Checked before IDN, which would drop line breaks and decode percent signs.
  if (text.length === 0 || text.length > MAX_LENGTH || FORBIDDEN.test(text)) return undefined;
  if (text.startsWith('[') && text.endsWith(']')) return hostOfAddress(parseV6(text.slice(1, -1)));
  if (text.includes(':')) return hostOfAddress(parseV6(text));
  const ascii = /^[\x20-\x7e]+$/.test(text) ? text.toLowerCase() : domainToASCII(text);
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii;
  const labels = name.split('.');
  if (/^(?:[0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1)!)) return hostOfAddress(parseLooseV4(labels));
  return name.length <= 253 && labels.every((label) => LABEL.test(label))
    ? { kind: 'name', text: name }
    : undefined;
}

function hostOfAddress(address: Address | undefined): Host | undefined {
  return address && { kind: 'address', text: formatAddress(address), address };
}

function parseV6(text: string): Address | undefined {
  return text.includes(':') ? parseAddress(text) : undefined;
}

function parseLooseV4(labels: readonly string[]): Address | undefined {
  if (labels.length > 4) return undefined;
  const numbers = labels.map(parseLooseNumber);
  const last = numbers.at(-1);
  const head = numbers.slice(0, -1);
  if (last === undefined || last >= 1n << BigInt(8 * (5 - labels.length))) return undefined;
  let value = last;
  for (const [i, number] of head.entries()) {
    if (number === undefined || number > 255n) return undefined;
    value |= number << BigInt(8 * (3 - i));
  }
  return { family: 4, value };
}

function parseLooseNumber(text: string): bigint | undefined {
  // Longer than any 32-bit number in octal, so that no huge integer is ever built.
  if (text.length === 0 || text.length > 16) return undefined;
  if (/^0x[0-9a-f]*$/.test(text)) return text === '0x' ? 0n : BigInt(text);
  if (/^0[0-7]+$/.test(text)) return BigInt(`0o${text.slice(1)}`);
  return /^(?:0|[1-9][0-9]*)$/.test(text) ? BigInt(text) : undefined;
}
