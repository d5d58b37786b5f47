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
  'wasm-expected': row('Expected {expected}, found {found}', -32602, 422),
  'wasm-malformed': row('Malformed WebAssembly in {section} at byte {offset}: {reason}', -32602, 422),
  'wasm-limit': row(
    'WebAssembly asks for too much in {section} at byte {offset}: {count} {what}, the limit is {limit}',
    -32602,
    422,
  ),
  'component-invalid': row('Invalid component at byte {at}: {reason}', -32602, 422),
  'value-misfit': row('Value at {path} does not fit: {problem}', -32602, 400, 2),
  'type-without-json': row('Type {type} cannot be given or taken as JSON', -32602, 400),
  'schema-too-large': row('Type is too large for a JSON Schema: more than {limit} parts', -32602, 400),
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
