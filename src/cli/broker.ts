// Puts the parts together: data directory, cells, loaded components, the catalogue over them. Used by everything that
// runs components: `serve`, `tool`, `policy learn`.

import { resolve } from 'node:path';
import type { Catalog } from '../catalog/catalog.ts';
import { type Components, createComponents } from '../catalog/components.ts';
import { type WatchedFolder, watchFolder } from '../catalog/folder.ts';
import { createLocalCatalog } from '../catalog/local-catalog.ts';
import { type Cells, createCells } from '../cell/cells.ts';
import type { Logger } from '../core/log.ts';
import type { SecretKeyOptions } from '../core/secret-key-options.ts';
import { keySource } from '../store/secrets/key-source.ts';
import { createSecrets } from '../store/secrets/secrets.ts';
import { fetchComponent } from '../store/source/source.ts';
import type { Store } from '../store/store.ts';
import type { Io } from './command.ts';
import { grantableEnvironment, hideEnvironment } from './open-secrets.ts';
import { openStore } from './open-store.ts';

export interface BrokerOptions {
  readonly dataDir: string | undefined;
  /** Paths or addresses of components for this run only. */
  readonly components: readonly string[];
  /** Folders whose .wasm files are served as they come and go. */
  readonly folders?: readonly string[];
  /** Leave the data directory's components alone. */
  readonly onlyThese?: boolean;
  readonly manage: boolean;
  readonly grant: boolean;
  readonly log: Logger;
  /** Where the key of the secrets is; the environment or a file in the data directory if nothing is said. */
  readonly secretKey?: SecretKeyOptions | undefined;
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
  const { redactor } = io;
  const store = await openStore(options.dataDir, io);
  const secrets = createSecrets({
    store,
    key: keySource(options.secretKey ?? null, { env: io.env, dataDir: store.directory }),
    redactor,
    log: log.area('secrets'),
  });
  hideEnvironment(io.env, redactor);
  await secrets.prepare();
  const cells = await createCells();
  const components = createComponents({
    cells,
    store,
    log: log.area('catalog'),
    env: grantableEnvironment(io.env, options.secretKey ?? null),
    secrets,
    redactor,
    keyvalueDir: `${store.directory}/keyvalue`,
    now: () => new Date(),
  });
  const watched: WatchedFolder[] = [];
  const ready = loadAll(components, options, watched);
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
      for (const folder of watched) folder.close();
      components.close();
      await cells.close();
    },
  };
}

async function loadAll(
  components: Components,
  { components: references, folders = [], onlyThese, log }: BrokerOptions,
  watched: WatchedFolder[],
): Promise<void> {
  const stored = onlyThese ? Promise.resolve() : components.reconcile();
  for (const reference of references) {
    await components.add(await fetchComponent(reference, { directory: process.cwd() }));
  }
  for (const folder of folders)
    watched.push(await watchFolder(resolve(folder), components, log.area('catalog')));
  await stored;
}
