// `listen`: where the server is reached, by what, and how much of it.

import { DEFAULT_LIMITS, type TransportLimits } from '../../transport/limits.ts';
import { list, optional } from '../collections.ts';
import { choice, duration, flag, integer, path, size, text } from '../scalars.ts';
import { field, part, type Section, section } from '../section.ts';

const MI = 1024 * 1024;
const COUNT = integer(1, 1_000_000);
const BYTES = size([1024, '1Ki'], [1024 * MI, '1Gi']);
const TIME = duration([10, '10ms'], [7 * 86_400_000, '168h']);
/** Plain HTTP only to this machine. */
const PUBLIC = '^(https://[^\\s/?#@"\\\\]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]+)?)/?$';

const limits: Section<TransportLimits> = section({
  maxMessageBytes: field(BYTES, DEFAULT_LIMITS.maxMessageBytes, 'The largest message', 'max-message'),
  maxBacklogBytes: field(
    BYTES,
    DEFAULT_LIMITS.maxBacklogBytes,
    'Unsent output of one client; beyond it a slow reader is let go',
    'max-backlog',
  ),
  maxInFlight: field(COUNT, DEFAULT_LIMITS.maxInFlight, 'Requests of one client that wait for an answer'),
  maxConnections: field(COUNT, DEFAULT_LIMITS.maxConnections, 'Open sockets, busy or not'),
  maxSessions: field(COUNT, DEFAULT_LIMITS.maxSessions, 'Sessions, legacy streams and WebSockets together'),
  maxStreams: field(COUNT, DEFAULT_LIMITS.maxStreams, 'Open response streams of all clients'),
  sessionIdleMs: field(
    TIME,
    DEFAULT_LIMITS.sessionIdleMs,
    'A session that nobody used for so long is ended',
    'session-idle',
  ),
  requestMs: field(
    TIME,
    DEFAULT_LIMITS.requestMs,
    'How long a whole HTTP request may take to arrive',
    'request-time',
  ),
  keepAliveMs: field(
    TIME,
    DEFAULT_LIMITS.keepAliveMs,
    'A comment or ping this often keeps streams open through proxies',
    'keep-alive',
  ),
  quietMs: field(
    TIME,
    DEFAULT_LIMITS.quietMs,
    'A request without a message for so long gets its event stream',
    'quiet',
  ),
  maxReplayEvents: field(
    COUNT,
    DEFAULT_LIMITS.maxReplayEvents,
    'Events that a client which lost its stream can still get',
  ),
  maxReplayBytes: field(BYTES, DEFAULT_LIMITS.maxReplayBytes, 'The same, in bytes', 'max-replay'),
  graceMs: field(TIME, DEFAULT_LIMITS.graceMs, 'How long calls may go on when the server stops', 'grace'),
});

const tls = section({
  certificate: field(
    optional(path()),
    undefined,
    'File of the certificate chain, PEM; read again when it changes',
  ),
  key: field(optional(path()), undefined, 'File of its private key, PEM'),
  clientCa: field(
    optional(path()),
    undefined,
    'File of the authorities whose client certificates are taken, PEM',
  ),
  selfSigned: field(flag(), false, 'Make a certificate, kept in the data directory, for a try'),
});

export const listen = section({
  host: field(text('^[0-9A-Za-z.:_-]+$', 'an address or a name'), '127.0.0.1', 'Address to listen on'),
  port: field(integer(0, 65_535), 8080, 'Port to listen on; 0 takes any free one'),
  transports: field(
    list(choice('http', 'sse', 'websocket'), { least: 1 }),
    ['http', 'sse', 'websocket'],
    'What is open on the port',
  ),
  allowOrigin: field(
    list(text('^[a-z][a-z0-9+.-]*://[^\\s/]+$', 'an origin such as https://app.example.com')),
    [],
    'Origins of web pages that may call',
  ),
  allowHost: field(
    list(text('^[0-9A-Za-z._-]+$', 'a name without a port')),
    [],
    'Names that the Host header may have, besides localhost and addresses',
  ),
  publicUrl: field(
    optional(text(PUBLIC, 'an https: address without a path')),
    undefined,
    'What clients call this server: its resource identifier for OAuth',
  ),
  insecureNoAuth: field(flag(), false, 'Serve others than this machine without asking who they are'),
  insecurePlainHttp: field(flag(), false, 'Take keys and tokens from other machines without TLS'),
  trustProxy: field(
    list(text('^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$', 'an address, or a range such as 10.0.0.0/8')),
    [],
    'Addresses of proxies whose X-Forwarded-For is believed',
  ),
  tls: part(tls, 'TLS 1.2 or newer, on the same port'),
  limits: part(limits, 'What the transports hold at most'),
});
