// One request and its response, streamed both ways with back-pressure. The head is sent with the first byte of the body
// or its end, so a request that turns out to have no body is sent without one. No redirect is followed: a guest that
// wants to go on makes another request, which is decided like the first.

import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { HostFailure, type WireValue } from '../../core/port.ts';
import { createExclusive } from '../exclusive.ts';
import type { Holding } from '../handles.ts';
import type { HostLimits } from '../limits.ts';
import type { Endpoint } from '../net/endpoint.ts';
import type { Agents, CheckedOptions } from './agents.ts';
import { httpFailure } from './errors.ts';
import type { Inject } from './inject.ts';
import type { HeaderRow, RequestHead } from './message.ts';
import { createResponseReader, type ResponseReader } from './response.ts';

export interface Timeouts {
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly betweenBytesMs: number;
}

export interface Exchange extends Holding {
  readonly kind: 'exchange';
  /** Resolves when the connection can take more. */
  write(bytes: Uint8Array): Promise<void>;
  finish(trailers: readonly HeaderRow[] | null): Promise<void>;
  /** [status, header rows], once. */
  response(): Promise<WireValue>;
  /** Bytes of the response body; none at its end. */
  read(most: number): Promise<Uint8Array>;
  trailers(): Promise<WireValue>;
}

interface ExchangeDeps {
  readonly agents: Agents;
  readonly limits: HostLimits;
  /** Decides and resolves; every address in the answer may be connected to. */
  readonly endpoint: Promise<Endpoint>;
  /** Gives the head as it is sent, once the endpoint has been decided. */
  readonly inject: Inject;
}

export function createExchange(deps: ExchangeDeps, head: RequestHead, timeouts: Timeouts): Exchange {
  const { limits } = deps;
  const abort = new AbortController();
  const answer = Promise.withResolvers<ResponseReader>();
  answer.promise.catch(() => {});
  const [reading, writing] = [createExclusive(), createExclusive()];
  let lastRead: Promise<unknown> = Promise.resolve();
  let sent = 0;
  let outgoing: Promise<ClientRequest> | null = null;
  let firstByte: NodeJS.Timeout | undefined;
  let reader: ResponseReader | null = null;

  const fail = (error: unknown): HostFailure => {
    const failure = httpFailure(error);
    answer.reject(failure);
    abort.abort();
    return failure;
  };
  deps.endpoint.catch(fail);
  const ended = new Promise<never>((_, reject) => {
    abort.signal.addEventListener('abort', () => reject(new HostFailure('connection-terminated')), {
      once: true,
    });
  });
  ended.catch(() => {});

  /** Connects and sends the head, the first time it is called. */
  const start = (hasBody: boolean): Promise<ClientRequest> => {
    outgoing ??= Promise.race([deps.endpoint, ended]).then((endpoint) => {
      abort.signal.throwIfAborted();
      const request = open(deps, deps.inject(head), endpoint, hasBody, abort.signal, timeouts);
      request.on('response', (message: IncomingMessage) => {
        clearTimeout(firstByte);
        reader = createResponseReader(message, limits, timeouts.betweenBytesMs);
        answer.resolve(reader);
      });
      request.on('error', (error) => fail(error));
      request.on('upgrade', (_, socket) => {
        socket.destroy();
        fail(new HostFailure('HTTP-upgrade-failed'));
      });
      return request;
    });
    outgoing.catch(fail);
    return outgoing;
  };

  return {
    kind: 'exchange',
    async write(bytes) {
      sent += bytes.byteLength;
      const most = head.contentLength ?? limits.requestBodyBytes;
      if (sent > Math.min(most, limits.requestBodyBytes))
        throw fail(new HostFailure('HTTP-request-body-size', most));
      await writing(async () => {
        const request = await start(true);
        await pushed(request, bytes, timeouts.betweenBytesMs).catch((error: unknown) => {
          throw fail(error);
        });
      });
    },
    async finish(trailers) {
      if (head.contentLength !== null && sent !== head.contentLength) {
        throw fail(new HostFailure('HTTP-request-body-size', sent));
      }
      const request = await start(sent > 0).catch((error: unknown) => {
        throw httpFailure(error);
      });
      if (trailers !== null && sent > 0 && head.contentLength === null) {
        request.addTrailers(
          trailers.map(([name, value]): [string, string] => [name, Buffer.from(value).toString('latin1')]),
        );
      }
      request.end();
      firstByte = setTimeout(() => fail(new HostFailure('HTTP-response-timeout')), timeouts.firstByteMs);
    },
    async response() {
      const { status, headers } = await answer.promise;
      return [status, headers];
    },
    read(most) {
      const read = reading(async () => (await answer.promise).read(most));
      lastRead = read.catch(() => {});
      return read;
    },
    async trailers() {
      // A guest may be done with the body while a read ahead is still under way.
      await lastRead;
      return reading(async () => (await answer.promise).trailers());
    },
    close() {
      clearTimeout(firstByte);
      // A response read to its end leaves the connection to be used again.
      if (reader === null || !reader.close()) fail(new HostFailure('connection-terminated'));
    },
  };
}

