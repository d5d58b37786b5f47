// How a client and this server get to know each other: initialize, for revisions with sessions, and server/discover.

import { isJsonObject, type JsonObject, own } from '../core/json.ts';
import type { ClientView } from '../server/canonical.ts';
import type { McpServer } from '../server/server.ts';
import { readImplementation } from './resolve.ts';
import type { Revision } from './revision.ts';
import type { Revisions } from './revisions.ts';

export function initialize(
  server: McpServer,
  revisions: Revisions,
  params: JsonObject,
): { revision: Revision; client: ClientView; result: JsonObject } {
  const revision = negotiate(revisions, own(params, 'protocolVersion'));
  const capabilities = own(params, 'capabilities');
  const client = {
    info: readImplementation(own(params, 'clientInfo')),
    revision: revision.revision,
    capabilities: isJsonObject(capabilities) ? capabilities : {},
  };
  const result = {
    protocolVersion: revision.revision,
    capabilities: revision.capabilities(server.capabilities),
    serverInfo: revision.serverInfo(),
    ...(server.instructions !== undefined && { instructions: server.instructions }),
  };
  return { revision, client, result };
}

// Clients made by hand leave the version out; the first revision asks least of them.
function negotiate(revisions: Revisions, wanted: unknown): Revision {
  if (wanted === undefined) return revisions.oldest;
  const revision = typeof wanted === 'string' ? revisions.find(wanted) : undefined;
  return revision?.opening === 'handshake' ? revision : revisions.newestWithHandshake;
}

export function discover(server: McpServer, revisions: Revisions, revision: Revision): JsonObject {
  return revision.seal('server/discover', {
    supportedVersions: revisions.perRequest,
    capabilities: revision.capabilities(server.capabilities),
    ...(server.instructions !== undefined && { instructions: server.instructions }),
  });
}
