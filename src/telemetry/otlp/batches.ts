// Spans on their way to a collector: gathered, sent together one batch after the other, tried again where the collector
// says that this may help. Never holds up a call: what finds no place is dropped and counted.

import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from '../../core/log.ts';
import { encodeSpans, type FinishedSpan } from './encode.ts';
import type { TraceSettings } from './environment.ts';
import { createPost } from './post.ts';

export interface Batches {
  add(span: FinishedSpan): void;
  readonly figures: { readonly exported: number; readonly dropped: number };
  /** Settles when all that was added has been taken or given up. */
  flush(): Promise<void>;
  /** Sends what is left, without trying again, and takes no more. */
  close(): Promise<void>;
}

export interface BatchDeps {
  readonly log: Logger;
  readonly version: string;
  readonly retryMs?: number;
}

const AGAIN: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const MOST_ATTEMPTS = 4;
const TELL_EVERY_MS = 60_000;
/** A server that stops does not wait longer for a collector. */
const CLOSE_MS = 3_000;
const compress = promisify(gzip);

export function createBatches(settings: TraceSettings, deps: BatchDeps): Batches {
  const { batch, headers, resource } = settings;
  const post = createPost(settings.endpoint);
  let queue: FinishedSpan[] = [];
  let timer: NodeJS.Timeout | null = null;
  let sending: Promise<void> | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;
  const closing = new AbortController();
  const figures = { exported: 0, dropped: 0 };

  const drop = (count: number, reason: string): void => {
    figures.dropped += count;
    if (performance.now() - toldAt < TELL_EVERY_MS) return;
    toldAt = performance.now();
    deps.log.warn('spans dropped', { reason, dropped: figures.dropped });
  };

  const attempt = async (
    spans: readonly FinishedSpan[],
    body: Buffer,
    left: number,
  ): Promise<number | null> => {
    const type = { 'Content-Type': 'application/json' };
    const encoding: Record<string, string> = settings.gzip ? { 'Content-Encoding': 'gzip' } : {};
    const {
      status,
      body: text,
      retryAfter,
    } = await post.send(
      body,
      { ...headers, ...type, ...encoding },
      Math.max(1, Math.min(settings.timeoutMs, left)),
    );
    if (AGAIN.has(status)) return (retryAfter ?? 0) * 1_000;
    if (status < 200 || status > 299) drop(spans.length, `The collector answered with status ${status}`);
    else {
      const rejected = Math.min(spans.length, rejectedSpans(text));
      figures.exported += spans.length - rejected;
      if (rejected > 0) drop(rejected, 'The collector rejected some');
    }
    return null;
  };

  const send = async (spans: readonly FinishedSpan[]): Promise<void> => {
    const json = Buffer.from(encodeSpans(spans, { resource, version: deps.version }));
    const body = settings.gzip ? await compress(json) : json;
    const end = performance.now() + batch.timeoutMs;
    let reason = 'The collector is busy';
    for (let tried = 0; tried < MOST_ATTEMPTS; tried += 1) {
      let wait: number | null;
      try {
        wait = await attempt(spans, body, end - performance.now());
        if (wait === null) return;
      } catch (error) {
        wait = 0;
        reason = `The collector cannot be reached: ${(error as NodeJS.ErrnoException).code ?? 'no answer'}`;
      }
      const pause = Math.max(wait, (deps.retryMs ?? 1_000) * 2 ** tried);
      if (closing.signal.aborted || performance.now() + pause > end) break;
      await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => {});
    }
    drop(spans.length, reason);
  };

  const pump = async (): Promise<void> => {
    while (queue.length > 0) {
      const spans = queue.slice(0, batch.size);
      queue = queue.slice(batch.size);
      await send(spans).catch(() => drop(spans.length, 'They could not be encoded'));
    }
    sending = null;
  };
  const start = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    sending ??= pump();
    return sending;
  };

  return {
    figures,
    add(span) {
      if (closing.signal.aborted || queue.length >= batch.queue) {
        drop(1, 'The queue is full');
        return;
      }
      queue.push(span);
      if (queue.length >= batch.size) void start();
      else timer ??= setTimeout(() => void start(), batch.delayMs).unref();
    },
    flush: start,
    async close() {
      closing.abort();
      await Promise.race([start(), sleep(CLOSE_MS, undefined, { ref: false })]);
      post.close();
    },
  };
}

/** Of an ExportTracePartialSuccess; a collector that says nothing took all. */
function rejectedSpans(text: string): number {
  try {
    const answer = JSON.parse(text) as { partialSuccess?: { rejectedSpans?: string | number } } | null;
    const count = Number(answer?.partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(count) && count > 0 ? count : 0;
  } catch {
    return 0;
  }
}
