// JSON-RPC 2.0 as MCP uses it: bytes → classified messages, and messages → text. Ids keep their exact type; whatever
// has a method and no id is a notification and is never answered, however wrong the rest of it may be.

import { WitboxError } from '../core/errors.ts';
import { isJsonObject, type Json, type JsonObject, own, parseJson } from '../core/json.ts';
import type { WireError } from './errors.ts';

export type Id = string | number;

export interface RequestMessage {
  readonly kind: 'request';
  readonly id: Id;
  readonly method: string;
  readonly params: JsonObject;
  readonly meta: JsonObject;
  /** Characters of the message it came in; what it cost to take. */
  readonly size: number;
}

export interface NotificationMessage {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: JsonObject;
  readonly meta: JsonObject;
}

export interface ResponseMessage {
  readonly kind: 'response';
  readonly id: Id;
  readonly result: JsonObject | undefined;
  readonly error: Json | undefined;
}

export interface InvalidMessage {
  readonly kind: 'invalid';
  readonly id: Id | undefined;
  readonly error: WitboxError;
}

export type SingleMessage = RequestMessage | NotificationMessage | ResponseMessage | InvalidMessage;

export interface BatchMessage {
  readonly kind: 'batch';
  readonly messages: readonly SingleMessage[];
}

export type Incoming = SingleMessage | BatchMessage;

export interface EnvelopeLimits {
  readonly maxDepth: number;
  readonly maxBatch: number;
}

const DEFAULT_ENVELOPE_LIMITS: EnvelopeLimits = { maxDepth: 128, maxBatch: 100 };

const EMPTY: JsonObject = Object.freeze({});

export function readMessage(text: string, limits: EnvelopeLimits = DEFAULT_ENVELOPE_LIMITS): Incoming {
  let value: Json;
  try {
    value = parseJson(text, limits.maxDepth);
  } catch (error) {
    // The parser's own words would quote the text; a message may hold secrets.
    const reason = error instanceof RangeError ? error.message : 'it is not valid JSON';
    return { kind: 'invalid', id: undefined, error: new WitboxError('parse-error', { reason }) };
  }
  if (!Array.isArray(value)) return classify(value, text.length);
  if (value.length === 0) return bad('an empty batch');
  if (value.length > limits.maxBatch) return bad(`a batch of more than ${limits.maxBatch} messages`);
  return {
    kind: 'batch',
    messages: value.map((one) => classify(one, Math.ceil(text.length / value.length))),
  };
}

export function unreadable(reason: string): InvalidMessage {
  return { kind: 'invalid', id: undefined, error: new WitboxError('parse-error', { reason }) };
}

function classify(value: Json, size: number): SingleMessage {
  if (!isJsonObject(value)) return bad('a message must be an object');
  const id = own(value, 'id');
  const method = own(value, 'method');
  if (id === undefined && typeof method === 'string') return notification(method, value);
  const known = isId(id) ? id : undefined;
  if (own(value, 'jsonrpc') !== '2.0') return bad('"jsonrpc" must be "2.0"', known);
  if (known === undefined) return bad('"id" must be a string or an integer');
  if (method === undefined) return response(known, value);
  if (typeof method !== 'string') return bad('"method" must be a string', known);
  const params = own(value, 'params');
  if (params === undefined) return { kind: 'request', id: known, method, params: EMPTY, meta: EMPTY, size };
  if (!isJsonObject(params)) {
    const error = new WitboxError('invalid-params', { reason: '"params" must be an object' });
    return { kind: 'invalid', id: known, error };
  }
  const meta = own(params, '_meta');
  if (meta !== undefined && !isJsonObject(meta)) {
    const error = new WitboxError('invalid-meta', { reason: '"_meta" must be an object' });
    return { kind: 'invalid', id: known, error };
  }
  return { kind: 'request', id: known, method, params, meta: meta ?? EMPTY, size };
}

function notification(method: string, value: JsonObject): NotificationMessage {
  const params = own(value, 'params');
  const object = isJsonObject(params) ? params : EMPTY;
  const meta = own(object, '_meta');
  return { kind: 'notification', method, params: object, meta: isJsonObject(meta) ? meta : EMPTY };
}

function response(id: Id, value: JsonObject): SingleMessage {
  const result = own(value, 'result');
  const error = own(value, 'error');
  if ((result === undefined) === (error === undefined)) {
    return bad('a message needs a "method", a "result" or an "error"', id);
  }
  if (result !== undefined && !isJsonObject(result)) return bad('"result" must be an object', id);
  return { kind: 'response', id, result, error };
}

// Beyond 2^53 a number no longer comes back as it was sent.
function isId(value: Json | undefined): value is Id {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function bad(reason: string, id?: Id): InvalidMessage {
  return { kind: 'invalid', id, error: new WitboxError('invalid-request', { reason }) };
}

export function resultText(id: Id, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${resultJson}}`;
}

/** `noId` says what stands for an id that could not be read: JSON-RPC wants null, newer schemas want nothing. */
export function errorText(id: Id | undefined, error: WireError, noId: 'null' | 'omit'): string {
  const { code, message, data } = error;
  const shown = id === undefined && noId === 'omit' ? {} : { id: id ?? null };
  return JSON.stringify({
    jsonrpc: '2.0',
    ...shown,
    error: { code, message, ...(data !== undefined && { data }) },
  });
}

export function notificationText(method: string, params: JsonObject | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) });
}

export function requestText(id: Id, method: string, params: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
