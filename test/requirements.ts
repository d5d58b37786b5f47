// What a server must do, by id: the clause that says so, the revisions and transports it holds for. Pure data. Cases
// cite ids; test/requirements.test.ts fails for an id that no case cites on one of its transports and revisions.

import type { TransportName } from './mcp/harness.ts';
import type { RevisionName } from './mcp/wire/peer.ts';

export interface Requirement {
  readonly clause: string;
  /** All, if not given. */
  readonly revisions?: readonly RevisionName[];
  readonly transports?: readonly TransportName[];
}

const SESSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
const STREAMABLE = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;
const NO_BATCH = ['2024-11-05', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
const MODERN = ['2026-07-28'] as const;
const HTTP = ['http'] as const;

export const REQUIREMENTS = {
  'stdio-only-messages': { clause: 'stdio: stdout carries only MCP messages', transports: ['stdio'] },
  'stdio-lines': {
    clause: 'stdio: split, joined, CRLF and blank lines are tolerated',
    transports: ['stdio'],
  },
  'stdio-end': { clause: 'stdio: exits when its input ends', transports: ['stdio'] },
  malformed: { clause: 'JSON-RPC 5.1: -32700 for what is not JSON, and the connection lives on' },
  oversized: { clause: 'a message beyond the limit is refused and memory stays bounded' },
  'id-echo': { clause: 'JSON-RPC 5: the response has the id of the request, with its type' },
  'id-kinds': { clause: 'basic: an id is a string or an integer and never null' },
  'no-answer-to-notifications': { clause: 'JSON-RPC 4.1: notifications are never answered' },
  'unknown-method': { clause: 'JSON-RPC 5.1: -32601' },
  'invalid-envelope': { clause: 'JSON-RPC 5.1: -32600' },
  'id-reuse': { clause: 'an id used twice at once breaks nothing' },
  'batch-answered': { clause: '2025-03-26 basic: batches must be received', revisions: ['2025-03-26'] },
  'batch-refused': { clause: '2025-06-18 changelog: batches are removed', revisions: NO_BATCH },
  'hostile-keys': { clause: 'duplicate keys and __proto__ do nothing' },
  nesting: { clause: 'nesting is bounded' },
  'version-echo': { clause: 'lifecycle: a supported version is echoed', revisions: SESSIONS },
  'version-own': {
    clause: 'lifecycle: an unknown version is answered with one of ours',
    revisions: SESSIONS,
  },
  'version-missing': { clause: 'a client that names no version gets 2024-11-05', revisions: ['2024-11-05'] },
  'version-per-request': {
    clause: '2026-07-28 versioning: -32022 with supported and requested',
    revisions: MODERN,
  },
  'meta-required': { clause: '2026-07-28 basic: -32602 without the required _meta', revisions: MODERN },
  discover: { clause: '2026-07-28 discover: must be there and tell the truth', revisions: MODERN },
  'no-handshake': { clause: 'tools can be called without a handshake', revisions: ['2024-11-05'] },
  'initialize-once': { clause: 'lifecycle: a session is initialized once', revisions: SESSIONS },
  'session-log': { clause: 'the log names the client at the start of each session' },
  projection: { clause: 'schema: only fields that the revision has are sent' },
  'result-fields': {
    clause: '2026-07-28 basic: resultType and serverInfo in every result',
    revisions: MODERN,
  },
  caching: { clause: '2026-07-28 caching: ttlMs and cacheScope', revisions: MODERN },
  structured: { clause: 'tools: structuredContent fits outputSchema' },
  'unknown-tool': { clause: 'tools: -32602' },
  'bad-arguments': { clause: 'tools: arguments that do not fit are a result with isError' },
  'resource-read': { clause: 'resources: read by uri and template' },
  'resource-not-found': { clause: 'resources: -32002, and -32602 from 2026-07-28 on' },
  'resource-range': { clause: 'resources/read with a range gives that part and the total' },
  'prompt-get': { clause: 'prompts: list and get, -32602 for an unknown one' },
  completion: { clause: 'completion: at most 100 values' },
  pagination: { clause: 'pagination: ends, no duplicates, -32602 for a bad cursor' },
  progress: { clause: 'progress: own token, only growing, nothing after the end' },
  cancel: { clause: 'cancellation: stops the work, and no response follows' },
  ping: { clause: 'ping: answered at once', revisions: SESSIONS },
  removed: {
    clause: '2026-07-28 changelog: ping, setLevel, (un)subscribe, initialize are gone',
    revisions: MODERN,
  },
  'log-level': { clause: 'logging: messages at or above the level that was set', revisions: SESSIONS },
  'log-silence': { clause: '2026-07-28 logging: silence without a level', revisions: MODERN },
  'list-changed': { clause: 'tools, prompts, resources: listChanged' },
  subscriptions: { clause: 'resources: updates of what was subscribed to, and nothing else' },
  'ask-elicitation': {
    clause: 'elicitation',
    revisions: ['2025-06-18', '2025-11-25', '2026-07-28'],
  },
  'ask-sampling': { clause: 'sampling' },
  'ask-roots': { clause: 'roots' },
  'ask-rounds': {
    clause: 'several rounds with state',
    revisions: ['2025-06-18', '2025-11-25', '2026-07-28'],
  },
  'ask-url': { clause: 'elicitation: URL mode', revisions: ['2025-11-25', '2026-07-28'] },
  'ask-undeclared': { clause: 'a client is never asked what it did not declare' },
  'request-state': {
    clause: '2026-07-28 mrtr: changed, replayed and foreign state is refused',
    revisions: MODERN,
  },
  tasks: { clause: 'tasks', revisions: ['2025-11-25', '2026-07-28'] },
  'tool-batch': { clause: 'tools/batch: results in order, one failure stays its own' },
  'internal-errors': { clause: 'no exception text, stack or path reaches a client' },
  'http-origin': { clause: 'transports: a bad Origin is 403', transports: HTTP, revisions: STREAMABLE },
  'http-host': { clause: 'a bad Host is refused', transports: HTTP },
  'http-accepted': { clause: 'transports: 202 without body for notifications', transports: HTTP },
  'http-negotiation': { clause: 'transports: Content-Type and Accept', transports: HTTP },
  'http-methods': { clause: 'transports: 405', transports: HTTP },
  'http-session': {
    clause: 'transports: sessions, 404 after their end, not usable by others',
    transports: HTTP,
    revisions: STREAMABLE,
  },
  'http-stateless': {
    clause: '2026-07-28 streamable-http: no session is ever made',
    transports: HTTP,
    revisions: MODERN,
  },
  'http-version': {
    clause: 'transports: a bad version header is 400',
    transports: HTTP,
    revisions: STREAMABLE,
  },
  'http-headers': {
    clause: '2026-07-28 streamable-http: header validation',
    transports: HTTP,
    revisions: MODERN,
  },
  'http-resume': { clause: 'transports: resuming by event id', transports: HTTP, revisions: STREAMABLE },
  'http-polling': {
    clause: '2025-11-25 transports: priming, retry',
    transports: HTTP,
    revisions: ['2025-11-25'],
  },
  'http-disconnect': { clause: 'a disconnect is no cancel, but is one in 2026-07-28', transports: HTTP },
  'http-statuses': { clause: '2026-07-28: 404 and 400', transports: HTTP, revisions: MODERN },
  'sse-endpoint': { clause: '2024-11-05 transports: endpoint event first', transports: ['sse'] },
  'websocket-framing': { clause: 'RFC 6455: what it forbids ends the connection', transports: ['websocket'] },
} as const satisfies Record<string, Requirement>;

export type RequirementId = keyof typeof REQUIREMENTS;
