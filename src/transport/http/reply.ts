// Answers that are one whole: a JSON text, or an error of the table as a JSON-RPC error without an id.

import type { ServerResponse } from 'node:http';
import type { Logger } from '../../core/log.ts';
import { errorText, type Id } from '../../protocol/envelope.ts';
import { toWire } from '../../protocol/errors.ts';

export function replyJson(response: ServerResponse, status: number, text: string): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

export function replyEmpty(response: ServerResponse, status: number): void {
  if (response.destroyed || response.writableEnded) return;
  response.writeHead(status, { 'Content-Length': 0 }).end();
}

/** An error before or beside any revision. `id` is echoed if the request could be read. */
export function replyError(response: ServerResponse, error: unknown, log: Logger, id?: Id): void {
  const wire = toWire(error, log);
  for (const [name, value] of Object.entries(wire.headers ?? {})) response.setHeader(name, value);
  // What is left of a refused body would be taken for the next request.
  if (wire.http === 413) response.setHeader('Connection', 'close');
  replyJson(response, wire.http, errorText(id, wire, 'omit'));
}
