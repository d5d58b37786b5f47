// Bytes of messages per flow and day, in UTC. The day never goes back, so that a clock set back does not give a second
// quota. What was counted can be taken out and given to the next: a restart gives none either.

const DAY_MS = 86_400_000;
const MOST_FLOWS = 65_536;

/** One day's counts. Days are counted from 1970. */
export interface DayOfBytes {
  readonly day: number;
  readonly used: ReadonlyMap<string, number>;
}

export interface DailyBytes {
  /** Adds to today's count. */
  add(flow: string, bytes: number): void;
  /** Milliseconds until the next day if the flow has used `most` or more today; 0 if not. */
  exhausted(flow: string, most: number): number;
  today(): DayOfBytes;
}

export function createDailyBytes(now: () => number, before?: DayOfBytes): DailyBytes {
  const used = new Map(before?.used);
  let day = before?.day ?? 0;
  const turn = (): void => {
    const today = Math.floor(now() / DAY_MS);
    if (today <= day) return;
    day = today;
    used.clear();
  };
  return {
    add(flow, bytes) {
      turn();
      const before = used.get(flow);
      if (before === undefined && used.size >= MOST_FLOWS) used.delete(used.keys().next().value!);
      used.set(flow, (before ?? 0) + bytes);
    },
    exhausted(flow, most) {
      turn();
      return (used.get(flow) ?? 0) < most ? 0 : Math.max(1, (day + 1) * DAY_MS - now());
    },
    today: () => ({ day, used }),
  };
}
