// Cells as the catalogue uses them: load a component, call its functions, get an outcome. The arguments and the result
// are JSON text that the broker passes on without looking inside; what a guest may do is the `host` given with a call.
// A call never throws for what its guest does; it throws for what its caller must know: no such function, too many.

import { WitboxError } from '../core/errors.ts';
import type { ActiveCall, CallHost } from './active-call.ts';
import { settle } from './active-call.ts';
import { ComponentCells } from './component-cells.ts';
import type { Description } from './description.ts';
import { cancel, cancelled } from './end/cancel.ts';
import { endByShutdown } from './end/shutdown.ts';
import { findLayers, type Layers } from './layers.ts';
import { type CallLimits, DEFAULT_CALL_LIMITS } from './limits.ts';
import type { Outcome } from './outcome.ts';
import { ownProgram, type Program } from './own-program.ts';
import { CORES, Pool } from './pool.ts';
import { createReaper, NO_REAPER } from './reaper.ts';
import { type CellsState, stateOf } from './state.ts';
import { createWatch } from './watch.ts';

export interface CellsOptions {
  /** Cells that hold a component, all components together. */
  readonly maxCells?: number;
  readonly cellsPerComponent?: number;
  /** Empty cells that wait ready. */
  readonly warm?: number;
  /** A cell without calls ends after this. */
  readonly idleMs?: number;
  /** Calls of one caller that may wait for one component. */
  readonly queue?: number;
  /** Sessions of one component that keep an instance; the one that was idle longest gives way. */
  readonly sessions?: number;
  readonly window?: number;
  readonly concurrent?: number;
  readonly heapMb?: number;
  /** The most that any component's limits may say. */
  readonly maxMemoryBytes?: number;
  /** Found by trying if left out. */
  readonly layers?: Layers;
  readonly node?: string;
  /** What runs in a cell, and the folders it may read: Witbox's own program, or an attacker's in tests. */
  readonly program?: Program;
}

interface ComponentSource {
  readonly id: string;
  /** A function is asked again for every new cell, so that the broker need not keep the bytes. */
  readonly bytes: Uint8Array | (() => Uint8Array | Promise<Uint8Array>);
  readonly limits?: Partial<CallLimits>;
  readonly instance?: 'fresh' | 'session';
}

interface CallOptions {
  /** Answers what the guest asks during this call; what it holds open ends with the call. */
  readonly host: () => CallHost;
  readonly signal?: AbortSignal;
  readonly limits?: Partial<CallLimits>;
  /** For components with `instance: 'session'`: calls with the same name share an instance. */
  readonly session?: string;
  /** Whose call it is: where calls wait, callers take turns. */
  readonly flow?: string;
}

export interface Loaded {
  readonly id: string;
  readonly description: Description;
  /** `path` as in the description; `args` is an object by parameter name. */
  call(path: readonly string[], args: unknown, options: CallOptions): Promise<Outcome>;
  endSession(session: string): void;
  unload(): void;
}

interface CellsStats {
  readonly cells: number;
  readonly warm: number;
  readonly calls: number;
  readonly waiting: number;
  readonly pids: readonly number[];
}

export interface Cells {
  readonly layers: Layers;
  load(source: ComponentSource): Promise<Loaded>;
  stats(): CellsStats;
  /** For whoever watches: reads the memory of every cell. */
  state(): CellsState;
  close(): Promise<void>;
}

const MOST_ID = 2 ** 32;

/**
 * Without namespaces a cell that was taken over can signal its broker, and SIGUSR1 makes Node open a debugger to anyone
 * on this machine. A listener keeps it from that.
 */
function shieldFromDebugger(): () => void {
  const ignore = (): void => {};
  process.on('SIGUSR1', ignore);
  return () => process.off('SIGUSR1', ignore);
}

