// The data directory: components by content, the catalogue of what is loaded, and beside each component its policy.
// Every change happens under one lock between processes and takes effect by one rename, so that a kill at any moment
// leaves the state before or after it. Readers take no lock and see a change from their next look on.
//
//   catalogue.json              what is loaded
//   blobs/sha256/<hex>          bytes
//   components/<id>/            policy.yaml (grants), requested.yaml (what the author asks for), tools.yaml (sidecar)
//   secrets.json                secrets of components, encrypted

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { WitboxError } from '../core/errors.ts';
import { EMPTY_DOCUMENT } from '../policy/edit.ts';
import { parsePolicy } from '../policy/parse.ts';
import { EMPTY_POLICY, type Policy } from '../policy/policy.ts';
import { createFreshReader, syncDirectory, writeAtomic } from './atomic-file.ts';
import { createBlobs } from './blobs.ts';
import {
  CATALOGUE_FILE,
  type ComponentConfig,
  formatCatalogue,
  parseCatalogue,
  type StoredComponent,
} from './catalogue-file.ts';
import { checkComponentId, componentIdFor } from './component-id.ts';
import { withLock } from './lock.ts';
import type { FetchedComponent } from './source/source.ts';
import { sweep } from './sweep.ts';

interface LoadOptions {
  /** From the source's name if left out. */
  readonly id?: string | undefined;
  readonly config?: ComponentConfig | undefined;
  /** Keep the grants when other bytes come from the same source. Without it new bytes start with nothing granted. */
  readonly keepPolicy?: boolean | undefined;
}

type SidecarName = 'tools' | 'requested';

/** Path in the data directory, and what is to be there. */
type WriteFile = (path: string, data: string) => Promise<void>;

export interface Store {
  readonly directory: string;
  /** Sorted by id. Costs one look at a file unless something has changed. */
  list(): readonly StoredComponent[];
  /** Throws `component-unknown`, as all that take an id do. */
  get(id: string): StoredComponent;
  /** The bytes, checked against the digest. */
  bytes(id: string): Promise<Uint8Array>;
  /** The policy in force now. Throws `policy-invalid` if it was broken by hand. Costs two looks at files. */
  policy(id: string): Policy;
  policyText(id: string): string;
  /** What came with the component: the tools sidecar, or the policy it asks for, which grants nothing. */
  sidecar(id: string, name: SidecarName): string | undefined;
  load(component: FetchedComponent, options?: LoadOptions): Promise<StoredComponent>;
  unload(id: string): Promise<StoredComponent>;
  /** `change` gets the text of the policy and gives the new one, which must parse; else nothing is changed. */
  changePolicy(id: string, change: (text: string) => string): Promise<Policy>;
  /** Runs the action as the only writer; what it writes is there whole or not at all. */
  exclusively<T>(action: (write: WriteFile) => Promise<T>): Promise<T>;
  /** Calls the listener after each change by any process, until the returned function is called. */
  watch(listener: () => void, intervalMs?: number): () => void;
}

