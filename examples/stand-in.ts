// A web server on the loopback that stands in for services of the internet in tests: routes by path, answers as given.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StandIn {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** `127.0.0.1:PORT`, for grants. */
  readonly host: string;
  readonly asked: string[];
  close(): Promise<void>;
}

export type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => void;

export async function startStandIn(routes: Readonly<Record<string, Route>>): Promise<StandIn> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    asked.push(request.url ?? '');
    const route = routes[url.pathname];
    if (route !== undefined) route(request, response, url);
    else response.writeHead(404).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin: `http://${host}`,
    host,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export const json =
  (value: unknown, status = 200): Route =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

export const redirect =
  (location: string): Route =>
  (_request, response) =>
    void response.writeHead(302, { location }).end();
