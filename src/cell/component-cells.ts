// One component and its cells: calls wait, callers in turn, go to the cell with the least to do, and more cells are taken as
// long as all of them are busy and there are places. A cell that ended is replaced at once if it is needed.

import { WitboxError } from '../core/errors.ts';
import { type ActiveCall, settle } from './active-call.ts';
import { CallLine } from './call-line.ts';
import type { Cell } from './cell.ts';
import { type Description, readDescription } from './description.ts';
import { endByShutdown } from './end/shutdown.ts';
import { failure } from './outcome.ts';
import { endIdle, type Pool, type Tenant } from './pool.ts';
import type { Watch } from './watch.ts';

export interface ComponentOptions {
  readonly id: string;
  readonly bytes: () => Uint8Array | Promise<Uint8Array>;
  readonly memoryBytes: number;
  readonly maxCells: number;
  readonly queue: number;
  readonly sessions: number;
  /** Calls sent to one cell that do not wait for the host, so that it always has the next one at hand. */
  readonly window: number;
  /** All calls in one cell, those that wait for the host included. */
  readonly concurrent: number;
}

/** Calls that are busy in each cell before another cell is worth it. */
const GROW_AT = 2;
const MOST_FAILURES = 3;
/** Calls that take longer are long at once, and short again only by and by. */
const LONG_MS = 16;
/** Calls that take this long, those behind them in the cell included, are short. */
const SHORT_MS = 2;
const AVERAGE_OVER = 16;
/** Calls that are looked at for one that can go on. */
const LOOK_AHEAD = 64;

export class ComponentCells implements Tenant {
  readonly #options: ComponentOptions;
  readonly #pool: Pool;
  readonly #watch: Watch;
  readonly #cells = new Set<Cell>();
  readonly #leaving = new Set<Cell>();
  readonly #sessions = new Map<string, Cell>();
  readonly #queue: CallLine;
  #starting = 0;
  #failures = 0;
  /** Moving average of calls that asked nothing of the host. */
  #computedMs = 0;
  /** Before any call has ended or asked for something, nobody knows how long they take. */
  #heard = false;
  #closed = false;

  constructor(options: ComponentOptions, pool: Pool, watch: Watch) {
    this.#options = options;
    this.#queue = new CallLine(options.id, options.queue);
    this.#pool = pool;
    this.#watch = watch;
  }

  get size(): number {
    return this.#cells.size;
  }

  get leaving(): number {
    return this.#leaving.size;
  }

  get id(): string {
    return this.#options.id;
  }

