// What is loaded right now: the components of the data directory, kept in step with it, and those given for this run
// only. Loading and unloading while calls run is safe: a call keeps the component it started with.

import { WitboxError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';
import { EMPTY_DOCUMENT } from '../policy/edit.ts';
import { EMPTY_POLICY, type Policy } from '../policy/policy.ts';
import { digestOf } from '../store/blobs.ts';
import type { StoredComponent } from '../store/catalogue-file.ts';
import { componentIdFor } from '../store/component-id.ts';
import type { Secrets } from '../store/secrets/secrets.ts';
import type { FetchedComponent } from '../store/source/source.ts';
import type { Store } from '../store/store.ts';
import { type Component, type ComponentDeps, type ComponentSpec, openComponent } from './component.ts';

export interface ComponentsDeps extends ComponentDeps {
  readonly store: Store;
  readonly log: Logger;
  /** Where secrets of stored components come from; without it there are none. */
  readonly secrets?: Pick<Secrets, 'of'>;
}

export interface Components {
  /** Those of this run first, then the stored ones by age: the order decides who keeps a name. */
  list(): readonly Component[];
  get(id: string): Component | undefined;
  /** Throws what would keep these bytes from being loaded; changes nothing. */
  probe(fetched: FetchedComponent): Promise<void>;
  /** Loads for this run, without storing. */
  add(fetched: FetchedComponent, options?: AddOptions): Promise<Component>;
  /** Forgets one that was added. */
  remove(id: string): void;
  /** Brings the list in step with the data directory; settles when that is done. */
  reconcile(): Promise<void>;
  /** Why stored components are not loaded, by id. */
  problems(): ReadonlyMap<string, string>;
  watch(listener: (change: ComponentsChange) => void): () => void;
  close(): void;
}

export interface AddOptions {
  readonly instance?: 'call' | 'session';
  readonly policy?: { readonly parsed: Policy; readonly text: string };
}

export type ComponentsChange =
  | { readonly kind: 'list' }
  | { readonly kind: 'policy' | 'call' | 'resources'; readonly id: string }
  | { readonly kind: 'resource'; readonly uri: string };

export function createComponents(deps: ComponentsDeps): Components {
  const { store, log } = deps;
  const local = new Map<string, Component>();
  const stored = new Map<string, Component>();
  const problems = new Map<string, string>();
  const policies = new Map<string, string>();
  const listeners = new Set<(change: ComponentsChange) => void>();
  let running: Promise<void> = Promise.resolve();
  let closed = false;

  const tell = (change: ComponentsChange): void => {
    for (const listener of listeners) listener(change);
  };
  const opening: ComponentDeps = {
    ...deps,
    onEvent: (id, event) =>
      tell(
        event.kind === 'tools'
          ? { kind: 'list' }
          : event.kind === 'resource'
            ? event
            : { kind: event.kind, id },
      ),
    onLie: (component, problem) => log.warn('component lies', { component, problem }),
  };

  async function loadStored(entry: StoredComponent): Promise<void> {
    try {
      if (local.has(entry.id)) throw new WitboxError('component-shadowed', { id: entry.id });
      const component = await openComponent(storedSpec(entry, store, deps.secrets), opening);
      if (closed) return component.close();
      stored.get(entry.id)?.close();
      stored.set(entry.id, component);
      problems.delete(entry.id);
      log.info('component loaded', {
        component: entry.id,
        digest: entry.digest,
        tools: component.tools().length,
      });
    } catch (error) {
      problems.set(entry.id, (error as Error).message);
      log.error('component not loaded', { component: entry.id, reason: (error as Error).message });
    }
  }

  async function step(): Promise<void> {
    const wanted = new Map(store.list().map((entry) => [entry.id, entry]));
    let changed = false;
    for (const [id, component] of stored) {
      if (wanted.has(id)) continue;
      component.close();
      stored.delete(id);
      changed = true;
      log.info('component unloaded', { component: id });
    }
    for (const id of problems.keys()) if (!wanted.has(id)) problems.delete(id);
    const due = [...wanted.values()].filter((entry) => isOther(stored.get(entry.id)?.spec, entry));
    await Promise.all(due.map(loadStored));
    if (changed || due.length > 0) tell({ kind: 'list' });
    for (const id of wanted.keys()) {
      const text = store.policyText(id);
      const before = policies.get(id);
      policies.set(id, text);
      if (before !== undefined && before !== text) tell({ kind: 'policy', id });
    }
  }

  function reconcile(): Promise<void> {
    running = running
      .then(() => (closed ? undefined : step()))
      .catch((error: unknown) => {
        log.error('data directory could not be read', { reason: (error as Error).message });
      });
    return running;
  }

  const stop = store.watch(() => void reconcile());

  return {
    list: () => [...local.values(), ...[...stored.values()].sort(byAge)],
    get: (id) => local.get(id) ?? stored.get(id),
    async probe(fetched) {
      (await openComponent(localSpec(fetched.name, fetched, {}), deps)).close();
    },
    async add(fetched, options = {}) {
      // Rules, grants and logs go by the id: never two components under one.
      const isStored = (taken: string): boolean => store.list().some(({ id: other }) => other === taken);
      const id = componentIdFor(fetched.name, (taken) => local.has(taken) || isStored(taken));
      const component = await openComponent(localSpec(id, fetched, options), opening);
      local.set(id, component);
      tell({ kind: 'list' });
      return component;
    },
    remove(id) {
      local.get(id)?.close();
      if (local.delete(id)) tell({ kind: 'list' });
    },
    reconcile,
    problems: () => problems,
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      closed = true;
      stop();
      for (const component of [...local.values(), ...stored.values()]) component.close();
    },
  };
}

