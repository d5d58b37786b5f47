// The one place where errors become wire errors. Codes and words come from the table in core/errors.ts; anything that
// is not from the table is told as an internal error with an id that the log has too: no stack, no path, no text.

import { randomUUID } from 'node:crypto';
import { ERRORS, type ErrorCode, type ErrorDetails, WitboxError } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Logger } from '../core/log.ts';
import { Refusal } from '../core/refusal.ts';

export interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
  /** The HTTP status, where the revision lets an error have one. */
  readonly http: number;
  /** Set where the status and these belong to the error in every revision. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of the protocol itself, with data that the specification gives a shape. */
export class ProtocolError extends WitboxError {
  readonly data: JsonObject;

  constructor(code: ErrorCode, details: ErrorDetails, data: JsonObject) {
    super(code, details);
    this.data = data;
  }
}

const UNAVAILABLE = 503;

export function toWire(error: unknown, log: Logger): WireError {
  if (!(error instanceof WitboxError)) return internal(error, log);
  const { jsonrpc: code, http } = ERRORS[error.code];
  // What is meant for the caller and may work later is no fault, and callers could fill the log with them.
  const isMeant = error instanceof Refusal || http === UNAVAILABLE;
  if (code === -32603 && !isMeant) return internal(error, log);
  const data = dataOf(error);
  const headers = error instanceof Refusal ? error.headers : undefined;
  return { code, message: error.message, http, ...(data && { data }), ...(headers && { headers }) };
}

// Rows with the internal code may still be told in their own words, if they are from the table.
function internal(error: unknown, log: Logger): WireError {
  const id = randomUUID();
  log.error('internal error', { id, error });
  const known = error instanceof WitboxError ? error.code : 'internal';
  const { jsonrpc: code, http } = ERRORS[known];
  return {
    code,
    message: error instanceof WitboxError ? error.message : ERRORS.internal.message,
    data: { id },
    http,
  };
}

function dataOf(error: WitboxError): JsonObject | undefined {
  if (error instanceof ProtocolError || error instanceof Refusal) return error.data;
  if (error.code === 'resource-not-found') return { uri: `${error.details.uri}` };
  if (error.code !== 'permission-denied') return undefined;
  const { component_id, permission, reason } = error.details;
  return { component_id: `${component_id}`, permission: `${permission}`, reason: `${reason}` };
}