  get cells(): ReadonlySet<Cell> {
    return this.#cells;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Loads the component into a first cell, to know what it is and that it can be loaded at all. */
  async open(): Promise<Description> {
    for (let failures = 1; ; failures++) {
      try {
        return await this.#takeCell();
      } catch (error) {
        // A cell may have died while it waited empty; one that refuses its component will always do so.
        const isStart = error instanceof WitboxError && error.code === 'cell-start';
        if (!isStart || failures >= MOST_FAILURES) throw error;
      }
    }
  }

  submit(call: ActiveCall): void {
    if (this.#closed) throw new WitboxError('cells-closed');
    this.#queue.add(call);
    this.#pump();
  }

  /** Takes a call back that has not been sent yet. */
  withdraw(call: ActiveCall): boolean {
    return this.#queue.remove(call);
  }

  cellOf(call: ActiveCall): Cell | undefined {
    return [...this.#cells].find((cell) => cell.calls.get(call.id) === call);
  }

  forget(session: string): void {
    this.#sessions.get(session)?.forget(session);
    this.#sessions.delete(session);
  }

  close(end: (call: ActiveCall) => void): void {
    this.#closed = true;
    this.#pool.leave(this);
    for (const call of this.#queue.clear()) end(call);
    for (const cell of [...this.#cells]) {
      cell.end((call) => {
        end(call);
        return failure('shutdown', 'The component was unloaded');
      }, 'unloaded');
    }
  }

  onRoom(): void {
    this.#heard = true;
    for (const cell of this.#leaving) if (cell.calls.size === 0) cell.end(endIdle, 'idle');
    if (this.#queue.length > 0) this.#pump();
  }

  onComputed(ms: number): void {
    if (ms > LONG_MS && ms > this.#computedMs) this.#computedMs = ms;
    else this.#computedMs += (ms - this.#computedMs) / AVERAGE_OVER;
  }

  onEnd(cell: Cell, unstarted: readonly ActiveCall[]): void {
    if (this.#closed) for (const call of unstarted) settle(call, endByShutdown(call));
    else this.#queue.putBack(unstarted);
    this.#leaving.delete(cell);
    const was = this.#cells.delete(cell);
    for (const [session, home] of this.#sessions) {
      if (home === cell) this.#sessions.delete(session);
    }
    if (was && this.#queue.length > 0) this.#pump();
  }

  giveIdle(olderThan: number): boolean {
    const now = performance.now();
    for (const cell of this.#cells) {
      if (cell.calls.size > 0 || now - cell.idleSince < olderThan || this.#isHome(cell, olderThan)) continue;
      cell.end(endIdle, 'idle');
      return true;
    }
    return false;
  }

  giveWay(): void {
    const [cell] = [...this.#cells]
      .filter((each) => !this.#leaving.has(each))
      .sort((a, b) => a.busy - b.busy);
    if (cell === undefined) return;
    this.#leaving.add(cell);
    this.onRoom();
  }

  /** A cell that holds sessions is worth keeping as long as it is not old; to others it does not give way. */
  #isHome(cell: Cell, olderThan: number): boolean {
    return olderThan === 0 && [...this.#sessions.values()].includes(cell);
  }

  #pump(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const { index, cell } = next;
      const call = this.#queue.take(index);
      if (call.session !== '') this.#settleIn(call.session, cell);
      cell.start(call);
      this.#watch.wake();
    }
    if (this.#wantsMore()) this.#grow();
  }

  /** Remembers where a session lives, the one used last at the end. */
  #settleIn(session: string, cell: Cell): void {
    this.#sessions.delete(session);
    this.#sessions.set(session, cell);
    if (this.#sessions.size <= this.#options.sessions) return;
    for (const [oldest, home] of this.#sessions) {
      const isUsed = oldest === session || [...home.calls.values()].some((call) => call.session === oldest);
      if (isUsed) continue;
      this.forget(oldest);
      return;
    }
  }

  /** The first call that has somewhere to go: a session that waits for its own cell does not hold up the others. */
  #next(): { readonly index: number; readonly cell: Cell } | null {
    const waiting = new Set<string>();
    for (let index = 0; index < Math.min(this.#queue.length, LOOK_AHEAD); index++) {
      const call = this.#queue.at(index);
      if (waiting.has(call.session)) continue;
      const cell = this.#pick(call);
      if (cell !== null) return { index, cell };
      if (call.session === '') return null;
      waiting.add(call.session);
    }
    return null;
  }

  #pick({ session }: ActiveCall): Cell | null {
    const home = this.#sessions.get(session);
    if (home !== undefined) return this.#hasRoom(home) ? home : null;
    let best: Cell | null = null;
    for (const cell of this.#cells) {
      if (!this.#leaving.has(cell) && this.#hasRoom(cell) && (best === null || cell.busy < best.busy))
        best = cell;
    }
    return best;
  }

  #hasRoom(cell: Cell): boolean {
    return cell.busy < this.#window() && cell.calls.size < this.#options.concurrent;
  }

  /** Short calls go out many at a time, so that no cell waits for the next; long ones must not wait behind each other. */
  #window(): number {
    const { window } = this.#options;
    if (!this.#heard) return Math.min(GROW_AT, window);
    return this.#computedMs <= SHORT_MS
      ? window
      : Math.max(1, Math.floor((window * SHORT_MS) / this.#computedMs));
  }

  #wantsMore(): boolean {
    if (this.#starting > 0 || this.#closed) return false;
    const staying = this.#cells.size - this.#leaving.size;
    if (staying === 0) return this.#queue.length > 0;
    if (staying >= this.#options.maxCells || this.#pool.crowded) return false;
    const enough = Math.min(GROW_AT, this.#window());
    for (const cell of this.#cells) if (!this.#leaving.has(cell) && cell.busy < enough) return false;
    return this.#queue.length > 0 || enough > 1;
  }

  #grow(): void {
    this.#takeCell().then(
      () => {
        this.#failures = 0;
        this.#pump();
        // It has its share now; those who wait come next.
        this.#pool.press();
      },
      (error: unknown) => this.#growFailed(error),
    );
  }

  #growFailed(error: unknown): void {
    if (this.#closed) return;
    if (++this.#failures < MOST_FAILURES || this.#cells.size > 0) {
      this.#pump();
      return;
    }
    this.#failures = 0;
    const queue = this.#queue.clear();
    const reason = error instanceof Error ? error.message : 'unknown';
    for (const call of queue) settle(call, failure('crashed', `No cell could be started: ${reason}`));
  }

  async #takeCell(): Promise<Description> {
    this.#starting++;
    try {
      const cell = await this.#pool.acquire(this);
      try {
        const bytes = await this.#options.bytes();
        const description = readDescription(
          await cell.load({ memoryBytes: this.#options.memoryBytes }, bytes),
        );
        if (this.#closed) throw new WitboxError('cells-closed');
        cell.pure = description.imports.length === 0;
        this.#cells.add(cell);
        return description;
      } catch (error) {
        cell.end(endIdle);
        throw error;
      }
    } finally {
      this.#starting--;
    }
  }
}
