// The guest of test/fixtures/wasi/net, with its exports as functions: the caller says what it shall try.

import type { Host } from '../../src/host/host.ts';
import { guest } from './guest.ts';

export interface FetchRequest {
  readonly method?: string;
  readonly https?: boolean;
  readonly authority: string;
  readonly path?: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly chunks?: number;
  readonly chunkSize?: number;
  readonly trailer?: boolean;
  readonly firstByteMs?: number;
}

export interface FetchResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  readonly trailers: readonly (readonly [string, string])[];
}

/** The value of `ok`, or the text of `err` with a mark in front. */
type Outcome<T> = T | string;

export interface NetGuest {
  fetch(request: FetchRequest): Promise<Outcome<FetchResponse>>;
  tcp(host: string, port: number, message: string): Promise<string>;
  udp(host: string, port: number, message: string): Promise<string>;
  listen(): Promise<Outcome<undefined>>;
  config(key: string): Promise<string | undefined>;
  keyvalue(bucket: string): Promise<string>;
  streams(): Promise<Outcome<undefined>>;
  path(operation: string, path: string, other?: string): Promise<string>;
  huge(what: string): Promise<Outcome<bigint>>;
  flood(what: string, authority?: string): Promise<number>;
  sleep(ms: number): Promise<bigint>;
}

export async function netGuest(host: Host): Promise<NetGuest> {
  const instance = await guest('net.wasm', host);
  const outcome = async <T>(name: string, ...args: Parameters<typeof instance.call>[1]): Promise<T> => {
    const { tag, val } = (await instance.call(name, args)) as { tag: string; val: unknown };
    return (tag === 'ok' ? val : `!${String(val)}`) as T;
  };
  return {
    fetch: ({ method = 'GET', https = false, authority, path = '/', headers = [], ...rest }) =>
      outcome('fetch', {
        method,
        https,
        authority,
        path,
        headers,
        chunks: rest.chunks ?? 0,
        'chunk-size': rest.chunkSize ?? 0,
        trailer: rest.trailer ?? false,
        'first-byte-ms': rest.firstByteMs,
      }),
    tcp: (host, port, message) => outcome('tcp', host, port, message),
    udp: (host, port, message) => outcome('udp', host, port, message),
    listen: () => outcome('listen'),
    config: async (key) => (await instance.call('config', [key])) as string | undefined,
    keyvalue: (bucket) => outcome('keyvalue', bucket),
    streams: () => outcome('streams'),
    path: (operation, path, other = '') => outcome('path', operation, path, other),
    huge: (what) => outcome('huge', what),
    flood: async (what, authority = '') => (await instance.call('flood', [what, authority])) as number,
    sleep: async (ms) => (await instance.call('sleep', [ms])) as bigint,
  };
}
