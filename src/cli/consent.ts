// A person's consent on the command line: the address is shown, and a port on this machine that is open only until then
// takes what comes back. Only on a terminal: where nobody can be asked, what was consented to before is used, and that
// alone. It is kept in the data directory, in `oauth/`, for its owner's eyes only.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConnectOptions } from '../client/client.ts';
import { resolveDataDir } from '../store/data-dir.ts';
import type { Io } from './command.ts';
import { printable } from './printable.ts';

const PATH = '/callback';

export interface OpenConsent {
  readonly auth: NonNullable<ConnectOptions['auth']>;
  close(): void;
}

/** Nothing if there is neither somebody to ask nor something that was kept. */
export async function openConsent(
  address: URL,
  { forget }: { readonly forget: boolean },
  io: Io,
  signal: AbortSignal,
): Promise<OpenConsent | undefined> {
  const { createConsent, createCredentialFile } = await import('../client/client.ts');
  const home = io.env.HOME ?? homedir();
  const dataDir = resolveDataDir({ flag: undefined, env: io.env, home, platform: process.platform });
  const file = createCredentialFile(join(dataDir, 'oauth'), address);
  if (forget) await file.forget();
  const kept = await file.read();
  const asks = (io.stdin as NodeJS.ReadStream).isTTY === true;
  if (!asks && kept === undefined) return undefined;

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
  if (asks) await listen(server, Number(URL.parse(kept?.redirectUrl ?? '')?.port ?? 0));
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return {
    auth: createConsent({
      clientName: 'Witbox',
      redirectUrl: asks
        ? `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`
        : kept!.redirectUrl,
      kept,
      keep: file.write,
      async visit(at) {
        if (!asks)
          throw new Error('consent has ended and nobody can be asked here: call it on a terminal once');
        io.err(`The server asks for your consent. Open this address:\n  ${printable(at.href)}\n`);
        return promise;
      },
    }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** On the same port as the last time, since that is what this client was registered with, or on a free one. */
async function listen(server: Server, wanted: number): Promise<void> {
  const attempt = (port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const failed = () => resolve(false);
      server.once('error', failed);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', failed);
        resolve(true);
      });
    });
  if (!(wanted > 0 && (await attempt(wanted)))) await attempt(0);
}
