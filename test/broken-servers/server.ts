// A small MCP server that keeps the rules, written for being broken: every step can be replaced by one fault at a time.
// It speaks all five revisions from one function, `receive`; the methods are in `methods.ts`, the transports in
// `transports/`.

import type { HttpFault, StdioFault } from './fault.ts';
import { dispatch, error } from './methods.ts';

export type Json = { [key: string]: unknown };

export interface Outgoing {
  /** The answer, if the message gets one; an array for a batch. */
  readonly answer: unknown;
  /** Sent before the answer. */
  readonly before: readonly unknown[];
  /** HTTP status where the revision ties one to the answer. */
  readonly status: number;
  /** Milliseconds until the answer, and the request that can be cancelled until then. */
  readonly after?: number;
  readonly id?: unknown;
  /** The stream of this request stays open: it is a subscription. */
  readonly staysOpen?: boolean;
  /** The connection, or on stdio the process, ends instead. */
  readonly dies?: boolean;
}

/** What one broken server does otherwise. */
export interface Fault {
  /** Sees every answer before it leaves; returns what leaves instead. */
  answer?(answer: Json, request: Json): unknown;
  /** What is sent before the answer of a request, beside what belongs there. */
  extra?(request: Json): readonly unknown[];
  /** Sees every parsed message first; a result replaces all handling. */
  message?(message: unknown, connection: Connection): Outgoing | undefined;
  /** Sees every text before it is parsed. */
  text?(text: string): Outgoing | undefined;
  /** Has a tool that takes its time. */
  readonly slow?: boolean;
  readonly ignoresCancel?: boolean;
  readonly http?: HttpFault;
  readonly stdio?: StdioFault;
}

/** State of one connection: the revision that was negotiated, and what was cancelled. */
export interface Connection {
  revision: string;
  readonly cancelled: Set<unknown>;
  /** Who has to prove the same again to use what was made here. */
  readonly owner: string | undefined;
}

export const connect = (revision: string, owner?: string): Connection => ({
  revision,
  cancelled: new Set(),
  owner,
});

const MAX_DEPTH = 200;
const NOTHING: Outgoing = { answer: undefined, before: [], status: 202 };

export type Receive = (text: string, connection: Connection) => Outgoing;

export function createReceiver(fault: Fault): Receive {
  function receive(text: string, connection: Connection): Outgoing {
    const replaced = fault.text?.(text);
    if (replaced !== undefined) return replaced;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return { answer: { jsonrpc: '2.0', ...error(-32700, 'Not JSON') }, before: [], status: 400 };
    }
    const early = fault.message?.(message, connection);
    if (early !== undefined) return early;
    if (Array.isArray(message)) return batch(message, connection);
    return single(message, connection);
  }

  function batch(messages: readonly unknown[], connection: Connection): Outgoing {
    if (connection.revision !== '2025-03-26') return refuse(undefined, -32600, 'No batches at this revision');
    const answers = messages.map((one) => single(one, connection).answer).filter((one) => one !== undefined);
    return { answer: answers, before: [], status: 200 };
  }

  function refuse(id: unknown, code: number, message: string): Outgoing {
    const answer = { jsonrpc: '2.0', ...(id === undefined ? {} : { id }), ...error(code, message) };
    return { answer: leave(answer, {}), before: [], status: 400 };
  }

  function leave(answer: Json, request: Json): unknown {
    return fault.answer === undefined ? answer : fault.answer(answer, request);
  }

  function single(message: unknown, connection: Connection): Outgoing {
    if (typeof message !== 'object' || message === null) return refuse(undefined, -32600, 'Not a request');
    const request = message as Json;
    const { id, method } = request;
    const idFits = typeof id === 'string' || Number.isInteger(id);
    if (request.jsonrpc !== '2.0' || typeof method !== 'string' || depth(request) > MAX_DEPTH)
      return refuse(idFits ? id : undefined, -32600, 'Not a request');
    const params = (
      typeof request.params === 'object' && request.params !== null ? request.params : {}
    ) as Json;
    if (!Object.hasOwn(request, 'id')) {
      if (method === 'notifications/cancelled' && !fault.ignoresCancel)
        connection.cancelled.add(params.requestId);
      return NOTHING;
    }
    if (!idFits) return refuse(undefined, -32600, 'The id must be a string or an integer');
    const done = dispatch({ id, method, params, connection, slow: fault.slow === true });
    return {
      ...done,
      before: [...done.before, ...(fault.extra?.(request) ?? []), ...progress(params, method)],
      answer: done.body === null ? undefined : leave({ jsonrpc: '2.0', id, ...done.body }, request),
      id,
    };
  }

  return receive;
}

function progress(params: Json, method: string): unknown[] {
  const token = (params._meta as Json | undefined)?.progressToken;
  if (method !== 'tools/call' || token === undefined) return [];
  return [1, 2].map((step) => ({
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: token, progress: step },
  }));
}

function depth(value: unknown): number {
  let deepest = 0;
  const open: [unknown, number][] = [[value, 1]];
  while (open.length > 0) {
    const [node, level] = open.pop()!;
    deepest = Math.max(deepest, level);
    if (typeof node === 'object' && node !== null)
      for (const child of Object.values(node)) open.push([child, level + 1]);
  }
  return deepest;
}
