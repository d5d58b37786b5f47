// The ways in which one secret is met in a text: as it is, escaped for JSON or an address, in hexadecimal, and in base64
// at each of the three places where it can begin inside of something longer.

/** Shorter pieces would be found where no secret is. */
const SHORTEST = 4;
const SHORTEST_ENCODED = 6;

export function secretForms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const percent = encodeURIComponent(secret.toWellFormed());
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const plain = new Set([secret, JSON.stringify(secret).slice(1, -1)]);
  for (const text of [percent, form]) plain.add(text).add(lowerPercent(text));
  const encoded = new Set([bytes.toString('hex'), bytes.toString('hex').toUpperCase()]);
  for (const offset of [0, 1, 2]) {
    const inside = base64Inside(bytes, offset);
    encoded.add(inside);
    encoded.add(inside.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [
    ...[...plain].filter((text) => text.length >= SHORTEST),
    ...[...encoded].filter((text) => text.length >= SHORTEST_ENCODED),
  ];
}

/** The characters that depend on the secret alone when `offset` other bytes stand before it, whatever comes after. */
function base64Inside(bytes: Uint8Array, offset: number): string {
  const text = Buffer.concat([new Uint8Array(offset), bytes]).toString('base64');
  const last = Math.floor(((offset + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((offset * 8) / 6), last);
}

function lowerPercent(text: string): string {
  return text.replace(/%[0-9A-F]{2}/g, (escaped) => escaped.toLowerCase());
}
