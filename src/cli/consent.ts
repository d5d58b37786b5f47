// A person's consent on the command line: the address is shown, and a port on this machine that is open only until then
// takes what comes back. Only on a terminal: where nobody can be asked, nothing is opened.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectOptions } from '../client/client.ts';
import type { Io } from './command.ts';
import { printable } from './printable.ts';

const PATH = '/callback';

export interface OpenConsent {
  readonly auth: NonNullable<ConnectOptions['auth']>;
  close(): void;
}

export async function openConsent(io: Io, signal: AbortSignal): Promise<OpenConsent> {
  const { createConsent } = await import('../client/client.ts');
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  promise.catch(() => {});
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', 'http://localhost');
    if (url?.pathname !== PATH) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' });
    response.end('Witbox has what it needs. You can close this page.\n');
    resolve(url.searchParams);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return {
    auth: createConsent({
      clientName: 'Witbox',
      redirectUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
      visit(address) {
        io.err(`The server asks for your consent. Open this address:\n  ${printable(address.href)}\n`);
        return promise;
      },
    }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
