// The audit log as the rest of Witbox sees it: lines are gathered while the one write before is under way, and written
// together. When they cannot be written, calls stop or go on as the operator chose, the operator is told, and it is
// tried again until it works; what was done in the meantime is kept within a bound, and what is beyond it is counted.

import { WitboxError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import type { Redactor } from '../core/redact.ts';
import type { AuditEntry, AuditSink } from './entry.ts';
import { createJournal, type Journal } from './journal.ts';
import { bodyOf, eventBody, type Link, MOST_PERMISSIONS, MOST_TEXT } from './line.ts';
import type { AuditOptions } from './options.ts';
import type { WithLock } from './turn.ts';
import { digestValue } from './values.ts';

export interface AuditDeps {
  /** Where the log is unless the options name another folder. */
  readonly directory: string;
  readonly withLock: WithLock;
  readonly redactor: Pick<Redactor, 'head' | 'value'>;
  readonly log: Logger;
  readonly now?: () => Date;
}

export interface AuditState {
  readonly ok: boolean;
  /** Why lines cannot be written. */
  readonly reason: string | null;
  /** Written by this process. */
  readonly lines: number;
  /** Not written and not kept either, since this process began. */
  readonly lost: number;
  /** The last line that was written. */
  readonly head: Link | null;
}

export interface Audit extends AuditSink {
  /**
   * For servers: settles when a line says that recording begins, which `close` then ends with another. Throws
   * `audit-unwritable` if that cannot be written and calls are to stop then.
   */
  begin(): Promise<void>;
  state(): AuditState;
  /** Lines of the old options are written first if the folder changes. */
  reconfigure(options: AuditOptions): Promise<void>;
  close(): Promise<void>;
}

interface Batch {
  readonly bodies: string[];
  bytes: number;
  readonly written: PromiseWithResolvers<void>;
}

const DONE: Promise<void> = Promise.resolve();
const RETRY_MS = 1_000;
const ALARM_MS = 60_000;
/** Lines that wait for a disk that does not take them. */
const MOST_WAITING = 16 << 20;

export function createAudit(initial: AuditOptions, deps: AuditDeps): Audit {
  const now = deps.now ?? (() => new Date());
  const log = deps.log.area('audit');
  let options = initial;
  let journal = open();
  let batch = createBatch();
  let running: Promise<void> | null = null;
  let trouble: { readonly reason: string; readonly since: string } | null = null;
  let retry: NodeJS.Timeout | null = null;
  let nextAlarm = 0;
  let lines = 0;
  let lost = 0;
  let begun = false;

  function open(): Journal {
    return createJournal(options.directory ?? deps.directory, {
      withLock: deps.withLock,
      now,
      limits: () => options,
      onEvent: (event, fields) =>
        event === 'audit.damaged' || event === 'audit.mended'
          ? log.error(event, fields)
          : log.info(event, fields),
      onSyncFailure: (error) => fail(error),
    });
  }

  function add(body: string): Promise<void> {
    if (batch.bytes > MOST_WAITING) {
      lost += 1;
      if (trouble === null) fail('the lines before are not written yet');
    } else {
      batch.bodies.push(body);
      batch.bytes += body.length;
    }
    if (trouble !== null) return options.onFailure === 'continue' ? DONE : refused();
    if (running === null) start();
    return batch.written.promise;
  }

  // Not at once: what else is recorded in this turn of the event loop goes along.
  function start(first: () => Promise<void> = () => new Promise((resolve) => setImmediate(resolve))): void {
    running = first()
      .then(flush)
      .catch(fail)
      .finally(() => {
        running = null;
        if (batch.bodies.length > 0 && trouble === null) start();
      });
  }

  async function flush(): Promise<void> {
    while (batch.bodies.length > 0) {
      const taken = batch;
      const count = taken.bodies.length;
      batch = createBatch();
      try {
        await journal.append(taken.bodies);
        taken.written.resolve();
      } catch (error) {
        fail(error);
        keepForLater(taken, batch);
        throw error;
      } finally {
        lines += count - taken.bodies.length;
      }
    }
  }

  /** Nobody has to wait for a disk to come back; the lines do. */
  function keepForLater(...batches: readonly Batch[]): void {
    batch = createBatch();
    for (const { bodies, bytes, written } of batches) {
      for (const body of bodies) batch.bodies.push(body);
      batch.bytes += bytes;
      if (options.onFailure === 'continue') written.resolve();
      else written.reject(unwritable());
    }
  }

  function fail(error: unknown): void {
    trouble = { reason: reasonOf(error), since: trouble?.since ?? now().toISOString() };
    if (performance.now() >= nextAlarm) {
      nextAlarm = performance.now() + ALARM_MS;
      const calls = options.onFailure === 'stop' ? 'are refused' : 'go on';
      log.error('audit.unwritable', { ...trouble, calls, waiting: batch.bodies.length, lost });
    }
    retry ??= setTimeout(again, RETRY_MS).unref();
  }

  function again(): void {
    retry = null;
    if (trouble === null) return;
    if (running === null) start(resume);
    else retry = setTimeout(again, RETRY_MS).unref();
  }

  /** One line more than wait: to try with, and so that the log tells of its own gap. */
  async function resume(): Promise<void> {
    await journal.append([eventBody(now(), 'audit.resumed', { ...trouble, lost })]);
    lines += 1;
    recovered();
  }

  function recovered(): void {
    if (trouble === null) return;
    log.info('audit.resumed', { since: trouble.since, lost });
    trouble = null;
    nextAlarm = 0;
    if (retry) clearTimeout(retry);
    retry = null;
  }

  function unwritable(): WitboxError {
    return new WitboxError('audit-unwritable', { reason: trouble?.reason ?? 'it is closed' });
  }

  function refused(): Promise<void> {
    const refusal = Promise.reject(unwritable());
    refusal.catch(() => {});
    return refusal;
  }

  function tellOpened(): Promise<void> {
    return options.enabled ? add(eventBody(now(), 'audit.opened', { pid: process.pid })) : DONE;
  }

  async function settle(): Promise<void> {
    while (running !== null) await running;
  }

  async function end(old: Journal): Promise<void> {
    await settle();
    await old.close().catch(fail);
  }

  return {
    check() {
      if (trouble !== null && options.enabled && options.onFailure === 'stop') throw unwritable();
    },
    record(entry) {
      if (!options.enabled) return { durable: DONE };
      const digests = {
        arguments: digestValue(entry.arguments, options, deps.redactor),
        result: digestValue(entry.result, options, deps.redactor),
      };
      return { durable: add(bodyOf(withoutSecrets(entry, deps.redactor), now(), digests)) };
    },
    begin() {
      begun = true;
      return tellOpened();
    },
    state: () => ({
      ok: trouble === null || !options.enabled,
      reason: trouble?.reason ?? null,
      lines,
      lost,
      head: journal.head(),
    }),
    async reconfigure(next) {
      const moves = next.enabled !== options.enabled || next.directory !== options.directory;
      // That recording ends is the last thing recorded.
      if (moves && options.enabled)
        await add(eventBody(now(), 'audit.closed', { next: next.enabled })).catch(() => {});
      await settle();
      options = next;
      if (!moves) return;
      const old = journal;
      journal = open();
      await end(old);
      if (begun) await tellOpened().catch(() => {});
    },
    async close() {
      if (options.enabled && begun) await add(eventBody(now(), 'audit.closed', {})).catch(() => {});
      await end(journal);
      if (retry) clearTimeout(retry);
      if (batch.bodies.length > 0) log.error('audit.lost', { lines: batch.bodies.length, lost });
    },
  };
}

function createBatch(): Batch {
  const written = Promise.withResolvers<void>();
  // Not everybody waits.
  written.promise.catch(() => {});
  return { bodies: [], bytes: 0, written };
}

/**
 * Names of resources and permissions hold addresses, and those hold tokens at times. Only the beginning is looked at,
 * with more than is kept, so that no half of a secret stays at the end.
 */
function withoutSecrets(entry: AuditEntry, redactor: Pick<Redactor, 'head'>): AuditEntry {
  const clean = (text: string): string => redactor.head(text.slice(0, 4 * MOST_TEXT), MOST_TEXT);
  return {
    ...entry,
    action: clean(entry.action),
    target: entry.target === null ? null : clean(entry.target),
    client: entry.client === null ? null : clean(entry.client),
    granted: entry.granted.slice(0, MOST_PERMISSIONS).map(clean),
    denied: entry.denied.slice(0, MOST_PERMISSIONS).map(clean),
  };
}

function reasonOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { code, message } = error as NodeJS.ErrnoException;
  return error instanceof WitboxError || code === undefined ? message : `the system says ${code}`;
}
