// All cells of a broker: so many that hold a component, and a few that wait empty. When all places are taken, a
// component without a cell waits for its turn; an idle cell of another gives way at once, a busy one is emptied first.

import { availableParallelism } from 'node:os';
import { WitboxError } from '../core/errors.ts';
import type { ActiveCall } from './active-call.ts';
import { Cell, type EndReason } from './cell.ts';
import { endByCrash } from './end/crash.ts';
import { endByShutdown } from './end/shutdown.ts';
import type { LaunchOptions } from './launch.ts';
import type { Reaper } from './reaper.ts';

/** A component as the pool sees it. */
export interface Tenant {
  /** Cells that hold the component, and how many of them are being emptied. */
  readonly size: number;
  readonly leaving: number;
  onRoom(): void;
  onComputed(ms: number): void;
  onEnd(cell: Cell, unstarted: readonly ActiveCall[]): void;
  /** Ends a cell that has had no call for this long, if there is one. */
  giveIdle(olderThan: number): boolean;
  /** Sends no more calls to one of its cells, which ends when it is empty. */
  giveWay(): void;
}

/** A tenant that waits for a place. */
interface Ticket {
  readonly tenant: Tenant;
  readonly grant: PromiseWithResolvers<Cell>;
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
  /** Cells ever started, and why those that are gone ended. */
  started = 0;
  readonly ended = new Map<EndReason, number>();
  readonly #options: PoolOptions;
  readonly #warm: Cell[] = [];
  readonly #owners = new Map<Cell, Tenant>();
  #waiting: Ticket[] = [];
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

  /** Whether components wait: then nobody grows. */
  get crowded(): boolean {
    return this.#waiting.length > 0;
  }

  /** A cell for this component, at once or when its turn has come. */
  acquire(tenant: Tenant): Promise<Cell> {
    const grant = Promise.withResolvers<Cell>();
    this.#waiting.push({ tenant, grant });
    this.#admit();
    this.press();
    return grant.promise;
  }

  /** While some wait, others make place: idle cells at once, busy ones after the calls they have. */
  press(): void {
    if (this.#waiting.length === 0) return;
    const tenants = [...new Set(this.#owners.values())];
    const leaving = tenants.reduce((sum, tenant) => sum + tenant.leaving, 0);
    if (leaving >= this.#waiting.length || tenants.some((tenant) => tenant.giveIdle(0))) return;
    tenants.sort((a, b) => b.size - b.leaving - (a.size - a.leaving))[0]?.giveWay();
  }

  leave(tenant: Tenant): void {
    const [gone, left] = [
      this.#waiting.filter((ticket) => ticket.tenant === tenant),
      this.#waiting.filter((ticket) => ticket.tenant !== tenant),
    ];
    this.#waiting = left;
    for (const { grant } of gone) grant.reject(new WitboxError('cells-closed'));
  }

  close(): void {
    this.#closed = true;
    if (this.#refill !== null) clearTimeout(this.#refill);
    clearInterval(this.#sweep);
    for (const { tenant } of this.#waiting) this.leave(tenant);
    for (const cell of [...this.cells]) cell.end(endByShutdown, 'shutdown');
    this.#options.reaper.close();
  }

  #spawn(): Cell {
    const cell: Cell = new Cell(this.#options.launch, this.#options.reaper, {
      onRoom: () => this.#owners.get(cell)?.onRoom(),
      onComputed: (ms) => this.#owners.get(cell)?.onComputed(ms),
      onEnd: (unstarted, why) => this.#ended(cell, unstarted, why),
    });
    this.cells.add(cell);
    this.started++;
    cell.whenReady().then(
      () => {
        this.#startFailures = 0;
      },
      () => this.#startFailures++,
    );
    return cell;
  }

  #ended(cell: Cell, unstarted: readonly ActiveCall[], why: EndReason): void {
    this.cells.delete(cell);
    this.ended.set(why, (this.ended.get(why) ?? 0) + 1);
    const owner = this.#owners.get(cell);
    this.#owners.delete(cell);
    const index = this.#warm.indexOf(cell);
    if (index >= 0) this.#warm.splice(index, 1);
    // Those who wait come first; the owner may ask again behind them.
    if (!this.#closed) this.#admit();
    owner?.onEnd(cell, unstarted);
    this.#fillLater();
  }

  #admit(): void {
    while (this.#waiting.length > 0 && this.#owners.size < this.#options.maxCells) {
      const { tenant, grant } = this.#waiting.shift() as Ticket;
      const cell = this.#warm.shift() ?? this.#spawn();
      this.#owners.set(cell, tenant);
      grant.resolve(cell);
      this.#fillLater();
    }
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
