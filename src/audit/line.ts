// One line of the audit log as text: a JSON object that starts with its number and the hash of the line before. The
// hash of a line is SHA-256 over its bytes without the line break. Whatever a caller can choose is cut to a bound here,
// so that a line stays small whoever calls.

import { hash } from 'node:crypto';
import type { AuditEntry } from './entry.ts';

/** Characters of a line at most; readers refuse more. Far above what `bodyOf` can make. */
export const MOST_LINE = 1 << 20;

/** Characters of a field. */
export const MOST_TEXT = 1_024;
export const MOST_PERMISSIONS = 64;

/** Where a chain stands: the number of its last line and that line's hash. */
export interface Link {
  readonly sequence: number;
  readonly hash: string;
}

/** What is known of the arguments or the result of a call. */
export interface Digested {
  readonly sha256: string;
  readonly bytes: number;
  readonly value?: unknown;
}

export interface Digests {
  readonly arguments?: Digested | undefined;
  readonly result?: Digested | undefined;
}

/** Everything of a line but its number and its place in the chain, from the comma on. */
export function bodyOf(entry: AuditEntry, time: Date, digests: Digests): string {
  const fields = {
    time: time.toISOString(),
    kind: entry.kind,
    action: cut(entry.action),
    caller: cut(entry.caller),
    address: cut(entry.address),
    session: entry.session === null ? null : sessionName(entry.session),
    client: cut(entry.client),
    revision: cut(entry.revision),
    transport: cut(entry.transport),
    component: cut(entry.component),
    digest: cut(entry.digest),
    target: cut(entry.target),
    outcome: cut(entry.outcome),
    error: entry.error === undefined ? undefined : cut(entry.error),
    milliseconds: Math.round(entry.milliseconds * 1_000) / 1_000,
    granted: entry.granted.slice(0, MOST_PERMISSIONS).map(cut),
    denied: entry.denied.slice(0, MOST_PERMISSIONS).map(cut),
    arguments: digests.arguments,
    result: digests.result,
  };
  return JSON.stringify(fields).slice(1);
}

/** An event of the log itself: when it began, what it found cut off, which files it removed. */
export function eventBody(time: Date, action: string, detail: Readonly<Record<string, unknown>>): string {
  const fields = { time: time.toISOString(), kind: 'event', action, caller: 'witbox', outcome: 'ok', detail };
  return JSON.stringify(fields).slice(1);
}

export function chain(after: Link, body: string): { readonly text: string; readonly link: Link } {
  const sequence = after.sequence + 1;
  const text = `{"sequence":${sequence},"previous":"${after.hash}",${body}`;
  return { text, link: { sequence, hash: hashOf(text) } };
}

export function hashOf(line: string | Uint8Array): string {
  return hash('sha256', line, 'hex');
}

/** An id of a session lets its holder in where nobody has to prove who they are: the log gets a name for it instead. */
function sessionName(session: string): string {
  return hashOf(session).slice(0, 16);
}

const FIELDS = /^\{"sequence":([1-9]\d{0,15}),"previous":"([0-9a-f]{64})",/;

/** Number and predecessor of a line; undefined for what no log of ours has written. */
export function readLink(line: string): { readonly sequence: number; readonly previous: string } | undefined {
  const match = FIELDS.exec(line);
  if (match === null) return undefined;
  return { sequence: Number(match[1]), previous: match[2]! };
}

function cut(text: string): string;
function cut(text: string | null): string | null;
function cut(text: string | null): string | null {
  return text === null || text.length <= MOST_TEXT ? text : `${text.slice(0, MOST_TEXT)}…`;
}
