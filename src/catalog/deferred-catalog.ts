// A catalogue that is still being opened: a server can greet its client before the first component is found. Whoever
// lists or calls waits for `ready`, as for any catalogue; until then there is nothing in it.

import type { Catalog, CatalogChange, Listing } from './catalog.ts';

const NOTHING: Listing<never> = { version: 'opening', items: [] };

export function deferCatalog(opening: Promise<Catalog>): Catalog {
  let opened: Catalog | null = null;
  const listeners = new Map<(change: CatalogChange) => void, () => void>();
  const ready = opening.then((catalog) => {
    opened = catalog;
    for (const listener of listeners.keys()) listeners.set(listener, catalog.watch(listener));
    return catalog.ready?.();
  });
  // Told to whoever waits; nobody waiting is no reason to end the process.
  ready.catch(() => {});

  return {
    ready: () => ready,
    tools: (caller) => opened?.tools(caller) ?? NOTHING,
    tool: (caller, name) => opened?.tool(caller, name),
    callTool: async (call, context) => (await opening).callTool(call, context),
    resources: (caller) => opened?.resources(caller) ?? NOTHING,
    resourceTemplates: (caller) => opened?.resourceTemplates(caller) ?? NOTHING,
    readResource: async (read, context) => (await opening).readResource(read, context),
    prompts: (caller) => opened?.prompts(caller) ?? NOTHING,
    getPrompt: async (get, context) => (await opening).getPrompt(get, context),
    complete: async (reference, argument, known, context) =>
      (await opening).complete(reference, argument, known, context),
    owner: (kind, key) => opened?.owner(kind, key),
    missed: (tool, context) => opened?.missed?.(tool, context),
    sees: (caller, change) => opened?.sees?.(caller, change) ?? true,
    endSession: (session) => opened?.endSession?.(session),
    watch(listener) {
      listeners.set(listener, opened?.watch(listener) ?? (() => {}));
      return () => {
        listeners.get(listener)?.();
        listeners.delete(listener);
      };
    },
  };
}