function open(
  { agents, limits }: ExchangeDeps,
  head: RequestHead,
  { host, port, addresses }: Endpoint,
  hasBody: boolean,
  signal: AbortSignal,
  timeouts: Timeouts,
): ClientRequest {
  const secure = head.scheme === 'https';
  const shown = host.kind === 'address' && host.address.family === 6 ? `[${host.text}]` : host.text;
  const standard = port === (secure ? 443 : 80);
  const lookup: LookupFunction = (_name, options, callback) => {
    const first = addresses[0]!;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
  const options: CheckedOptions & { servername?: string } = {
    method: head.method,
    path: head.path,
    host: host.text,
    port,
    lookup,
    checked: addresses.map(({ address }) => address).join(','),
    agent: secure ? agents.https : agents.http,
    setHost: false,
    maxHeaderSize: limits.headerBytes,
    insecureHTTPParser: false,
    signal,
    // Names only: RFC 6066 forbids addresses.
    servername: isIP(host.text) === 0 ? host.text : '',
  };
  const request = secure ? httpsRequest(options) : httpRequest(options);
  request.setHeader('Host', standard ? shown : `${shown}:${port}`);
  for (const [name, value] of head.headers) {
    request.appendHeader(name, Buffer.from(value).toString('latin1'));
  }
  if (hasBody && head.contentLength === null) request.setHeader('Transfer-Encoding', 'chunked');
  if (!hasBody && head.contentLength === null) request.useChunkedEncodingByDefault = false;
  if (!hasBody && head.contentLength === null && /^(?:POST|PUT|PATCH)$/i.test(head.method)) {
    request.setHeader('Content-Length', '0');
  }
  watchConnect(request, addresses, timeouts.connectMs);
  return request;
}

function watchConnect(request: ClientRequest, addresses: Endpoint['addresses'], connectMs: number): void {
  const timer = setTimeout(() => request.destroy(new HostFailure('connection-timeout')), connectMs);
  request.on('close', () => clearTimeout(timer));
  request.on('socket', (socket) => {
    const connected = (): void => {
      clearTimeout(timer);
      // The border of all this: whatever happened above, bytes go to a checked address or nowhere.
      const remote = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/, '');
      if (!addresses.some(({ address }) => address === remote)) {
        request.destroy(new HostFailure('destination-IP-prohibited'));
      }
    };
    if (socket.connecting) socket.once('connect', connected);
    else connected();
  });
}

/** Writes, and waits until there is room again. */
function pushed(request: ClientRequest, bytes: Uint8Array, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (settle: () => void): void => {
      clearTimeout(timer);
      request.off('drain', onDrain);
      request.off('close', onClose);
      settle();
    };
    const onDrain = (): void => done(resolve);
    const onClose = (): void => done(() => reject(new HostFailure('connection-terminated')));
    const timer = setTimeout(
      () => done(() => reject(new HostFailure('connection-write-timeout'))),
      timeoutMs,
    );
    request.on('drain', onDrain);
    request.on('close', onClose);
    if (request.destroyed) return onClose();
    if (request.write(bytes)) onDrain();
  });
}
