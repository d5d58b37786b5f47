// The protocol as transports use it: connections for those that have one pipe per client, and for HTTP the sessions
// by id and the requests that stand alone.

import type { Logger } from '../core/log.ts';
import type { McpServer } from '../server/server.ts';
import { type Admission, OPEN } from './admission.ts';
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
  type ProtocolDeps,
} from './connection.ts';
import { createIntroductions } from './introductions.ts';
import { createRevisions, type Revisions } from './revisions.ts';

export interface Protocol {
  readonly revisions: Revisions;
  readonly server: McpServer;
  readonly log: Logger;
  connect(
    options: Omit<ConnectionOptions, 'assumed'> & { assumed?: ConnectionOptions['assumed'] },
  ): Connection;
}

export interface ProtocolOptions {
  /** How long a client may take to answer a question of the server. */
  readonly askTimeoutMs?: number;
  readonly admission?: Admission;
}

export function createProtocol(server: McpServer, log: Logger, options: ProtocolOptions = {}): Protocol {
  const own = log.area('protocol');
  const revisions = createRevisions(server.info, own);
  const deps: ProtocolDeps = {
    server,
    revisions,
    log: own,
    askTimeoutMs: options.askTimeoutMs ?? 300_000,
    introductions: createIntroductions(own),
    admission: options.admission ?? OPEN,
  };
  return {
    revisions,
    server,
    log: own,
    connect: (wanted) => createConnection(deps, { ...wanted, assumed: wanted.assumed ?? revisions.oldest }),
  };
}
