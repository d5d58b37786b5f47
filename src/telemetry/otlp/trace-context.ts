// W3C Trace Context (Level 2) as it comes in `_meta`: who called us belongs to which trace. Strict: what breaks the
// grammar is as if it were not there, so that nobody can put anything else into a trace.

import { type JsonObject, own } from '../../core/json.ts';

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
  /** Passed on as it came; empty if there is none or it is malformed. */
  readonly state: string;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;
const KEY = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
/** Printable ASCII without comma and equals sign, not ending with a space. */
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MOST_PARENT = 256;
const MOST_STATE = 512;
const MOST_MEMBERS = 32;

export function traceContextOf(meta: JsonObject): TraceContext | null {
  const parent = own(meta, 'traceparent');
  if (typeof parent !== 'string' || parent.length > MOST_PARENT) return null;
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(parent) ?? [];
  // Later versions may say more behind what this one knows; version ff is none.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return null;
  const sampled = (Number.parseInt(flags, 16) & 1) === 1;
  return { traceId, spanId, sampled, state: traceState(own(meta, 'tracestate')) };
}

function traceState(value: unknown): string {
  if (typeof value !== 'string' || value.length > MOST_STATE) return '';
  const members = value
    .split(',')
    .map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''))
    .filter((member) => member !== '');
  const keys = new Set<string>();
  for (const member of members) {
    const equals = member.indexOf('=');
    const key = member.slice(0, Math.max(0, equals));
    if (!KEY.test(key) || !VALUE.test(member.slice(equals + 1)) || keys.has(key)) return '';
    keys.add(key);
  }
  return keys.size > MOST_MEMBERS ? '' : members.join(',');
}
