// One bounded GET over https: every hop is https, redirects are few, size and time are bounded, and no hop leads into a
// private network unless that was allowed, so that a reference given by a model cannot make this machine ask its
// neighbours. The address that was checked is the address that is connected to; credentials stay with their origin.

import { lookup as systemLookup } from 'node:dns';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { WitboxError } from '../../core/errors.ts';
import { parseAddress } from '../../policy/address.ts';
import { canonicalHost } from '../../policy/host.ts';
import { specialRangeOf } from '../../policy/special-ranges.ts';

export interface HttpsOptions {
  /** Whether hosts of private, loopback and other special ranges may be asked. */
  readonly allowPrivate?: boolean;
  /** Certificate authorities to trust instead of the built-in ones, PEM. */
  readonly ca?: string;
  readonly timeoutMs?: number;
}

export interface Download {
  readonly url: string;
  /** What a person asked for; errors name it and not where it led. */
  readonly source: string;
  readonly maxBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly options?: HttpsOptions | undefined;
}

export interface Downloaded {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
}

const MAX_REDIRECTS = 5;
const TIMEOUT_MS = 120_000;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Gives any answer that is not a redirect, whatever its status. */
export async function download(task: Download): Promise<Downloaded> {
  const timeout = AbortSignal.timeout(task.options?.timeoutMs ?? TIMEOUT_MS);
  const signal = task.signal ? AbortSignal.any([task.signal, timeout]) : timeout;
  const first = parseUrl(task.url, task.source);
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const { authorization, ...rest } = task.headers ?? {};
    const headers =
      authorization !== undefined && url.origin === first.origin ? { ...rest, authorization } : rest;
    const response = await ask(url, { ...task, headers, signal });
    const status = response.statusCode ?? 0;
    const next = response.headers.location;
    if (!REDIRECTS.has(status) || next === undefined) {
      return {
        status,
        headers: response.headers,
        bytes: await readBody(response, task.source, task.maxBytes),
      };
    }
    response.destroy();
    url = parseUrl(URL.canParse(next, url) ? new URL(next, url).href : next, task.source);
  }
  throw unreadable(task.source, `it redirects more than ${MAX_REDIRECTS} times`);
}

export function parseUrl(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:') throw unreadable(source, 'it leads to something that is not https:');
  if (url.username || url.password) throw unreadable(source, 'it has a user name or password in it');
  url.hash = '';
  return url;
}

export function unreadable(source: string, problem: string, cause?: unknown): WitboxError {
  return new WitboxError('source-unreadable', { source, problem }, cause);
}

function ask(url: URL, { source, headers, signal, options = {} }: Download): Promise<IncomingMessage> {
  const host = canonicalHost(url.hostname);
  if (!host) throw unreadable(source, 'its host name is not valid');
  // A literal address is connected to without a lookup.
  if (host.kind === 'address' && !options.allowPrivate) refuseSpecial(host.text, source);
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent: false,
      headers: headers ?? {},
      ...(signal && { signal }),
      ...(!options.allowPrivate && { lookup: checkedLookup(source) }),
      ...(options.ca && { ca: options.ca }),
    });
    outgoing.on('response', resolve);
    outgoing.on('error', (error) => reject(asUnreadable(error, source)));
    outgoing.end();
  });
}

function checkedLookup(source: string): LookupFunction {
  return (hostname, options, callback) => {
    systemLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      try {
        for (const { address } of addresses) refuseSpecial(address, source);
      } catch (refusal) {
        return callback(refusal as Error, '');
      }
      if (options.all) return callback(null, addresses);
      const [first] = addresses;
      return callback(null, first!.address, first!.family);
    });
  };
}

function refuseSpecial(text: string, source: string): void {
  const address = parseAddress(text);
  const range = address ? specialRangeOf(address) : 'unreadable';
  if (range)
    throw unreadable(source, `it leads to the ${range} address ${text}, which must be allowed first`);
}

async function readBody(response: IncomingMessage, source: string, maxBytes: number): Promise<Uint8Array> {
  const announced = Number(response.headers['content-length'] ?? 0);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    if (announced > maxBytes) throw new WitboxError('source-too-large', { source, limit: maxBytes });
    for await (const chunk of response as AsyncIterable<Uint8Array>) {
      length += chunk.byteLength;
      if (length > maxBytes) throw new WitboxError('source-too-large', { source, limit: maxBytes });
      chunks.push(chunk);
    }
  } catch (error) {
    throw asUnreadable(error, source);
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks, length);
}

function asUnreadable(error: unknown, source: string): WitboxError {
  if (error instanceof WitboxError) return error;
  const { code, name } = error as NodeJS.ErrnoException;
  const ended = name === 'TimeoutError' || name === 'AbortError';
  return unreadable(
    source,
    ended ? 'it took too long or was cancelled' : `the download failed (${code ?? name})`,
    error,
  );
}
