// Hearing of changes, alike at every revision: up to 2025-11-25 servers tell list changes unasked and resources are
// subscribed to one by one; in 2026-07-28 one listening request names it all. What was asked for is asked again after
// a connection was opened anew.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import type { Link } from './link.ts';

const RELISTEN_MS = 1_000;

export interface Wanted {
  /** Addresses of resources. */
  readonly resources?: readonly string[];
  /** Lists that may change. */
  readonly lists?: readonly ListName[];
}

export type ListName = 'tools' | 'prompts' | 'resources';

export type Change =
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'list'; readonly list: ListName };

export interface Subscription {
  close(): Promise<void>;
}

export interface Changes {
  /** Hears what a client is told; for every connection anew. */
  prepare(client: Client): void;
  subscribe(link: Link, wanted: Wanted, onChange: (change: Change) => void): Promise<Subscription>;
}

export function createChanges(timeoutMs: number): Changes {
  const listeners = new Set<(change: Change) => void>();
  const tell = (change: Change): void => {
    for (const listener of listeners) listener(change);
  };

  return {
    prepare(client) {
      client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
        tell({ kind: 'resource', uri: params.uri }),
      );
      for (const list of ['tools', 'prompts', 'resources'] as const) {
        client.setNotificationHandler(`notifications/${list}/list_changed`, () =>
          tell({ kind: 'list', list }),
        );
      }
    },

    async subscribe(link, wanted, onChange) {
      const { resources = [], lists = [] } = wanted;
      const listener = (change: Change): void => {
        const asked =
          change.kind === 'list'
            ? lists.includes(change.list)
            : resources.some((uri) => change.uri === uri || change.uri.startsWith(`${uri}/`));
        if (asked) onChange(change);
      };
      listeners.add(listener);
      const ended = new AbortController();
      let stop = await begin();
      const forget = link.onReopen(() => {
        begin().then(
          (again) => {
            stop = again;
          },
          () => {},
        );
      });
      return {
        async close() {
          ended.abort();
          forget();
          listeners.delete(listener);
          await stop().catch(() => {});
        },
      };

      async function begin(): Promise<() => Promise<void>> {
        const run = { timeoutMs, signal: ended.signal };
        if (link.client.getProtocolEra() === 'modern') return listen();
        for (const uri of resources)
          await link.run('resources/subscribe', run, (client) => client.subscribeResource({ uri }));
        return async () => {
          for (const uri of resources) await link.client.unsubscribeResource({ uri });
        };
      }

      async function listen(): Promise<() => Promise<void>> {
        const filter = {
          ...(resources.length > 0 && { resourceSubscriptions: [...resources] }),
          ...(lists.includes('tools') && { toolsListChanged: true }),
          ...(lists.includes('prompts') && { promptsListChanged: true }),
          ...(lists.includes('resources') && { resourcesListChanged: true }),
        };
        const open = (): Promise<McpSubscription> =>
          link.run('subscriptions/listen', { timeoutMs }, (client) => client.listen(filter));
        let current = await open();
        const relisten = async (): Promise<void> => {
          while ((await current.closed) === 'remote' && !ended.signal.aborted) {
            await sleep(RELISTEN_MS, undefined, { signal: ended.signal });
            current = await open();
          }
        };
        relisten().catch(() => {});
        return () => current.close();
      }
    },
  };
}
