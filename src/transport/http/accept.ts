// Content negotiation, as far as MCP has it: JSON comes in; JSON and event streams must both be welcome.

import type { IncomingMessage } from 'node:http';
import { WitboxError } from '../../core/errors.ts';

/** What nearly every client sends, so that it need not be taken apart each time. */
const USUAL = 'application/json, text/event-stream';

export function requireJson({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? '';
  if (type === 'application/json') return;
  if (mediaType(type) !== 'application/json') throw new WitboxError('content-type', { type });
}

/** A missing Accept accepts everything (RFC 9110, 12.5.1). */
export function accepts({ headers: { accept } }: IncomingMessage, ...types: string[]): void {
  if (accept === undefined || accept === USUAL || accept === '*/*') return;
  const ranges = accept
    .split(',')
    .filter((range) => !/;\s*q=0(\.0+)?\s*$/i.test(range))
    .map(mediaType);
  const welcome = (type: string): boolean =>
    ranges.includes(type) || ranges.includes('*/*') || ranges.includes(`${type.split('/')[0]}/*`);
  if (!types.every(welcome)) throw new WitboxError('not-acceptable', { types: types.join(' and '), accept });
}

/** A client that names event streams before JSON gets its answers as one. */
export function prefersStream({ headers: { accept } }: IncomingMessage): boolean {
  if (accept === undefined || accept === USUAL) return false;
  const stream = accept.indexOf('text/event-stream');
  const json = accept.indexOf('application/json');
  return stream >= 0 && stream < json;
}

function mediaType(value: string): string {
  const end = value.indexOf(';');
  return (end < 0 ? value : value.slice(0, end)).trim().toLowerCase();
}
