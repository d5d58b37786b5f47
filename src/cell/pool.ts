// All cells of a broker: so many that hold a component, and a few that wait empty. When all places are taken, a
// component without a cell waits for its turn; an idle cell of another gives way at once, a busy one is emptied first.

import { availableParallelism } from 'node:os';
import { Cell } from './cell.ts';
import { endByCrash } from './end/crash.ts';
import { endByShutdown } from './end/shutdown.ts';
import type { LaunchOptions } from './launch.ts';
import type { Reaper } from './reaper.ts';

/** A component as the pool sees it. */
export interface Tenant {
  /** A place is free: ask again. */
  onPlace(): void;
  onRoom(): void;
  onEnd(cell: Cell): void;
  /** Ends a cell that has no call, if there is one. */
  giveIdle(olderThan: number): boolean;
  /** Takes no more calls in one of its cells, which ends when it is empty. */
  giveWay(): void;
  readonly size: number;
}

export interface PoolOptions {
  readonly launch: LaunchOptions;
  readonly reaper: Reaper;
  readonly maxCells: number;
  readonly warm: number;
  readonly idleMs: number;
}

/** Warm cells are made when what is being loaded right now has had time to finish. */
const REFILL_AFTER_MS = 100;

export const CORES = availableParallelism();

export class Pool {
  readonly cells = new Set<Cell>();
  readonly #options: PoolOptions;
  readonly #warm: Cell[] = [];
  readonly #owners = new Map<Cell, Tenant>();
  readonly #waiting = new Set<Tenant>();
  #refill: NodeJS.Timeout | null = null;
  readonly #sweep: NodeJS.Timeout;
  #closed = false;
  #startFailures = 0;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#sweep = setInterval(() => this.#endIdle(), Math.max(10, options.idleMs / 4)).unref();
    this.#fill();
  }

  get warm(): number {
    return this.#warm.length;
  }

  /** A cell for this component, or null: then `onPlace` is called when there is a place. */
  acquire(tenant: Tenant): Cell | null {
    if (this.#closed) return null;
    if (this.#owners.size >= this.#options.maxCells) {
      this.#waiting.add(tenant);
      this.#makePlace(tenant);
      return null;
    }
    const cell = this.#warm.shift() ?? this.#spawn();
    this.#owners.set(cell, tenant);
    this.#fillLater();
    return cell;
  }

  /** Whether components wait: then nobody grows. */
  get crowded(): boolean {
    return this.#waiting.size > 0;
  }

  leave(tenant: Tenant): void {
    this.#waiting.delete(tenant);
  }

  close(): void {
    this.#closed = true;
    if (this.#refill !== null) clearTimeout(this.#refill);
    clearInterval(this.#sweep);
    for (const cell of [...this.cells]) cell.end(endByShutdown);
    this.#options.reaper.close();
  }

  #spawn(): Cell {
    const cell: Cell = new Cell(this.#options.launch, this.#options.reaper, {
      onRoom: () => this.#owners.get(cell)?.onRoom(),
      onEnd: () => this.#ended(cell),
    });
    this.cells.add(cell);
    cell.whenReady().then(
      () => {
        this.#startFailures = 0;
      },
      () => this.#startFailures++,
    );
    return cell;
  }

  #ended(cell: Cell): void {
    this.cells.delete(cell);
    const owner = this.#owners.get(cell);
    this.#owners.delete(cell);
    const index = this.#warm.indexOf(cell);
    if (index >= 0) this.#warm.splice(index, 1);
    if (this.#closed) return;
    // Those who wait come first; the owner may ask again behind them.
    const [next] = this.#waiting;
    if (owner !== undefined && next !== undefined) {
      this.#waiting.delete(next);
      next.onPlace();
    }
    owner?.onEnd(cell);
    this.#fillLater();
  }

  #makePlace(asking: Tenant): void {
    const others = [...new Set(this.#owners.values())].filter((tenant) => tenant !== asking);
    if (others.some((tenant) => tenant.giveIdle(0))) return;
    const [largest] = others.sort((a, b) => b.size - a.size);
    largest?.giveWay();
  }

  #fillLater(): void {
    if (this.#closed || this.#warm.length >= this.#options.warm) return;
    this.#refill ??= setTimeout(
      () => {
        this.#refill = null;
        this.#fill();
      },
      REFILL_AFTER_MS * 2 ** Math.min(this.#startFailures, 8),
    ).unref();
  }

  #fill(): void {
    while (!this.#closed && this.#warm.length < this.#options.warm) {
      const cell = this.#spawn();
      if (cell.state === 'ended') return;
      this.#warm.push(cell);
    }
  }

  #endIdle(): void {
    for (const tenant of new Set(this.#owners.values())) {
      while (tenant.giveIdle(this.#options.idleMs));
    }
  }
}

/** An idle cell has no calls to tell. */
export const endIdle = endByCrash('it was idle');
