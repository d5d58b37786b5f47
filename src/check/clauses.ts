// Where the specification says what a check asks for: one name here per subject, with the page and the heading that it
// has in each revision. A test holds every clause to the list of pages and headings in specification-headings.txt.

import { type Clause, isModern, type Revision } from './model.ts';

type Place = (revision: Revision) => Clause;

/** Two clauses: one up to 2025-11-25, one from 2026-07-28 on. Written `page` or `page#heading`. */
function place(legacy: string, modern: string): Place {
  return (revision) => read(isModern(revision) ? modern : legacy);
}

function read(text: string): Clause {
  const [page, heading] = text.split('#');
  return heading === undefined ? { page: page! } : { page: page!, heading };
}

/** In 2024-11-05 the messages have a page of their own. */
function message(heading: string, legacyHeading = heading): Place {
  return (revision) =>
    revision === '2024-11-05'
      ? read(`basic/messages#${legacyHeading}`)
      : read(`basic#${revision < '2025-11-25' ? legacyHeading : heading}`);
}

const STREAMABLE = 'basic/transports/streamable-http';

export const clauses = {
  requests: message('requests'),
  responses: message('responses'),
  errors: message('error-responses', 'responses'),
  errorCodes: (revision: Revision): Clause =>
    isModern(revision) ? read('basic#error-codes') : message('error-responses', 'responses')(revision),
  notifications: message('notifications'),
  batching: place('basic#batching', 'changelog'),
  noBatches: place('changelog', 'basic/transports#messages'),
  meta: place('basic#meta', 'basic#meta'),
  requestMeta: place('basic#meta', 'basic#meta'),
  statelessness: place('basic', 'basic#statelessness'),
  schema: (revision: Revision): Clause => (revision < '2025-06-18' ? read('basic#schema') : read('schema')),
  schemaValidity: (revision: Revision): Clause =>
    revision < '2025-11-25' ? read('server/tools#tool') : read('basic#schema-validation'),
  references: place('basic', 'basic#ref-resolution'),

  stdio: place('basic/transports#stdio', 'basic/transports/stdio'),
  stdioRequests: place('basic/transports#stdio', 'basic/transports/stdio#receiving-messages'),
  encoding: place('basic/transports', 'basic/transports'),
  shutdown: place('basic/lifecycle#shutdown', 'basic/transports/stdio#shutdown'),
  customTransports: place('basic/transports#custom-transports', 'basic/transports#custom-transports'),
  legacySse: place('basic/transports#http-with-sse', STREAMABLE),

  operation: place('basic/lifecycle#operation', 'basic'),
  negotiation: place('basic/lifecycle#version-negotiation', 'basic/versioning#protocol-version-negotiation'),
  initialization: place('basic/lifecycle#initialization', 'basic/versioning'),
  initializeRefused: place(
    'basic/lifecycle',
    'basic/versioning#backward-compatibility-with-initialization-based-versions',
  ),
  discover: place('basic/lifecycle', 'server/discover'),
  identity: place('basic/lifecycle#initialization', 'server/discover#discoverresult'),

  origin: place('basic/transports#security-warning', `${STREAMABLE}#security-&-endpoint`),
  sending: place('basic/transports#sending-messages-to-the-server', `${STREAMABLE}#sending-messages`),
  receiving: place('basic/transports#sending-messages-to-the-server', `${STREAMABLE}#receiving-messages`),
  listening: place(
    'basic/transports#listening-for-messages-from-the-server',
    `${STREAMABLE}#earlier-streamable-http-revisions`,
  ),
  oneStream: place('basic/transports#multiple-connections', STREAMABLE),
  resuming: place('basic/transports#resumability-and-redelivery', STREAMABLE),
  sessions: place('basic/transports#session-management', `${STREAMABLE}#earlier-streamable-http-revisions`),
  versionHeader: place('basic/transports#protocol-version-header', `${STREAMABLE}#protocol-version-header`),
  headerValidation: place('basic/transports', `${STREAMABLE}#server-validation`),
  headerEncoding: place('basic/transports', `${STREAMABLE}#value-encoding`),
  headerAnnotations: place('server/tools', 'server/tools#x-mcp-header'),
  authorization: place(
    'basic/authorization#authorization-server-discovery',
    'basic/authorization/authorization-server-discovery',
  ),
  tokens: place('basic/authorization#token-handling', 'basic/authorization#token-handling'),

  toolCapability: place('server/tools#capabilities', 'server/tools#capabilities'),
  toolNames: place('server/tools#tool-names', 'server/tools#tool-names'),
  outputSchema: place('server/tools#output-schema', 'server/tools#output-schema'),
  structuredContent: place('server/tools#structured-content', 'server/tools#structured-content'),
  toolErrors: place('server/tools#error-handling', 'server/tools#error-handling'),
  toolSecurity: place('server/tools#security-considerations', 'server/tools#security-considerations'),
  resourceErrors: place('server/resources#error-handling', 'server/resources#error-handling'),
  promptErrors: place('server/prompts#error-handling', 'server/prompts#error-handling'),
  cursors: place('server/utilities/pagination#error-handling', 'server/utilities/pagination#error-handling'),
  cacheScope: place('server/utilities/pagination', 'server/utilities/caching#interaction-with-pagination'),
  logging: place('server/utilities/logging#capabilities', 'server/utilities/logging#capabilities'),
  logRequests: place('server/utilities/logging', 'server/utilities/logging#per-request-log-level'),
  logErrors: place('server/utilities/logging#error-handling', 'server/utilities/logging#error-handling'),
  ping: place('basic/utilities/ping#behavior-requirements', 'basic'),
  progress: place(
    'basic/utilities/progress#behavior-requirements',
    'basic/patterns/progress#behavior-requirements',
  ),
  cancelling: place(
    'basic/utilities/cancellation#behavior-requirements',
    'basic/patterns/cancellation#behavior-requirements',
  ),
  inputRequests: place('basic', 'basic/patterns/mrtr#server-requirements-basic-workflow'),
  subscriptions: place('basic', 'basic/patterns/subscriptions#acknowledgment'),
  taskIds: place(
    'basic/utilities/tasks#task-isolation-and-access-control',
    'basic/versioning#extension-negotiation',
  ),
} satisfies Readonly<Record<string, Place>>;
