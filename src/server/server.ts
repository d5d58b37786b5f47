// The MCP methods over a catalogue, gathered in one table: method name → handler. Knows nothing of transports and
// revisions: a Request brings its Dialect along, and protocol/ decides which methods a revision has at all.

import { randomBytes } from 'node:crypto';
import type { Catalog } from '../catalog/catalog.ts';
import { ERRORS, WitboxError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { Implementation, Tool } from '../core/mcp.ts';
import { type Changes, createChanges } from './changes.ts';
import { createCursors } from './cursor.ts';
import type { Request, Result } from './dialect.ts';
import { listenMethods } from './listen.ts';
import { createLists } from './lists.ts';
import { loggingMethods } from './logging.ts';
import { promptMethods } from './prompts.ts';
import { createRequestStates } from './request-state.ts';
import { resourceMethods } from './resources.ts';
import { createRounds } from './rounds.ts';
import { taskMethods } from './task-methods.ts';
import { createTasks, type TaskOptions } from './tasks.ts';
import { toolMethods } from './tools.ts';

type Method = (request: Request) => Result | Promise<Result>;

export interface McpServer {
  readonly info: Implementation;
  readonly instructions: string | undefined;
  /** Everything this server can do; a revision shows the part of it that it knows. */
  readonly capabilities: JsonObject;
  readonly methods: ReadonlyMap<string, Method>;
  /** Requests that never end by themselves. */
  readonly standing: ReadonlySet<string>;
  readonly changes: Changes;
  tool(request: Pick<Request, 'caller'>, name: string): Tool | undefined;
  /** A session is over: its client is gone or ended it. */
  endSession(session: string): void;
  /** Ends what would never end by itself: listening streams and tasks. */
  close(): void;
}

export interface ServerOptions {
  readonly info: Implementation;
  readonly instructions?: string;
  /** Signs cursors and request states. Share it between processes that serve the same clients; random otherwise. */
  readonly secret?: Buffer;
  readonly pageSize?: number;
  readonly stateTtlMs?: number;
  readonly tasks?: TaskOptions;
}

export function createServer(catalog: Catalog, options: ServerOptions): McpServer {
  const secret = options.secret ?? randomBytes(32);
  // Large by default: many clients never ask for a second page.
  const lists = createLists(createCursors(secret), options.pageSize ?? 1_000);
  const stateOptions = options.stateTtlMs === undefined ? {} : { ttlMs: options.stateTtlMs };
  const rounds = createRounds(createRequestStates(secret, stateOptions));
  const tasks = createTasks(options.tasks);
  const changes = createChanges(catalog);
  const closing = new AbortController();
  const methods = new Map<string, Method>(
    Object.entries({
      ...whenReady(catalog, {
        ...toolMethods({ catalog, lists, rounds, tasks, describe }),
        ...resourceMethods({ catalog, lists, rounds }),
        ...promptMethods({ catalog, lists, rounds }),
      }),
      ...taskMethods({ tasks, lists }),
      ...loggingMethods,
      ...listenMethods({ changes, tasks, closing: closing.signal }),
    }),
  );
  return {
    info: options.info,
    instructions: options.instructions,
    capabilities: {
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: { listChanged: true },
      completions: {},
      logging: {},
      experimental: { 'witbox/tools-batch': {}, 'witbox/resource-range': {} },
    },
    methods,
    standing: new Set(['subscriptions/listen']),
    changes,
    tool: ({ caller }, name) => catalog.tool(caller, name),
    endSession: (session) => catalog.endSession?.(session),
    close() {
      closing.abort();
      tasks.close();
      changes.close();
    },
  };
}

/** A client that asks right after the start gets the whole list, not what happens to be loaded by then. */
function whenReady(catalog: Catalog, methods: Readonly<Record<string, Method>>): Record<string, Method> {
  if (catalog.ready === undefined) return methods;
  let waiting: Promise<void> | null = catalog.ready().then(
    () => {
      waiting = null;
    },
    () => {
      waiting = null;
    },
  );
  return Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (request: Request) => (waiting === null ? method(request) : waiting.then(() => method(request))),
    ]),
  );
}

// Inside a result there is no error object to carry code and data; the text says what the table says.
function describe(error: unknown): string {
  if (!(error instanceof WitboxError)) return ERRORS.internal.message;
  const { reason } = error.details;
  return reason === undefined || error.message.includes(`${reason}`)
    ? error.message
    : `${error.message}: ${reason}`;
}
