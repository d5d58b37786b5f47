// What a component did lately: a bounded list of calls with their outcome, and counters. For the `log` and `metadata`
// resources and for troubleshooting. Never holds arguments or results, only how things went and what was printed, and
// of that nothing that is known to be secret: a guest may print what it was given.

import type { Redactor } from '../core/redact.ts';
import type { GuestLog } from '../host/log.ts';

export interface CallRecord {
  readonly time: string;
  readonly tool: string;
  readonly outcome: string;
  readonly milliseconds: number;
  readonly message?: string;
  readonly denials: readonly { readonly permission: string; readonly reason: string }[];
  readonly output: string;
}

export interface Counters {
  calls: number;
  failures: number;
  denials: number;
  milliseconds: number;
}

export interface CallLog {
  readonly counters: Readonly<Counters>;
  add(record: CallRecord): void;
  recent(): readonly CallRecord[];
  /** JSON lines, oldest first. */
  text(): string;
}

const KEPT = 200;

export function createCallLog(redactor: Redactor): CallLog {
  const records: CallRecord[] = [];
  const counters: Counters = { calls: 0, failures: 0, denials: 0, milliseconds: 0 };
  return {
    counters,
    add(record) {
      if (records.length === KEPT) records.shift();
      records.push(redacted(record, redactor));
      counters.calls++;
      counters.milliseconds += record.milliseconds;
      counters.denials += record.denials.length;
      if (record.outcome !== 'ok') counters.failures++;
    },
    recent: () => records,
    text: () => records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  };
}

function redacted(record: CallRecord, { text }: Redactor): CallRecord {
  return {
    ...record,
    ...(record.message === undefined ? {} : { message: text(record.message) }),
    denials: record.denials.map(({ permission, reason }) => ({
      permission: text(permission),
      reason: text(reason),
    })),
  };
}

const KEPT_OUTPUT = 4_096;

/** So much more is looked at, so that a secret which begins before the end is seen as one. */
const LONGEST_SECRET = 64 << 10;

/** Collects what a guest prints during one call; only the beginning is kept. */
export function createOutput(redactor: Redactor): { take(entry: GuestLog): void; text(): string } {
  let decoder: TextDecoder | null = null;
  let text = '';
  return {
    take(entry) {
      if (text.length >= KEPT_OUTPUT + LONGEST_SECRET) return;
      if (entry.source === 'log') {
        text += `[${entry.level}] ${entry.message}\n`;
        return;
      }
      decoder ??= new TextDecoder();
      text += decoder.decode(entry.bytes, { stream: true });
    },
    text: () => redactor.head(text, KEPT_OUTPUT),
  };
}
