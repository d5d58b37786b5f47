// subscriptions/listen: one request that stays open and carries the notices its client asked for, acknowledged first,
// each tagged with the id of the request (2026-07-28, patterns/subscriptions). Ends when the request is cancelled,
// or with a proper result when the server stops.

import type { CatalogChange } from '../catalog/catalog.ts';
import { type JsonObject, own } from '../core/json.ts';
import type { Changes } from './changes.ts';
import { callContext, taskOwner } from './context.ts';
import type { Request, Result } from './dialect.ts';
import { objectParam, wrong } from './params.ts';
import type { Tasks } from './tasks.ts';

const ID = 'io.modelcontextprotocol/subscriptionId';
const MAX_ENTRIES = 1_000;

export interface ListenDeps {
  readonly changes: Changes;
  readonly tasks: Tasks;
  /** Aborts when the server stops. */
  readonly closing: AbortSignal;
}

interface Filter {
  readonly shown: JsonObject;
  wants(change: CatalogChange): boolean;
  readonly taskIds: ReadonlySet<string>;
}

export function listenMethods({ changes, tasks, closing }: ListenDeps) {
  const listen = async (request: Request): Promise<Result> => {
    const filter = readFilter(request, tasks);
    const tag = { _meta: { [ID]: request.id } };
    request.notify('notifications/subscriptions/acknowledged', { ...tag, notifications: filter.shown });
    const stops = [
      changes.watch(({ method, change }) => {
        if (!filter.wants(change) || !changes.sees(request.caller, change)) return;
        request.notify(method, change.kind === 'resource' ? { ...tag, uri: change.uri } : tag);
      }),
      tasks.watch((owner, task) => {
        if (owner !== taskOwner(request) || !filter.taskIds.has(task.id)) return;
        request.notify('notifications/tasks', { ...request.dialect.tasks!.shown(task), ...tag });
      }),
    ];
    try {
      await aborted(AbortSignal.any([request.signal, closing]));
    } finally {
      for (const stop of stops) stop();
    }
    return request.dialect.seal(request.method, tag);
  };
  return { 'subscriptions/listen': listen };
}

function readFilter(request: Request, tasks: Tasks): Filter {
  const asked = objectParam(request.params, 'notifications');
  const flag = (name: string): boolean => {
    const value = own(asked, name);
    if (value !== undefined && typeof value !== 'boolean')
      throw wrong(`notifications.${name}`, 'a boolean', value);
    return value === true;
  };
  const flags = {
    tools: flag('toolsListChanged'),
    prompts: flag('promptsListChanged'),
    resources: flag('resourcesListChanged'),
  };
  const uris = strings(asked, 'resourceSubscriptions');
  const ids = strings(asked, 'taskIds');
  if (ids && !callContext(request).tasks) {
    throw request.dialect.tasks?.refusal('task-needed') ?? wrong('notifications.taskIds', 'left out', []);
  }
  const owned = ids?.filter((id) => exists(() => tasks.get(taskOwner(request), id)));
  const wanted = new Set(uris);
  return {
    shown: {
      ...(flags.tools && { toolsListChanged: true }),
      ...(flags.prompts && { promptsListChanged: true }),
      ...(flags.resources && { resourcesListChanged: true }),
      ...(uris && { resourceSubscriptions: uris }),
      ...(owned && { taskIds: owned }),
    },
    wants: (change) => (change.kind === 'resource' ? wanted.has(change.uri) : flags[change.kind]),
    taskIds: new Set(owned),
  };
}

function strings(asked: JsonObject, name: string): string[] | undefined {
  const value = own(asked, name);
  if (value === undefined) return undefined;
  const fits =
    Array.isArray(value) && value.length <= MAX_ENTRIES && value.every((item) => typeof item === 'string');
  if (!fits) throw wrong(`notifications.${name}`, `an array of at most ${MAX_ENTRIES} strings`, value);
  return value as string[];
}

function exists(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch {
    return false;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
