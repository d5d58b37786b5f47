// Cuts what resources/read gives to the range that was asked for, and says what the whole is. Blobs count in bytes,
// texts in UTF-16 units, as JavaScript and JSON escapes do; a surrogate pair is never split.

import type { ResourceComplete } from '../catalog/catalog.ts';
import type { JsonObject } from '../core/json.ts';
import type { ResourceContents } from '../core/mcp.ts';

export type Range = { readonly start: number; readonly length: number };

export function cut(
  outcome: ResourceComplete,
  range: Range,
): { contents: readonly ResourceContents[]; told: JsonObject } {
  const first = outcome.contents[0];
  if (!first) return { contents: [], told: { ...range, length: 0, total: 0, unit: 'bytes' } };
  const unit = 'text' in first ? 'characters' : 'bytes';
  if (outcome.total !== undefined) {
    const told = { start: range.start, length: sizeOf(first), total: outcome.total, unit };
    return { contents: [first], told };
  }
  if ('text' in first) {
    const start = boundary(first.text, range.start);
    const text = first.text.slice(start, boundary(first.text, range.start + range.length));
    return {
      contents: [{ ...first, text }],
      told: { start, length: text.length, total: first.text.length, unit },
    };
  }
  const bytes = Buffer.from(first.blob, 'base64');
  const part = bytes.subarray(range.start, range.start + range.length);
  return {
    contents: [{ ...first, blob: part.toString('base64') }],
    told: { start: Math.min(range.start, bytes.length), length: part.length, total: bytes.length, unit },
  };
}

function sizeOf(contents: ResourceContents): number {
  return 'text' in contents ? contents.text.length : Buffer.byteLength(contents.blob, 'base64');
}

function boundary(text: string, at: number): number {
  const inside = Math.min(at, text.length);
  const unit = text.charCodeAt(inside);
  return unit >= 0xdc00 && unit <= 0xdfff && inside > 0 ? inside - 1 : inside;
}
