// The counts of a day in the data directory, so that a restart is no way to another quota. Written every few seconds and
// at the end: a server that is killed forgets at most those. Servers that share a data directory count on their own,
// and the one that writes last is remembered.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../core/log.ts';
import { createDailyBytes, type DailyBytes, type DayOfBytes } from './daily-bytes.ts';

export interface KeptBytes extends DailyBytes {
  close(): void;
}

const FILE = 'bytes-of-today.json';
const EVERY_MS = 5_000;

export function openDailyBytes(directory: string, log: Logger, now: () => number = Date.now): KeptBytes {
  const path = join(directory, FILE);
  const bytes = createDailyBytes(now, readDay(path));
  let saved = format(bytes.today());
  let complained = false;

  const save = (): void => {
    const text = format(bytes.today());
    if (text === saved) return;
    try {
      const scratch = `${path}.${process.pid}`;
      writeFileSync(scratch, text, { mode: 0o600 });
      renameSync(scratch, path);
      saved = text;
      complained = false;
    } catch (error) {
      if (!complained) log.warn('bytes of today cannot be kept', { reason: (error as Error).message });
      complained = true;
    }
  };
  const timer = setInterval(save, EVERY_MS);
  timer.unref();
  return {
    ...bytes,
    close() {
      clearInterval(timer);
      save();
    },
  };
}

const format = ({ day, used }: DayOfBytes): string => JSON.stringify({ day, used: [...used] });

/** A file that is missing or broken counts nothing: limits must not keep a server from starting. */
function readDay(path: string): DayOfBytes | undefined {
  try {
    const { day, used } = JSON.parse(readFileSync(path, 'utf8')) as { day: unknown; used: unknown };
    if (!Number.isSafeInteger(day) || !Array.isArray(used)) return undefined;
    const rows = (used as unknown[]).filter(isRow);
    return { day: day as number, used: new Map(rows) };
  } catch {
    return undefined;
  }
}

function isRow(row: unknown): row is [string, number] {
  return Array.isArray(row) && typeof row[0] === 'string' && Number.isSafeInteger(row[1]);
}
