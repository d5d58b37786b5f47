// The parts of a request as they came from a cell, checked before a byte of them is written to a connection. What is
// not certainly one token, one header or one path is refused, so nothing can be smuggled in by CR, LF, NUL or spaces.
// RFC 9110 (tokens, fields) and RFC 9112 (request line).

import { CONNECTION_HEADERS } from '../../core/connection-headers.ts';
import { HostFailure, type WireValue } from '../../core/port.ts';
import { splitAuthority } from '../../policy/endpoint.ts';
import type { HostLimits } from '../limits.ts';
import { bytes, list, text } from '../wire-args.ts';

export type HeaderRow = readonly [name: string, value: Uint8Array];

export interface RequestHead {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: readonly HeaderRow[];
  /** From a `content-length` header: exactly so many bytes must follow. */
  readonly contentLength: number | null;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PATH = /^[\x21\x22\x24-\x7e]*$/;

export function readHead(args: readonly WireValue[], limits: HostLimits): RequestHead {
  const [method, scheme, authority, path] = [
    text(args, 0),
    text(args, 1),
    text(args, 2),
    text(args, 3, 1 << 16),
  ];
  if (!TOKEN.test(method) || method.length > 32 || method.toUpperCase() === 'CONNECT') {
    throw new HostFailure('HTTP-request-method-invalid');
  }
  if (scheme !== 'http' && scheme !== 'https') throw new HostFailure('HTTP-request-URI-invalid');
  const split = splitAuthority(authority);
  if (split === undefined || split.scheme !== undefined) throw new HostFailure('HTTP-request-URI-invalid');
  const port = split.port === undefined ? (scheme === 'http' ? 80 : 443) : Number(split.port);
  if (port < 1 || port > 65_535) throw new HostFailure('HTTP-request-URI-invalid');
  if (path.length > 16_384) throw new HostFailure('HTTP-request-URI-too-long');
  if (!PATH.test(path)) throw new HostFailure('HTTP-request-URI-invalid');
  const headers = readHeaders(args, 4, limits, 'HTTP-request-header-section-size');
  const target = path.startsWith('/') ? path : `/${path}`;
  return { method, scheme, host: split.host, port, path: target, headers, contentLength: lengthOf(headers) };
}

export function readHeaders(
  args: readonly WireValue[],
  at: number,
  limits: HostLimits,
  tooLarge: string,
): readonly HeaderRow[] {
  let size = 0;
  const rows = args[at];
  if (Array.isArray(rows) && rows.length > limits.headerCount) throw new HostFailure(tooLarge);
  return list(args, at, limits.headerCount).map((row) => {
    const pair = list([row], 0, 2);
    const name = text(pair, 0, limits.headerBytes);
    const value = bytes(pair, 1, limits.headerBytes);
    size += name.length + value.byteLength + 4;
    if (size > limits.headerBytes) throw new HostFailure(tooLarge);
    if (!isFieldName(name) || !isFieldValue(value)) throw new HostFailure('HTTP-protocol-error');
    if (CONNECTION_HEADERS.has(name.toLowerCase())) throw new HostFailure('HTTP-request-denied');
    return [name, value];
  });
}

const isFieldName = (name: string): boolean => name.length <= 256 && TOKEN.test(name);

/** Visible characters, spaces, tabs and bytes beyond ASCII; no control characters. */
export function isFieldValue(value: Uint8Array): boolean {
  return value.every((byte) => byte === 9 || (byte >= 32 && byte !== 127));
}

function lengthOf(headers: readonly HeaderRow[]): number | null {
  const lengths = headers.filter(([name]) => name.toLowerCase() === 'content-length');
  if (lengths.length === 0) return null;
  const value = Buffer.from(lengths[0]![1]).toString('latin1');
  if (lengths.length > 1 || !/^[0-9]{1,15}$/.test(value)) throw new HostFailure('HTTP-protocol-error');
  return Number(value);
}

/** Raw headers or trailers of Node as rows of bytes. */
export function rowsOf(raw: readonly string[]): WireValue {
  const rows: WireValue[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) rows.push([raw[at]!, Buffer.from(raw[at + 1]!, 'latin1')]);
  return rows;
}
