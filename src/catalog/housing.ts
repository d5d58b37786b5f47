// The cells that a component lives in. Memory is capped when a module is compiled, so another limit means other cells:
// calls that run keep the ones they began in, and no call ever runs under another limit than its own.

import type { Loaded } from '../cell/cells.ts';

export interface Housing {
  /** Throws what keeps the component from being loaded under this limit. */
  use<T>(memoryBytes: number, work: (loaded: Loaded) => Promise<T>): Promise<T>;
  endSession(session: string): void;
  /** Ends what runs. */
  close(): void;
}

interface House {
  readonly memoryBytes: number;
  readonly loading: Promise<Loaded>;
  loaded: Loaded | null;
  calls: number;
}

export function createHousing(
  first: Loaded,
  firstBytes: number,
  load: (memoryBytes: number) => Promise<Loaded>,
): Housing {
  const houses = new Set<House>();
  let current: House | null = open(firstBytes, Promise.resolve(first), first);
  let closed = false;

  function open(memoryBytes: number, loading: Promise<Loaded>, loaded: Loaded | null = null): House {
    const house: House = { memoryBytes, loading, loaded, calls: 0 };
    houses.add(house);
    loading.then(
      (ready) => {
        house.loaded = ready;
        if (closed) ready.unload();
      },
      // Whoever waits is told; the next call tries again.
      () => {
        houses.delete(house);
        if (current === house) current = null;
      },
    );
    return house;
  }

  function leaveIfEmpty(house: House): void {
    if (house === current || house.calls > 0 || !houses.delete(house)) return;
    house.loaded?.unload();
  }

  return {
    async use(memoryBytes, work) {
      const before = current;
      const house = before?.memoryBytes === memoryBytes ? before : open(memoryBytes, load(memoryBytes));
      current = house;
      if (before !== null) leaveIfEmpty(before);
      house.calls++;
      try {
        return await work(await house.loading);
      } finally {
        house.calls--;
        leaveIfEmpty(house);
      }
    },
    endSession(session) {
      for (const { loaded } of houses) loaded?.endSession(session);
    },
    close() {
      closed = true;
      for (const { loaded } of houses) loaded?.unload();
      houses.clear();
    },
  };
}
