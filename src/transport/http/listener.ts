// The socket that is listened on, with or without TLS, and the HTTP server behind it. On a port with TLS, whoever speaks
// plain HTTP is told so in words; everything else goes to TLS, which ends it if it is not.

import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { createServer as createSocketServer, type Socket, type Server as SocketServer } from 'node:net';
import type { TlsMaterial } from './tls.ts';

export interface Listener {
  /** What listens and counts connections. */
  readonly sockets: SocketServer;
  /** What speaks HTTP; with TLS it gets its sockets from `sockets`. */
  readonly http: Server | SecureServer;
  /** For connections from now on. */
  secure(material: TlsMaterial): void;
}

const HANDSHAKE_MS = 10_000;
/** The first byte of every TLS connection: a handshake record (RFC 8446, section 5.1). */
const HANDSHAKE = 0x16;
const USE_TLS = 'This port speaks TLS: use https\n';

export function createListener(
  options: ServerOptions,
  tls: TlsMaterial | null,
  asksClients: boolean,
  handle: RequestListener,
): Listener {
  if (!tls) {
    const http = createServer(options, handle);
    return { sockets: http, http, secure() {} };
  }
  // Who has no certificate may still have a key: the gate decides, not the handshake.
  const http = createSecureServer(
    {
      ...options,
      ...tls.options,
      handshakeTimeout: HANDSHAKE_MS,
      requestCert: asksClients,
      rejectUnauthorized: false,
    },
    handle,
  );
  const sockets = createSocketServer((socket) => sortOut(socket, http));
  return { sockets, http, secure: ({ options: next }) => http.setSecureContext(next) };
}

function sortOut(socket: Socket, http: SecureServer): void {
  const drop = (): void => void socket.destroy();
  socket.on('error', drop);
  socket.setTimeout(HANDSHAKE_MS, drop);
  socket.once('readable', () => {
    const first = socket.read() as Buffer | null;
    if (!first) return drop();
    socket.setTimeout(0);
    socket.off('timeout', drop);
    if (first[0] === HANDSHAKE) {
      socket.off('error', drop);
      socket.unshift(first);
      http.emit('connection', socket);
      return;
    }
    const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: ${USE_TLS.length}\r\nConnection: close\r\n\r\n`;
    socket.end(/^[A-Z]+ /.test(first.toString('latin1', 0, 16)) ? head + USE_TLS : '', drop);
  });
}
