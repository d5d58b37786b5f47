// Damages real binaries in the ways that find bugs in decoders: bits, lengths, counts, cut and spliced parts. The same
// random stream gives the same mutants, so a failing one can be made again from its seed.

import { leb128 } from '../../src/engine/decode/leb128.ts';
import type { Random } from '../random-types.ts';

/** Bytes that mean something in LEB128 or in the opcode tables. */
const INTERESTING = [
  0x00, 0x01, 0x02, 0x03, 0x0b, 0x40, 0x41, 0x42, 0x50, 0x5f, 0x60, 0x70, 0x72, 0x7f, 0x80, 0xff,
];
/** Numbers that are too long, too large, or just within 32 bits. */
const NUMBERS = [
  [0xff, 0xff, 0xff, 0xff, 0x0f],
  [0xff, 0xff, 0xff, 0xff, 0x07],
  [0x80, 0x80, 0x80, 0x80, 0x00],
  [0xff, 0xff, 0xff, 0xff, 0x7f],
  [0xbf, 0x84, 0x3d],
  [0x8f, 0x4e],
];

/** Half of the mutants keep their section sizes right, to get past the decoder's first checks. */
export function mutate(random: Random, seeds: readonly Uint8Array[]): Uint8Array {
  let bytes: Uint8Array = random.pick(seeds).slice();
  if (random.chance(0.5)) return mutateSections(random, bytes, seeds);
  for (let edits = 1 + random.below(4); edits > 0; edits--) bytes = edit(random, bytes, seeds);
  return bytes;
}

function mutateSections(random: Random, bytes: Uint8Array, seeds: readonly Uint8Array[]): Uint8Array {
  const sections = split(bytes);
  for (let edits = 1 + random.below(3); edits > 0 && sections.length > 0; edits--) {
    const at = random.below(sections.length);
    const [id, body] = sections[at] as Section;
    const choice = random.below(10);
    if (choice === 0) sections.splice(at, 1);
    else if (choice === 1) sections.splice(random.below(sections.length + 1), 0, [id, body]);
    else if (choice === 2) {
      const other = split(random.pick(seeds));
      if (other.length > 0) sections.splice(at, 0, random.pick(other));
    } else if (body.length > 0) {
      // Nested modules and components are sections themselves.
      const nested = (id === 1 || id === 4) && body.length > 8 && body[0] === 0 && random.chance(0.8);
      sections[at] = [
        id,
        nested ? mutateSections(random, body, seeds) : edit(random, body.slice(), seeds, 0),
      ];
    }
  }
  return join(bytes.subarray(0, 8), sections);
}

type Section = readonly [id: number, body: Uint8Array];

/** Made for well-formed files, and ends for all others: a mutant may be split again. */
function split(bytes: Uint8Array): Section[] {
  const sections: Section[] = [];
  for (let at = 8; at < bytes.length; ) {
    const id = bytes[at++] as number;
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      size |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    sections.push([id, bytes.subarray(at, at + (size >>> 0))]);
    at += size >>> 0;
  }
  return sections;
}

function join(preamble: Uint8Array, sections: readonly Section[]): Uint8Array {
  const parts = sections.flatMap(([id, body]) => [
    Uint8Array.from([id, ...leb128(BigInt(body.length))]),
    body,
  ]);
  return new Uint8Array(Buffer.concat([preamble, ...parts]));
}

/** The first `keep` bytes are left alone most of the time: without a preamble every mutant ends at once. */
function edit(random: Random, bytes: Uint8Array, seeds: readonly Uint8Array[], keep = 8): Uint8Array {
  const low = random.chance(0.02) ? 0 : Math.min(keep, bytes.length);
  const at = low + random.below(bytes.length - low + 1);
  const length = random.below(Math.min(32, bytes.length - at + 1));
  switch (random.below(8)) {
    case 0:
      if (at < bytes.length) bytes[at] = (bytes[at] as number) ^ (1 << random.below(8));
      return bytes;
    case 1:
      if (at < bytes.length) bytes[at] = random.pick(INTERESTING);
      return bytes;
    case 2:
      if (at < bytes.length) bytes[at] = random.below(256);
      return bytes;
    case 3:
      return splice(bytes, at, 1, random.pick(NUMBERS));
    case 4:
      return splice(bytes, at, length, []);
    case 5: {
      // Repeat a part, often enough that small ones nest deeply.
      const part = bytes.subarray(at, at + length);
      return splice(bytes, at, 0, repeat(part, random.chance(0.1) ? 64 : 1));
    }
    case 6: {
      const other = random.pick(seeds);
      const from = random.below(other.length);
      return splice(bytes, at, length, other.subarray(from, from + random.below(128)));
    }
    default:
      return random.chance(0.3) ? bytes.slice(0, at) : bytes;
  }
}

function splice(bytes: Uint8Array, at: number, remove: number, insert: ArrayLike<number>): Uint8Array {
  const tail = Math.min(bytes.length, at + remove);
  const out = new Uint8Array(at + insert.length + bytes.length - tail);
  out.set(bytes.subarray(0, at));
  out.set(insert, at);
  out.set(bytes.subarray(tail), at + insert.length);
  return out;
}

function repeat(part: Uint8Array, times: number): Uint8Array {
  const out = new Uint8Array(part.length * times);
  for (let i = 0; i < times; i++) out.set(part, i * part.length);
  return out;
}
