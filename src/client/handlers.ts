// What a server may ask of this client, and what it may tell it. Capabilities follow from the handlers that are given: a
// client never declares what nobody would answer. The same handlers serve requests of the server (up to 2025-11-25),
// rounds of a call (2026-07-28) and questions of tasks.

import type {
  Client,
  ClientCapabilities,
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestParams,
  ElicitResult,
  LoggingMessageNotificationParams,
  Root,
} from '@modelcontextprotocol/client';
import { WitboxError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';

type Awaitable<T> = T | Promise<T>;

export interface Handlers {
  elicit?(params: ElicitRequestParams, signal: AbortSignal): Awaitable<ElicitResult>;
  sample?(
    params: CreateMessageRequestParams,
    signal: AbortSignal,
  ): Awaitable<CreateMessageResult | CreateMessageResultWithTools>;
  roots?(signal: AbortSignal): Awaitable<readonly Root[]>;
  log?(message: LoggingMessageNotificationParams): void;
}

const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export function capabilitiesOf(handlers: Handlers): ClientCapabilities {
  return {
    ...(handlers.elicit && { elicitation: { form: { applyDefaults: true }, url: {} } }),
    ...(handlers.sample && { sampling: {} }),
    ...(handlers.roots && { roots: { listChanged: true } }),
    extensions: { [TASKS_EXTENSION]: {} },
  };
}

export function register(client: Client, { elicit, sample, roots, log }: Handlers): void {
  if (elicit)
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => elicit(params, mcpReq.signal));
  if (sample) {
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
      sample(params, mcpReq.signal),
    );
  }
  if (roots) {
    client.setRequestHandler('roots/list', async (_, { mcpReq }) => ({
      roots: [...(await roots(mcpReq.signal))],
    }));
  }
  if (log) client.setNotificationHandler('notifications/message', ({ params }) => log(params));
}

/** Answers a question that came in a task, where no handler of the official client is asked. */
export async function answer(
  handlers: Handlers,
  { method, params }: { readonly method: string; readonly params: JsonObject },
  signal: AbortSignal,
): Promise<JsonObject> {
  if (method === 'elicitation/create' && handlers.elicit)
    return (await handlers.elicit(params as unknown as ElicitRequestParams, signal)) as JsonObject;
  if (method === 'sampling/createMessage' && handlers.sample)
    return (await handlers.sample(
      params as unknown as CreateMessageRequestParams,
      signal,
    )) as unknown as JsonObject;
  if (method === 'roots/list' && handlers.roots)
    return { roots: (await handlers.roots(signal)) as unknown as JsonObject[] };
  throw new WitboxError('server-asks', { method });
}