function byAge({ spec: a }: Component, { spec: b }: Component): number {
  if (a.loadedAt !== b.loadedAt) return a.loadedAt < b.loadedAt ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}

function isOther(spec: ComponentSpec | undefined, entry: StoredComponent): boolean {
  return (
    spec === undefined || spec.digest !== entry.digest || spec.instance !== (entry.config.instance ?? 'call')
  );
}

function storedSpec(entry: StoredComponent, store: Store, secrets: ComponentsDeps['secrets']): ComponentSpec {
  const sidecar = store.sidecar(entry.id, 'tools');
  /** Grants are given to bytes. Until others are loaded in their place, what was there goes on with nothing granted. */
  const isReplaced = (): boolean => store.get(entry.id).digest !== entry.digest;
  return {
    id: entry.id,
    digest: entry.digest,
    size: entry.size,
    source: entry.source,
    loadedAt: entry.loadedAt,
    instance: entry.config.instance ?? 'call',
    async bytes() {
      const bytes = await store.bytes(entry.id);
      if (!isReplaced()) return bytes;
      throw new WitboxError('component-unusable', { id: entry.id, problem: 'its bytes have been replaced' });
    },
    policy: () => (isReplaced() ? EMPTY_POLICY : store.policy(entry.id)),
    policyText: () => store.policyText(entry.id),
    secrets: async () => (secrets === undefined || isReplaced() ? new Map() : secrets.of(entry.id)),
    ...(sidecar === undefined ? {} : { sidecar }),
  };
}

function localSpec(
  id: string,
  fetched: FetchedComponent,
  { instance = 'call', policy }: AddOptions,
): ComponentSpec {
  return {
    id,
    digest: digestOf(fetched.bytes),
    size: fetched.bytes.byteLength,
    source: fetched.uri,
    loadedAt: '',
    instance,
    bytes: async () => fetched.bytes,
    policy: () => policy?.parsed ?? EMPTY_POLICY,
    policyText: () => policy?.text ?? EMPTY_DOCUMENT,
    ...(fetched.tools === undefined ? {} : { sidecar: fetched.tools }),
  };
}