export async function createCells(options: CellsOptions = {}): Promise<Cells> {
  const layers = options.layers ?? (await findLayers(options.node));
  const pool = new Pool({
    launch: {
      node: options.node ?? process.execPath,
      layers,
      ...(options.program ?? ownProgram('main')),
      heapMb: options.heapMb ?? 256,
      memoryBytes: options.maxMemoryBytes ?? 2 ** 32,
    },
    reaper: layers.parentDeath || process.platform === 'win32' ? NO_REAPER : createReaper(),
    maxCells: options.maxCells ?? Math.max(8, CORES * 2),
    warm: options.warm ?? 1,
    idleMs: options.idleMs ?? 60_000,
  });
  const watch = createWatch(pool.cells);
  const unshield = shieldFromDebugger();
  const loaded = new Set<ComponentCells>();
  let lastId = 0;
  let closed = false;

  const load = async (source: ComponentSource): Promise<Loaded> => {
    if (closed) throw new WitboxError('cells-closed');
    const { id, bytes } = source;
    const limits = { ...DEFAULT_CALL_LIMITS, ...source.limits };
    const cells = new ComponentCells(
      {
        id,
        bytes: typeof bytes === 'function' ? bytes : () => bytes,
        memoryBytes: limits.memoryBytes,
        maxCells: options.cellsPerComponent ?? CORES,
        // More than one client may have in flight, so that a single one never sees it.
        queue: options.queue ?? 4096,
        sessions: options.sessions ?? 256,
        window: options.window ?? 32,
        concurrent: options.concurrent ?? 64,
      },
      pool,
      watch,
    );
    loaded.add(cells);
    const description = await cells.open().catch((error: unknown) => {
      loaded.delete(cells);
      throw error instanceof WitboxError && error.code === 'cell-load'
        ? new WitboxError('cell-load', { ...error.details, component: id })
        : error;
    });
    pool.press();
    const functions = new Map(description.functions.map(({ path }, index) => [path.join('\n'), index]));

    return {
      id,
      description,
      call(path, args, { host, signal, limits: own, session = '', flow = '' }) {
        const func = functions.get(path.join('\n'));
        if (func === undefined) {
          throw new WitboxError('cell-unknown-function', { component: id, name: path.join(' ') });
        }
        const key = source.instance === 'session' ? session : '';
        return new Promise((resolve, reject) => {
          lastId = (lastId + 1) % MOST_ID;
          const call: ActiveCall = {
            id: lastId,
            func,
            args: JSON.stringify(args ?? {}),
            session: key,
            flow,
            turn: 0,
            host: host(),
            limits: own === undefined ? limits : { ...limits, ...own, memoryBytes: limits.memoryBytes },
            requests: new Set(),
            startedAt: 0,
            asked: false,
            cpuMs: 0,
            settled: false,
            resolve(outcome) {
              signal?.removeEventListener('abort', stop);
              resolve(outcome);
            },
          };
          const stop = (): void => {
            const cell = cells.withdraw(call) ? undefined : cells.cellOf(call);
            if (cell === undefined) settle(call, cancelled());
            else cancel(cell, call);
          };
          if (signal?.aborted) {
            settle(call, cancelled());
            return;
          }
          signal?.addEventListener('abort', stop, { once: true });
          try {
            cells.submit(call);
          } catch (error) {
            signal?.removeEventListener('abort', stop);
            void call.host.close().catch(() => {});
            reject(error);
          }
        });
      },
      endSession: (session) => cells.forget(session),
      unload() {
        loaded.delete(cells);
        cells.close((call) => settle(call, endByShutdown(call)));
      },
    };
  };

  return {
    layers,
    load,
    stats: () => ({
      cells: [...loaded].reduce((sum, { size }) => sum + size, 0),
      warm: pool.warm,
      calls: [...pool.cells].reduce((sum, { calls }) => sum + calls.size, 0),
      waiting: [...loaded].reduce((sum, { waiting }) => sum + waiting, 0),
      pids: [...pool.cells].flatMap(({ pid }) => pid ?? []),
    }),
    state: () => stateOf(pool, loaded),
    async close() {
      closed = true;
      watch.close();
      for (const cells of loaded) cells.close((call) => settle(call, endByShutdown(call)));
      loaded.clear();
      pool.close();
      unshield();
    },
  };
}
