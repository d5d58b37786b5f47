// Makes the Request that server/ works with from an incoming message: progress, log messages and questions, each
// in the way of the revision, each silent once the request is over.

import type { Caller } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { type JsonObject, own } from '../core/json.ts';
import type { ClientView, InputRequests, InputResponses } from '../server/canonical.ts';
import type { Request, SessionState } from '../server/dialect.ts';
import { DEFAULT_LEVEL, isLogLevel, passes } from '../server/logging.ts';
import { notificationText, type RequestMessage } from './envelope.ts';
import { ProtocolError } from './errors.ts';
import type { Flight } from './in-flight.ts';
import { missingInputs } from './inputs.ts';
import type { Outbound } from './outbound.ts';
import { createRate } from './rate.ts';
import { LOG_LEVEL_KEY } from './resolve.ts';
import type { Revision } from './revision.ts';
import type { Route } from './route.ts';

export interface RequestParts {
  readonly message: RequestMessage;
  readonly revision: Revision;
  readonly flight: Flight;
  readonly route: Route;
  readonly client: ClientView;
  readonly caller: Caller;
  readonly transport: string;
  readonly session: SessionState;
  /** Made when the first question is asked. */
  readonly outbound: () => Outbound;
}

export function createRequest(parts: RequestParts): Request {
  const { message, revision, flight, route, client, caller, session } = parts;
  const rate = createRate();
  const notify = (method: string, params: JsonObject): void => {
    if (!flight.over) route.send(notificationText(method, params));
  };
  return {
    method: message.method,
    id: message.id,
    params: message.params,
    meta: message.meta,
    dialect: revision,
    caller,
    client,
    transport: parts.transport,
    session,
    signal: flight.abort.signal,
    notify,
    progress: progressOf(message, revision, (params) => {
      if (rate()) notify('notifications/progress', params);
    }),
    log(level, data, logger) {
      const least = leastLevel(parts);
      if (least === null || !passes(level, least) || !rate()) return;
      notify('notifications/message', { level, ...(logger !== undefined && { logger }), data });
    },
    closeStream() {
      if (!flight.over) route.closeStream();
    },
    ask: revision.inputs.by === 'requests' ? (requests, related) => ask(parts, requests, related) : null,
    checkInputs(requests) {
      const missing = missingInputs(requests, client.capabilities, revision.inputs.features);
      if (!missing) return;
      const names = missing.names.join(', ');
      throw new ProtocolError(
        'missing-capability',
        { names },
        { requiredCapabilities: missing.capabilities },
      );
    },
  };
}

// Where there are no sessions, a request that names no level gets no log messages at all.
function leastLevel({ message, revision, session }: RequestParts) {
  if (revision.opening === 'handshake') return session.logLevel ?? DEFAULT_LEVEL;
  const level = own(message.meta, LOG_LEVEL_KEY);
  return isLogLevel(level) ? level : null;
}

function progressOf(
  message: RequestMessage,
  revision: Revision,
  send: (params: JsonObject) => void,
): Request['progress'] {
  const progressToken = own(message.meta, 'progressToken');
  if (typeof progressToken !== 'string' && typeof progressToken !== 'number') return () => {};
  let last = Number.NEGATIVE_INFINITY;
  return (progress, total, text) => {
    if (!(progress > last)) return;
    last = progress;
    send({
      progressToken,
      progress,
      ...(total !== undefined && { total }),
      ...(text !== undefined && revision.progressMessages && { message: text }),
    });
  };
}

async function ask(
  parts: RequestParts,
  requests: InputRequests,
  related?: JsonObject,
): Promise<InputResponses> {
  const { revision, flight, route, client, outbound } = parts;
  const missing = missingInputs(requests, client.capabilities, revision.inputs.features);
  if (missing) throw new WitboxError('client-cannot', { names: missing.names.join(', ') });
  const entries = Object.entries(requests).map(async ([key, request]) => {
    const shaped = revision.inputs.shape(request);
    const params = related
      ? { ...shaped, _meta: { ...((shaped._meta as object) ?? {}), ...related } }
      : shaped;
    const send = (text: string): void => {
      if (!flight.over) route.send(text);
    };
    return [key, await outbound().request(request.method, params, send, flight.abort.signal)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
