// One watch on the catalogue, told on to everybody who listens: sessions of older revisions, subscriptions/listen
// streams of newer ones. Changes of one turn are told once, so that loading a component with 50 tools is one notice.

import type { Catalog, CatalogChange } from '../catalog/catalog.ts';
import type { Caller } from '../core/caller.ts';

/** A change as the notification that tells it. */
interface ChangeNotice {
  readonly method: string;
  readonly change: CatalogChange;
}

const METHODS = {
  tools: 'notifications/tools/list_changed',
  prompts: 'notifications/prompts/list_changed',
  resources: 'notifications/resources/list_changed',
  resource: 'notifications/resources/updated',
} as const;

export interface Changes {
  watch(listener: (notice: ChangeNotice) => void): () => void;
  /** Whether this caller may know of it: to be asked before anybody is told. */
  sees(caller: Caller, change: CatalogChange): boolean;
  close(): void;
}

export function createChanges(catalog: Catalog): Changes {
  const listeners = new Set<(notice: ChangeNotice) => void>();
  const waiting = new Map<string, CatalogChange>();
  const tell = (): void => {
    const changes = [...waiting.values()];
    waiting.clear();
    for (const change of changes) {
      for (const listener of [...listeners]) listener({ method: METHODS[change.kind], change });
    }
  };
  const stop = catalog.watch((change) => {
    if (waiting.size === 0) setImmediate(tell);
    waiting.set(change.kind === 'resource' ? `resource ${change.uri}` : change.kind, change);
  });
  return {
    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    sees: (caller, change) => catalog.sees?.(caller, change) ?? true,
    close() {
      stop();
      listeners.clear();
    },
  };
}
