// The few forms of DER (X.690) that a certificate is made of. Writes only; nothing is ever parsed here.

export const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
export const boolean = (value: boolean): Buffer => tagged(0x01, Buffer.from([value ? 0xff : 0]));
export const octets = (content: Buffer): Buffer => tagged(0x04, content);
export const utf8 = (text: string): Buffer => tagged(0x0c, Buffer.from(text));
export const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
export const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts));

/** Context-specific, around other elements. */
export const explicit = (number: number, content: Buffer): Buffer => tagged(0xa0 | number, content);
/** Context-specific, in the place of a plain type. */
export const implicit = (number: number, content: Buffer): Buffer => tagged(0x80 | number, content);

export function bits(content: Buffer, unused = 0): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([unused]), content]));
}

/** UTCTime, which certificates use for years before 2050 (RFC 5280, section 4.1.2.5). */
export function utcTime(date: Date): Buffer {
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, '');
  return tagged(0x17, Buffer.from(text.slice(2)));
}

export function identifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const septets = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) septets.unshift((left & 0x7f) | 0x80);
  return septets;
}

function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content)]), content]);
}

function lengthOf({ length }: Buffer): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}
