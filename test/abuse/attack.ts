// What an attack is: something that is set up against a port, held, and let go. Attacks run in a process of their own,
// which can be stopped or killed like a client that hangs or vanishes.

export interface Target {
  readonly port: number;
  /** How many clients, connections or sessions. */
  readonly count: number;
  /** A credential that is good, for attacks from inside. */
  readonly key: string;
}

export type Tally = Readonly<Record<string, number>>;

export interface Held {
  /** What happened so far, counted. */
  tally(): Tally;
  release(): void;
}

/** Settles when all is set up. */
export type Attack = (target: Target) => Promise<Held>;

/** Runs `work` for 0…count-1, so many at a time. */
export async function inWaves(
  count: number,
  width: number,
  work: (at: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work(next - 1);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}

export function createTally() {
  const counts: Record<string, number> = {};
  return {
    add(what: string): void {
      counts[what] = (counts[what] ?? 0) + 1;
    },
    read: (): Tally => ({ ...counts }),
  };
}
