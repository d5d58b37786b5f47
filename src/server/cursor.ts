// Cursors of paged lists: opaque and authenticated, so that a client can neither read nor forge a position.
// A cursor remembers the last item it gave; if that item is gone, its place counts, so paging always ends.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from './params.ts';

const MAC_BYTES = 12;

interface Position {
  readonly offset: number;
  readonly last: string;
}

export interface Cursors {
  write(list: string, position: Position): string;
  /** Throws `invalid-params` for anything that `write` did not make for this list. */
  read(list: string, cursor: string): Position;
}

export function createCursors(secret: Buffer): Cursors {
  const mac = (list: string, body: Buffer): Buffer =>
    createHmac('sha256', secret).update(`cursor\0${list}\0`).update(body).digest().subarray(0, MAC_BYTES);
  return {
    write(list, position) {
      const body = Buffer.from(JSON.stringify([position.offset, position.last]));
      return Buffer.concat([mac(list, body), body]).toString('base64url');
    },
    read(list, cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const body = bytes.subarray(MAC_BYTES);
      const sound = bytes.length > MAC_BYTES && bytes.toString('base64url') === cursor;
      if (!sound || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), mac(list, body))) {
        throw invalid('"cursor" was not given by this server for this list; start again without one');
      }
      const [offset, last] = JSON.parse(body.toString()) as [number, string];
      return { offset, last };
    },
  };
}
