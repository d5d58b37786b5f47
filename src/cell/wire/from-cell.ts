// Reads the frames that come from a cell. A cell may have been taken over by its guest: every frame is checked for
// shape here and for sense (a call that is there, a request that is new) by its reader. Throws `wire-malformed`.

import { WitboxError } from '../../core/errors.ts';
import type { WireValue } from '../../core/port.ts';
import { WireReader } from '../../core/wire-value.ts';
import * as kinds from './kinds.ts';

/** How a call can end by the cell's own word. */
const FAILURES = ['misfit', 'trap', 'exit', 'memory', 'output', 'cancelled'] as const;
export type FailureKind = (typeof FAILURES)[number];

export interface FromCell {
  ready(): void;
  loaded(description: WireValue): void;
  unloadable(reason: string): void;
  started(call: number): void;
  result(call: number, ok: boolean, json: string): void;
  failed(call: number, kind: FailureKind, message: string, detail: WireValue): void;
  /** `size` is what the frame took on the wire. */
  request(call: number, request: number, operation: string, args: readonly WireValue[], size: number): void;
  post(call: number, operation: string, args: readonly WireValue[], size: number): void;
}

const MOST_TEXT = 4096;
const MOST_OPERATION = 128;

export function readFromCell(
  to: FromCell,
  kind: number,
  call: number,
  bytes: Buffer,
  start: number,
  end: number,
): void {
  const reader = new WireReader(bytes, start, end);
  switch (kind) {
    case kinds.OK:
    case kinds.ERR:
      to.result(call, kind === kinds.OK, reader.restText());
      return;
    case kinds.REQUEST: {
      const request = reader.varint();
      const operation = short(reader, MOST_OPERATION);
      to.request(call, request, operation, args(reader), end - start);
      return;
    }
    case kinds.POST: {
      const operation = short(reader, MOST_OPERATION);
      to.post(call, operation, args(reader), end - start);
      return;
    }
    case kinds.FAILED: {
      const what = short(reader, MOST_OPERATION) as FailureKind;
      if (!FAILURES.includes(what)) malformed('a call failed in an unknown way');
      const message = short(reader, MOST_TEXT);
      const detail = reader.value();
      reader.end();
      to.failed(call, what, message, detail);
      return;
    }
    case kinds.STARTED:
      reader.end();
      to.started(call);
      return;
    case kinds.READY:
      reader.end();
      to.ready();
      return;
    case kinds.LOADED: {
      const description = reader.value();
      reader.end();
      to.loaded(description);
      return;
    }
    case kinds.UNLOADABLE: {
      const reason = short(reader, MOST_TEXT);
      reader.end();
      to.unloadable(reason);
      return;
    }
    default:
      malformed(`a frame of unknown kind ${kind}`);
  }
}

export function malformed(reason: string): never {
  throw new WitboxError('wire-malformed', { reason });
}

function short(reader: WireReader, most: number): string {
  const text = reader.text();
  if (text.length > most) malformed('a text is too long');
  return text;
}

function args(reader: WireReader): readonly WireValue[] {
  const value = reader.value();
  reader.end();
  if (!Array.isArray(value)) malformed('arguments are not a list');
  return value as readonly WireValue[];
}
