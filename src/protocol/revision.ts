// What one revision of MCP is: how things are shown, which methods exist, how it opens, how it asks the client, and
// what it wants of HTTP. Everything that differs between revisions is a member here; nobody compares revision names.

import type { IncomingHttpHeaders } from 'node:http';
import type { InputRequest, JsonObject, Tool } from '../server/canonical.ts';
import type { Dialect } from '../server/dialect.ts';
import type { RequestMessage } from './envelope.ts';
import type { InputFeature } from './inputs.ts';

export interface Revision extends Dialect {
  /** Requests that clients may send. */
  readonly requests: ReadonlySet<string>;
  /** `handshake`: initialize opens a session. `each-request`: every request says who and what in its `_meta`. */
  readonly opening: 'handshake' | 'each-request';
  readonly batches: boolean;
  /** What stands in an error for an id that could not be read. */
  readonly noId: 'null' | 'omit';
  readonly progressMessages: boolean;
  errorCode(code: number): number;
  /** The part of the server's capabilities that this revision has a word for. */
  capabilities(all: JsonObject): JsonObject;
  serverInfo(): JsonObject;
  readonly inputs: Inputs;
  readonly http: HttpRules;
}

interface Inputs {
  /** `requests`: the server may send requests. `results`: questions go out as the result. */
  readonly by: 'requests' | 'results';
  readonly features: ReadonlySet<InputFeature>;
  shape(request: InputRequest): JsonObject;
}

export interface HttpRules {
  /** Whether a request without a version header is taken for this revision. */
  readonly assumedWithoutHeader: boolean;
  /** Sessions by header, a stream by GET, resuming by event ids. */
  readonly sessions: boolean;
  /** A first event without data, so that a client can come back even before the first message. */
  readonly primesStreams: boolean;
  /** A client that goes away has cancelled. */
  readonly disconnectCancels: boolean;
  /** Errors of the protocol have HTTP statuses of their own. */
  readonly errorStatus: boolean;
  /** Throws `header-mismatch` if headers and body do not tell the same. */
  checkHeaders(
    headers: IncomingHttpHeaders,
    request: RequestMessage,
    tool: (name: string) => Tool | undefined,
  ): void;
}

export const SESSION_HTTP: HttpRules = {
  assumedWithoutHeader: false,
  sessions: true,
  primesStreams: false,
  disconnectCancels: false,
  errorStatus: false,
  checkHeaders() {},
};

/** The methods that every revision before 2026-07-28 has; a revision adds its own. */
export const SESSION_REQUESTS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'tools/batch',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
] as const;

export function keysOf(all: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => all[name] !== undefined).map((name) => [name, all[name]]));
}

export const sameCode = (code: number): number => code;
