// What all cells of a broker are doing, for whoever watches them: how many, for which components, how large, and what
// became of those that are gone.

import type { Cell, EndReason } from './cell.ts';
import type { ComponentCells } from './component-cells.ts';
import type { Pool } from './pool.ts';

export interface CellsState {
  /** Empty cells that wait ready. */
  readonly warm: CellGroup;
  readonly components: readonly (CellGroup & {
    readonly component: string;
    readonly calls: number;
    readonly waiting: number;
  })[];
  readonly started: number;
  readonly ended: ReadonlyMap<EndReason, number>;
}

interface CellGroup {
  readonly cells: number;
  /** 0 where the system does not tell. */
  readonly residentBytes: number;
}

export function stateOf(pool: Pool, loaded: Iterable<ComponentCells>): CellsState {
  const owned = new Set<Cell>();
  const components = [...loaded].map(({ id, cells, waiting }) => {
    for (const cell of cells) owned.add(cell);
    const calls = [...cells].reduce((sum, cell) => sum + cell.calls.size, 0);
    return { component: id, calls, waiting, ...group([...cells]) };
  });
  const warm = group([...pool.cells].filter((cell) => !owned.has(cell)));
  return { warm, components, started: pool.started, ended: pool.ended };
}

function group(cells: readonly Cell[]): CellGroup {
  const residentBytes = cells.reduce((sum, cell) => sum + (cell.usage()?.residentBytes ?? 0), 0);
  return { cells: cells.length, residentBytes };
}
