// The one table of everything that can go wrong and is told to somebody: code → message, JSON-RPC code, HTTP status,
// exit status. Code throws `new WitboxError('code', {…})`; only the borders (protocol/, transport/, cli/) turn it into
// wire errors or exit statuses. Messages are sentence case, name the action, quote the value, and have no full stop.

interface ErrorRow {
  /** With `{name}` placeholders filled from the error's details. */
  readonly message: string;
  readonly jsonrpc: number;
  readonly http: number;
  readonly exit: number;
}

const row = (message: string, jsonrpc = -32603, http = 500, exit = 1): ErrorRow => ({
  message,
  jsonrpc,
  http,
  exit,
});

export const ERRORS = {
  internal: row('Internal error'),
  'sidecar-invalid': row('Cannot parse tools file "{file}": {problem}', -32602, 400, 2),
  'tool-argument': row('Cannot read argument "{text}": {problem}', -32602, 400, 2),
  'tool-asks': row('Tool "{name}" asks for input, which the command line cannot give', -32602, 400),
  'flag-invalid': row('Cannot read {flag} "{value}": expected {expected}', -32602, 400, 2),
  'bind-refused': row(
    'Cannot listen on "{host}": nobody would have to prove who they are; set authentication.keys in witbox.yaml and make keys with "witbox key create", or say --insecure-no-auth',
    -32603,
    500,
    2,
  ),
  'plain-refused': row(
    'Cannot listen on "{host}": keys and tokens would travel in plain sight; set up listen.tls, name the proxy that does TLS in listen.trust-proxy, or set listen.insecure-plain-http',
    -32603,
    500,
    2,
  ),
  'bind-failed': row('Cannot listen on {host}:{port}: {code}', -32603, 500, 1),
  'component-lies': row('Component "{component}" answered with something else than it must: {problem}'),
  'component-failed': row('Component "{component}" failed: {problem}'),
  'folder-unreadable': row('Cannot watch folder "{folder}": {reason}', -32602, 400, 2),
  'component-unusable': row('Component "{id}" cannot be used: {problem}', -32602, 422),
  'component-shadowed': row(
    'Component "{id}" was stored while one of this run has that id: restart, or store it under another with --id',
    -32602,
    409,
  ),
  usage: row('{problem}; see {help}', -32602, 400, 2),
  'file-unreadable': row('Cannot read "{file}": {reason}', -32602, 404),
  'inspect-failed': row('Cannot inspect "{file}": {reason}', -32602, 422),
  'wasm-expected': row('Expected {expected}, found {found}', -32602, 422),
  'wasm-malformed': row('Malformed WebAssembly in {section} at byte {offset}: {reason}', -32602, 422),
  'wasm-limit': row(
    'WebAssembly asks for too much in {section} at byte {offset}: {count} {what}, the limit is {limit}',
    -32602,
    422,
  ),
  'guest-over-limit': row('Module asks for {asked} {what} to start with, the limit is {limit}', -32602, 422),
  'value-mismatch': row('Cannot pass {value} as {type}: expected {expected}', -32602, 400, 2),
  'needs-async': row('Component has {what}: needs WASI 0.3 async, not supported yet', -32602, 422),
  'import-missing': row(
    'Cannot link import "{name}": expected {expected}, and it was not found',
    -32602,
    422,
  ),
  'import-mismatch': row('Cannot link import "{name}": {reason}', -32602, 422),
  'export-missing': row('No function "{path}" is exported', -32602, 404),
  'promise-unmarked': row('A host function returned a promise: mark it with suspending()'),
  'too-many-instances': row('Component makes more instances than its limit allows', -32602, 422),
  'instance-gone': row('Instance has been disposed of', -32603, 500),
  'instance-suspends': row('Cannot call "{path}" synchronously: the instance has imports that suspend'),
  'component-invalid': row('Invalid component at byte {at}: {reason}', -32602, 422),
  'value-misfit': row('Value at {path} does not fit: {problem}', -32602, 400, 2),
  'type-without-json': row('Type {type} cannot be given or taken as JSON', -32602, 400),
  'schema-too-large': row('Type is too large for a JSON Schema: more than {limit} parts', -32602, 400),
  'wit-too-large': row('World is too large to print as WIT: more than {limit} types', -32602, 422),
  // ---- MCP: what protocol/ and server/ answer with. `http` is the status where the revision lets an error have one.
  'parse-error': row('Cannot parse message: {reason}', -32700, 400),
  'invalid-request': row('Invalid request: {reason}', -32600, 400),
  'method-not-found': row('Method not found: "{method}"', -32601, 404),
  'invalid-params': row('Invalid params: {reason}', -32602, 200),
  'invalid-meta': row('Invalid params: {reason}', -32602, 400),
  'unknown-tool': row('Unknown tool: "{name}"', -32602, 200),
  'unknown-prompt': row('Unknown prompt: "{name}"', -32602, 200),
  'unknown-task': row('Unknown task: "{id}"', -32602, 200),
  'resource-not-found': row('Resource not found: "{uri}"', -32002, 200),
  'permission-denied': row('Component permission denied', -32001, 200),
  'header-mismatch': row('Header mismatch: {reason}', -32020, 400),
  'missing-capability': row('Client lacks a capability that this request needs: {names}', -32021, 400),
  'unsupported-version': row('Unsupported protocol version: "{requested}"', -32022, 400),
  'client-cannot': row('Client does not support what this needs: {names}', -32602, 200),
  'client-refused': row('Client answered {method} with an error: {reason}', -32602, 200),
  'session-not-found': row('Session not found: start a new one with initialize', -32600, 404),
  'shutting-down': row('Server is shutting down', -32603, 503),
  'message-too-large': row('Message is larger than {limit} bytes', -32600, 413),
  'too-many-open': row('Too many {what} are open, the limit is {limit}: try again later', -32603, 503),
  'origin-refused': row(
    'Origin "{origin}" is not allowed: add it to listen.allow-origin or with --allow-origin',
    -32600,
    403,
  ),
  'host-refused': row(
    'Host "{host}" is not allowed: make it listen.public-url, or add it to listen.allow-host',
    -32600,
    403,
  ),
  'http-method': row('{method} is not served here, use {allowed}', -32600, 405),
  'http-not-found': row('Nothing is served at "{path}"', -32600, 404),
  'content-type': row('Content-Type must be application/json, it is "{type}"', -32600, 415),
  'not-acceptable': row('Accept must allow {types}, it is "{accept}"', -32600, 406),
  // ---- the gate: who is calling. No codes of our own: MCP 2026-07-28 takes no new ones, and HTTP has the statuses
  unauthenticated: row('Authentication is needed: {reason}', -32600, 401),
  'insufficient-scope': row('Access token lacks a scope that is needed here: {scopes}', -32600, 403),
  'too-many-credentials': row('More than one credential was sent: send one', -32600, 400),
  'too-many-failures': row('Too many failed attempts from this address: try again later', -32600, 429),
  'too-many-sessions': row(
    'Too many sessions of this caller are in use, the limit is {limit}: end one first',
    -32600,
    429,
  ),
  'plain-http': row('Credentials are not taken without TLS: use https', -32600, 403),
  'authentication-unavailable': row('Credentials cannot be checked now: try again later', -32603, 503),
  'authentication-invalid': row('Cannot use these authentication settings: {problem}', -32603, 500, 2),
  'key-unknown': row('No key is named "{name}": witbox key list shows them', -32602, 404),
  'key-exists': row('A key named "{name}" exists: revoke it first, or take another name', -32602, 409),
  'key-name-invalid': row(
    'Cannot use "{name}" as the name of a key: 1 to 64 of a-z, A-Z, 0-9, ".", "_" and "-", starting with a letter or digit',
    -32602,
    400,
    2,
  ),
  'key-label-invalid': row(
    'Cannot use "{label}" as a {what}: 1 to 128 visible characters without spaces, quotes and backslashes',
    -32602,
    400,
    2,
  ),
  'too-many-keys': row('Cannot keep more than {limit} keys: revoke some', -32602, 409),
  'tls-invalid': row('Cannot use certificate "{certificate}" and key "{key}": {problem}', -32603, 500, 2),
  'log-level': row('Cannot read log level "{value}": use one of {levels}', -32603, 500, 2),
  'policy-invalid': row(
    'Cannot parse policy "{name}" at line {line}, column {column}: {problem}',
    -32602,
    400,
    2,
  ),
  'config-invalid': row(
    'Cannot read configuration "{name}" at line {line}, column {column}: {problem}',
    -32602,
    400,
    2,
  ),
  'no-server': row(
    'No server with a configuration is running on the data directory "{directory}": give another with --data-dir',
    -32602,
    404,
  ),
  'permission-invalid': row(
    'Cannot read permission "{permission}": write it as network:HOST, storage:fs:///PATH (read) or environment:KEY',
    -32602,
    400,
    2,
  ),
  'grant-invalid': row('Cannot grant {kind} "{value}": it {problem}', -32602, 400, 2),
  'grant-not-found': row('Cannot revoke {kind} "{value}": the policy has no such grant', -32602, 404),
  // ---- cells: what the broker says about a jailed process and what ended in it
  'wire-malformed': row('Malformed message between broker and cell: {reason}'),
  'cell-start': row(
    'Cannot start a cell: {reason}. Run "witbox doctor" to see what this system offers',
    -32603,
    503,
  ),
  'cell-load': row('Cannot load component "{component}": {reason}', -32602, 422),
  'cell-queue-full': row(
    'Too many calls are waiting for component "{component}", the limit is {limit}: try again later',
    -32000,
    503,
  ),
  'cell-unknown-function': row('Component "{component}" has no function "{name}"', -32602, 404),
  'cells-closed': row('No call is taken: the server is shutting down', -32603, 503),
  'component-unknown': row(
    'Unknown component "{id}": witbox component list shows what is loaded',
    -32602,
    404,
  ),
  'component-exists': row(
    'Cannot load "{source}" as "{id}": that id belongs to {other}; give another with --id',
    -32602,
    409,
  ),
  'component-id-invalid': row(
    'Cannot use "{id}" as a component id: 1 to 64 of a-z, 0-9, _ and -, starting with a letter or digit',
    -32602,
    400,
    2,
  ),
  'source-unreadable': row('Cannot load "{source}": {problem}', -32602, 404),
  'source-unsupported': row('Cannot load "{source}": {problem}', -32602, 400, 2),
  'source-too-large': row('Cannot load "{source}": it is larger than {limit} bytes', -32602, 413),
  'source-mismatch': row('Cannot load "{source}": its digest is {found}, expected {expected}', -32602, 422),
  // ---- gate: who may call what, and how often
  'principal-invalid': row('Cannot read principal "{text}": {problem}', -32602, 400, 2),
  'access-invalid': row('Cannot use access rule {rule}: {problem}', -32602, 400, 2),
  'rate-limited': row('Too many requests: {limit} allows no more now, try again in {seconds} s', -32000, 429),
  'too-many-calls': row(
    'Too many calls at once: {limit} allows {most}, try again when one has ended',
    -32000,
    429,
  ),
  'quota-exceeded': row('Quota used up: {limit} allows no more today, try again in {seconds} s', -32000, 429),
  // ---- secrets
  'secret-invalid': row('Cannot keep secret "{key}": {problem}', -32602, 400, 2),
  'secret-unknown': row('Component "{component}" has no secret "{key}"; see witbox secret list', -32602, 404),
  'secrets-key': row('Cannot open the secrets: {problem}', -32603, 500),
  'secrets-closed': row('Secrets of component "{id}" cannot be opened; the log of the server says why'),
  // ---- client: what a server that we call, or the way to it, did wrong
  'server-unreachable': row('Cannot reach {server}: {reason}', -32603, 502),
  'server-refused': row('Cannot open a connection to {server}: {answer}', -32603, 502),
  'server-unauthorized': row(
    'Cannot get authorization from {server}: {reason}; send a key or token with --header, as "Bearer …" in Authorization',
    -32603,
    401,
  ),
  'server-error': row('{server} answered {method} with error {code}: {reason}', -32603, 502),
  'server-timeout': row('{server} did not answer {method} within {seconds} s', -32603, 504),
  'server-lost': row('Connection to {server} was lost during {method}: {reason}', -32603, 502),
  'server-lies': row('{server} answered {method} with something else than it must: {reason}', -32603, 502),
  'server-asks': row('Server asks for {method}, and nobody here can answer it', -32602, 400),
  'task-ended': row('Task of {method} was {status} by the server', -32603, 502),
  'call-cancelled': row('Cancelled {method}', -32603, 499, 130),
  'connection-closed': row('Cannot send {method}: the connection to {server} has been closed', -32603, 502),
  'server-unknown': row(
    'Unknown server "{name}": it is no address, and it is not in {places}; give a file with --mcp-config',
    -32602,
    404,
    2,
  ),
  'server-config': row('Cannot read servers from "{file}": {problem}', -32602, 400, 2),
  'store-locked': row('Data directory is busy: process {pid} holds its lock; try again', -32603, 503),
  'store-unusable': row(
    'Cannot write to the data directory "{directory}": the system says {reason}',
    -32603,
    500,
  ),
  'audit-missing': row(
    'No audit log is in "{directory}": name its folder with --directory, or the data directory with --data-dir',
    -32602,
    404,
  ),
  'change-unrecorded': row(
    'The change was made, but the audit log could not be written: {reason}',
    -32603,
    500,
  ),
  'audit-unwritable': row('No call is taken: the audit log cannot be written, {reason}', -32603, 503),
  'store-corrupt': row('Cannot read {file} in the data directory: {problem}', -32603, 500),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export type ErrorDetails = Readonly<Record<string, string | number | boolean | bigint | null | undefined>>;

export class WitboxError extends Error {
  override readonly name = 'WitboxError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, cause?: unknown) {
    super(fill(ERRORS[code].message, details), cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }
}

function fill(message: string, details: ErrorDetails): string {
  return message.replace(/\{(\w+)\}/g, (_, key: string) => String(details[key] ?? ''));
}
