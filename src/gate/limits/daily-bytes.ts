// Bytes of messages per flow and day, in UTC. Kept in memory: a server that starts again starts its day again. The day
// never goes back, so that a clock set back does not give a second quota.

const DAY_MS = 86_400_000;
const MOST_FLOWS = 65_536;

export interface DailyBytes {
  /** Adds to today's count. */
  add(flow: string, bytes: number): void;
  /** Milliseconds until the next day if the flow has used `most` or more today; 0 if not. */
  exhausted(flow: string, most: number): number;
}

export function createDailyBytes(now: () => number): DailyBytes {
  const used = new Map<string, number>();
  let day = 0;
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
  };
}
