// Which revision a request is in. A version in the request's own `_meta` always counts and is then strict; otherwise
// the session's counts. Requests that only exist without a handshake must bring their `_meta` (2026-07-28, basic).

import { WitboxError } from '../core/errors.ts';
import { isJsonObject, type JsonObject, own } from '../core/json.ts';
import { LOG_LEVELS } from '../core/mcp.ts';
import type { ClientView, Implementation } from '../server/canonical.ts';
import type { Incoming, RequestMessage } from './envelope.ts';
import { ProtocolError } from './errors.ts';
import type { Revision } from './revision.ts';
import type { Revisions } from './revisions.ts';

const PREFIX = 'io.modelcontextprotocol/';
const VERSION_KEY = `${PREFIX}protocolVersion`;
const CAPABILITIES_KEY = `${PREFIX}clientCapabilities`;
const INFO_KEY = `${PREFIX}clientInfo`;
export const LOG_LEVEL_KEY = `${PREFIX}logLevel`;

export function resolveRevision(revisions: Revisions, message: RequestMessage, spoken: Revision): Revision {
  if (!isPerRequest(revisions, message, spoken)) return spoken;
  const version = own(message.meta, VERSION_KEY);
  if (typeof version !== 'string') throw missing(VERSION_KEY, 'a string');
  const revision = revisions.find(version);
  if (revision?.opening !== 'each-request') throw unsupported(revisions, version);
  if (!isJsonObject(own(message.meta, CAPABILITIES_KEY))) throw missing(CAPABILITIES_KEY, 'an object');
  const level = own(message.meta, LOG_LEVEL_KEY);
  if (level !== undefined && !LOG_LEVELS.includes(level as never))
    throw missing(LOG_LEVEL_KEY, 'a log level');
  return revision;
}

export function isPerRequest(revisions: Revisions, message: RequestMessage, spoken: Revision): boolean {
  return (
    own(message.meta, VERSION_KEY) !== undefined ||
    spoken.opening === 'each-request' ||
    revisions.onlyWithoutHandshake(message.method)
  );
}

function unsupported(revisions: Revisions, requested: string): ProtocolError {
  return new ProtocolError(
    'unsupported-version',
    { requested },
    { supported: revisions.perRequest, requested },
  );
}

/** What a client speaks over HTTP: the version header says it, and must not contradict the body. */
export function assumedOverHttp(
  revisions: Revisions,
  header: string | undefined,
  message: Incoming,
): Revision {
  const inBody = message.kind === 'request' ? own(message.meta, VERSION_KEY) : undefined;
  if (inBody !== undefined && inBody !== header) {
    const reason = `MCP-Protocol-Version is ${header === undefined ? 'missing' : `"${header}"`}, the body says "${inBody}"`;
    throw new WitboxError('header-mismatch', { reason });
  }
  if (header === undefined) return revisions.withoutHeader;
  const revision = revisions.find(header);
  if (!revision) throw unsupported(revisions, header);
  return revision;
}

/** The client as a request without a session describes it. */
export function clientOf(message: RequestMessage, revision: Revision): ClientView {
  return {
    info: readImplementation(own(message.meta, INFO_KEY)),
    revision: revision.revision,
    capabilities: own(message.meta, CAPABILITIES_KEY) as JsonObject,
  };
}

export function readImplementation(value: unknown): Implementation | null {
  if (!isJsonObject(value)) return null;
  const name = own(value, 'name');
  const version = own(value, 'version');
  if (typeof name !== 'string' || typeof version !== 'string') return null;
  return { name: name.slice(0, 200), version: version.slice(0, 200) };
}

function missing(key: string, expected: string): WitboxError {
  return new WitboxError('invalid-meta', { reason: `"_meta" must have "${key}", ${expected}` });
}
