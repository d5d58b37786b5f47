// Puts the parts together: data directory, cells, loaded components, the catalogue over them. Used by everything that
// runs components: `serve`, `tool`, `policy learn`.

import type { Catalog } from '../catalog/catalog.ts';
import { type Components, createComponents } from '../catalog/components.ts';
import { createLocalCatalog } from '../catalog/local-catalog.ts';
import { type Cells, createCells } from '../cell/cells.ts';
import type { Logger } from '../core/log.ts';
import { fetchComponent } from '../store/source/source.ts';
import type { Store } from '../store/store.ts';
import type { Io } from './command.ts';
import { openStore } from './open-store.ts';

export interface BrokerOptions {
  readonly dataDir: string | undefined;
  /** Paths or addresses of components for this run only. */
  readonly components: readonly string[];
  /** Leave the data directory's components alone. */
  readonly onlyThese?: boolean;
  readonly manage: boolean;
  readonly grant: boolean;
  readonly log: Logger;
}

export interface Broker {
  readonly store: Store;
  readonly cells: Cells;
  readonly components: Components;
  readonly catalog: Catalog;
  /** Rejects when a component that was asked for by name cannot be loaded. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

export async function openBroker(options: BrokerOptions, io: Io): Promise<Broker> {
  const { log, manage, grant } = options;
  const store = await openStore(options.dataDir, io);
  const cells = await createCells();
  const components = createComponents({
    cells,
    store,
    log: log.area('catalog'),
    env: io.env,
    keyvalueDir: `${store.directory}/keyvalue`,
    now: () => new Date(),
  });
  const ready = loadAll(components, options);
  // Whoever waits for it gets the error; nobody waiting is no reason to end the process.
  ready.catch(() => {});
  const catalog = createLocalCatalog(
    { store, components, directory: process.cwd(), ready },
    { manage, grant },
  );
  return {
    store,
    cells,
    components,
    catalog,
    ready,
    async close() {
      components.close();
      await cells.close();
    },
  };
}

async function loadAll(
  components: Components,
  { components: references, onlyThese }: BrokerOptions,
): Promise<void> {
  const stored = onlyThese ? Promise.resolve() : components.reconcile();
  for (const reference of references) {
    await components.add(await fetchComponent(reference, { directory: process.cwd() }));
  }
  await stored;
}