/** Touches nothing yet: the directory is made by the first change. */
export function createStore(directory: string, now: () => Date = () => new Date()): Store {
  const scratch = join(directory, 'tmp');
  const catalogue = join(directory, CATALOGUE_FILE);
  const changes = join(directory, 'changes');
  const blobs = createBlobs(directory, scratch);
  const list = createFreshReader(catalogue, parseCatalogue);
  const policies = new Map<string, () => Policy>();
  const fileOf = (id: string, name: string): string => join(directory, 'components', id, `${name}.yaml`);

  const get = (id: string): StoredComponent => {
    const found = list().find((component) => component.id === id);
    if (found) return found;
    throw new WitboxError('component-unknown', { id: JSON.stringify(id.slice(0, 80)).slice(1, -1) });
  };

  const change = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      await mkdir(scratch, { recursive: true, mode: 0o700 });
      await mkdir(join(directory, 'components'), { recursive: true, mode: 0o700 });
      return await withLock(join(directory, 'lock'), async () => {
        await sweep(directory, scratch, list(), blobs);
        const result = await action();
        await writeAtomic(scratch, changes, randomUUID());
        return result;
      });
    } catch (error) {
      throw asUnusable(error, directory);
    }
  };

  const commit = (components: readonly StoredComponent[]): Promise<void> =>
    writeAtomic(scratch, catalogue, formatCatalogue(components));

  return {
    directory,
    list,
    get,
    async bytes(id) {
      const { digest } = get(id);
      return blobs.get(digest).catch((error: unknown) => {
        // Unloaded or replaced between the two looks: then that is what to say or to read.
        const current = get(id).digest;
        if (current !== digest) return blobs.get(current);
        throw error;
      });
    },
    policy(id) {
      get(id);
      let reader = policies.get(id);
      if (!reader) {
        reader = createFreshReader(fileOf(id, 'policy'), (text) =>
          text === undefined ? EMPTY_POLICY : parsePolicy(text, `${id}/policy.yaml`),
        );
        policies.set(id, reader);
      }
      return reader();
    },
    policyText: (id) => readOptional(fileOf(get(id).id, 'policy')) ?? EMPTY_DOCUMENT,
    sidecar: (id, name) => readOptional(fileOf(get(id).id, name)),

    load: (component, options = {}) =>
      change(async () => {
        const known = list();
        const id = chooseId(component, options.id, known);
        const before = known.find((each) => each.id === id);
        const digest = await blobs.put(component.bytes);
        const folder = join(directory, 'components', id);
        await mkdir(folder, { recursive: true, mode: 0o700 });
        // Before the commit: were it after, a kill between the two would leave new bytes with old grants.
        if (before?.digest !== digest && !options.keepPolicy) await rm(fileOf(id, 'policy'), { force: true });
        for (const name of ['tools', 'requested'] as const) {
          const text = component[name];
          if (text === undefined) await rm(fileOf(id, name), { force: true });
          else await writeAtomic(scratch, fileOf(id, name), text);
        }
        await syncDirectory(folder);
        const stored: StoredComponent = {
          id,
          digest,
          size: component.bytes.byteLength,
          source: component.uri,
          loadedAt: now().toISOString(),
          config: options.config ?? before?.config ?? {},
        };
        await commit([...known.filter((each) => each.id !== id), stored]);
        return stored;
      }),

    unload: (id) =>
      change(async () => {
        const gone = get(id);
        await commit(list().filter((each) => each.id !== id));
        await sweep(directory, scratch, list(), blobs);
        policies.delete(id);
        return gone;
      }),

    changePolicy: (id, changeText) =>
      change(async () => {
        const path = fileOf(get(id).id, 'policy');
        const text = changeText(readOptional(path) ?? EMPTY_DOCUMENT);
        const policy = parsePolicy(text, `${id}/policy.yaml`);
        await writeAtomic(scratch, path, text);
        return policy;
      }),

    exclusively: (action) => change(() => action((path, data) => writeAtomic(scratch, path, data))),

    watch(listener, intervalMs = 500) {
      // The catalogue as well: a process may have been killed after its change and before it told of it.
      const files = [changes, catalogue].map((path) => createFreshReader(path, (text) => text ?? ''));
      const look = (): string => files.map((read) => read()).join('\0');
      let last = look();
      const timer = setInterval(() => {
        const next = look();
        if (next === last) return;
        last = next;
        listener();
      }, intervalMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
}

/** The same source keeps its id; an id that belongs to another source is never taken over. */
function chooseId(
  { uri, name }: FetchedComponent,
  wanted: string | undefined,
  known: readonly StoredComponent[],
): string {
  const holder = (id: string) => known.find((each) => each.id === id);
  if (wanted === undefined) {
    return (
      known.find((each) => each.source === uri)?.id ?? componentIdFor(name, (id) => holder(id) !== undefined)
    );
  }
  const other = holder(checkComponentId(wanted))?.source;
  if (other !== undefined && other !== uri)
    throw new WitboxError('component-exists', { source: uri, id: wanted, other });
  return wanted;
}

function readOptional(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** What the system says about a directory that is read-only, full, or no directory at all. */
function asUnusable(error: unknown, directory: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (error instanceof WitboxError || syscall === undefined) return error;
  return new WitboxError('store-unusable', { directory, reason: code }, error);
}
