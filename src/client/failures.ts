// The one place where errors of the official client become ours. Whoever calls sees errors from the table, with the
// original as cause; what a server wrote stays quoted text, cut to a length that fits a line.

import {
  InsufficientScopeError,
  OAuthClientFlowError,
  OAuthError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { type ErrorCode, type ErrorDetails, WitboxError } from '../core/errors.ts';
import { STREAM_ENDED } from './tap.ts';

const MAX_QUOTE = 300;

/** What the server said when it should have opened. */
export type Answer =
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly data?: unknown }
  | { readonly kind: 'http'; readonly status: number; readonly body: string }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'nothing'; readonly stderr?: string };

/** The connection could not be opened; `answer` is what the server said instead. */
export class ConnectError extends WitboxError {
  readonly answer: Answer;

  constructor(code: ErrorCode, details: ErrorDetails, answer: Answer, cause: unknown) {
    super(code, details, cause);
    this.answer = answer;
  }
}

/** What is known about an attempt to open, beside the error. */
export interface Attempt {
  readonly server: string;
  /** The last response that came, as it came. */
  readonly response: { readonly result?: unknown; readonly error?: unknown } | undefined;
  readonly stderr: string;
  readonly seconds: number;
}

export function connectFailure(error: unknown, attempt: Attempt): WitboxError {
  if (error instanceof WitboxError) return error;
  const { server } = attempt;
  const refused = (answer: Answer, text: string) =>
    new ConnectError('server-refused', { server, answer: text }, answer, error);
  if (isUnauthorized(error)) {
    const answer: Answer = { kind: 'http', status: statusOf(error) ?? 401, body: bodyOf(error) };
    return new ConnectError('server-unauthorized', { server, reason: whyUnauthorized(error) }, answer, error);
  }
  if (error instanceof ProtocolError) {
    const answer: Answer = { kind: 'error', code: error.code, message: error.message, data: error.data };
    return refused(answer, `it answered with error ${error.code}: ${quote(error.message)}`);
  }
  const status = statusOf(error);
  if (status !== undefined) {
    const body = bodyOf(error);
    return refused(
      { kind: 'http', status, body },
      `it answered with HTTP ${status}${body ? `: ${quote(saidIn(body))}` : ''}`,
    );
  }
  const result = attempt.response?.result;
  if (result !== undefined) {
    const text = `it answered with ${quote(JSON.stringify(result))}, which ${whyNot(result)}`;
    return refused({ kind: 'result', result }, text);
  }
  const stderr = attempt.stderr.trim();
  const nothing: Answer = stderr === '' ? { kind: 'nothing' } : { kind: 'nothing', stderr };
  if (isTimeout(error)) return refused(nothing, `it said nothing for ${attempt.seconds} s${last(stderr)}`);
  return new ConnectError(
    'server-unreachable',
    { server, reason: `${networkReason(error)}${last(stderr)}` },
    nothing,
    error,
  );
}

export interface Call {
  readonly server: string;
  readonly method: string;
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

export function callFailure(error: unknown, { server, method, seconds, signal }: Call): WitboxError {
  if (error instanceof WitboxError) return error;
  if (signal?.aborted) return new WitboxError('call-cancelled', { method }, error);
  if (isUnauthorized(error))
    return new WitboxError('server-unauthorized', { server, reason: whyUnauthorized(error) }, error);
  if (error instanceof ProtocolError && error.message === STREAM_ENDED)
    return new WitboxError('server-lost', { server, method, reason: STREAM_ENDED }, error);
  if (error instanceof ProtocolError) {
    const { code, message } = error;
    return new WitboxError('server-error', { server, method, code, reason: quote(message) }, error);
  }
  if (isTimeout(error)) return new WitboxError('server-timeout', { server, method, seconds }, error);
  const status = statusOf(error);
  if (status !== undefined) {
    const reason = quote(saidIn(bodyOf(error))) || messageOf(error);
    return new WitboxError('server-error', { server, method, code: `HTTP ${status}`, reason }, error);
  }
  if (error instanceof SdkError && error.code !== SdkErrorCode.ConnectionClosed)
    return new WitboxError('server-lies', { server, method, reason: quote(error.message) }, error);
  return new WitboxError('server-lost', { server, method, reason: networkReason(error) }, error);
}

function isUnauthorized(error: unknown): boolean {
  if (error instanceof SdkHttpError)
    return (
      error.code === SdkErrorCode.ClientHttpAuthentication || error.code === SdkErrorCode.ClientHttpForbidden
    );
  return (
    error instanceof UnauthorizedError ||
    error instanceof InsufficientScopeError ||
    error instanceof OAuthClientFlowError ||
    error instanceof OAuthError
  );
}

export function statusOf(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  return error instanceof SseError ? error.code : undefined;
}

export function isTimeout(error: unknown): boolean {
  return error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
}

function bodyOf(error: unknown): string {
  const text = error instanceof SdkHttpError ? error.data.text : undefined;
  return typeof text === 'string' ? text : '';
}

/** What a body says to people: the message, if it is an error of JSON-RPC. */
function saidIn(body: string): string {
  try {
    const message: unknown = JSON.parse(body)?.error?.message;
    return typeof message === 'string' && message !== '' ? message : body;
  } catch {
    return body;
  }
}

function whyUnauthorized(error: unknown): string {
  return quote(saidIn(bodyOf(error))) || quote(messageOf(error));
}

/** Certificates that this machine does not know, and what makes them known. */
const UNKNOWN_ISSUER: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);
const TRUST_IT = 'its certificate is signed by nobody known here; name a file with it in NODE_EXTRA_CA_CERTS';

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system's own words stand at the end of the chain of causes. */
function networkReason(error: unknown): string {
  let said = '';
  for (let at: unknown = error, depth = 0; depth < 6 && at instanceof Error; at = at.cause, depth++) {
    if (UNKNOWN_ISSUER.has((at as NodeJS.ErrnoException).code)) return TRUST_IT;
    const inner = at instanceof AggregateError ? at.errors[0] : undefined;
    said = (inner instanceof Error && inner.message) || at.message || said;
  }
  return quote(said || String(error));
}

function whyNot(result: unknown): string {
  const version = (result as { protocolVersion?: unknown } | null)?.protocolVersion;
  return typeof version === 'string'
    ? `offers revision "${quote(version)}" or lacks what an answer must have`
    : 'is not what an opening must be answered with';
}

function last(stderr: string): string {
  const line = stderr.split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '' : `; its last words were: ${quote(line)}`;
}

/** One line, without what would act on a terminal. */
function quote(text: string): string {
  const line = text
    .slice(0, 4 * MAX_QUOTE)
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  return line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)} …` : line;
}
