// What a request brings along to prove who sends it, gathered from its headers and its socket. Nothing is believed here
// but what TLS has checked, and never anything from the query: addresses end up in logs.

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import type { ClientCertificate, Credentials } from '../../core/credentials.ts';
import { WitboxError } from '../../core/errors.ts';
import type { Peers } from './client-address.ts';

export function createCredentialsReader(peers: Peers): (request: IncomingMessage) => Credentials {
  // Reading a certificate takes longer than a request; it stays the same as long as the socket.
  const certificates = new WeakMap<Socket, ClientCertificate | null>();
  const certificateOf = (socket: Socket): ClientCertificate | null => {
    if (!(socket instanceof TLSSocket) || !socket.authorized) return null;
    let certificate = certificates.get(socket);
    if (certificate === undefined) {
      certificate = readCertificate(socket.getPeerCertificate());
      certificates.set(socket, certificate);
    }
    return certificate;
  };
  return (request) => {
    refuseRepeated(request);
    const { address, isNear } = peers.of(request);
    const { authorization, 'x-api-key': key } = request.headers;
    return {
      headers: { authorization, 'x-api-key': Array.isArray(key) ? key.join(', ') : key },
      address,
      certificate: certificateOf(request.socket),
      encrypted: isNear || request.socket instanceof TLSSocket,
    };
  };
}

/** Node takes the first of several, a proxy before us perhaps the last: then two would be checked by one each. */
function refuseRepeated({ rawHeaders }: IncomingMessage): void {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') seen++;
  }
  if (seen > 1) throw new WitboxError('too-many-credentials');
}

function readCertificate({
  subject,
  subjectaltname,
  fingerprint256,
  valid_to,
}: PeerCertificate): ClientCertificate | null {
  if (fingerprint256 === undefined) return null;
  const expiresAt = Date.parse(valid_to);
  return {
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
    name: list(subject?.CN)[0] ?? firstAlternative(subjectaltname),
    units: list(subject?.OU),
    expiresAt: Number.isNaN(expiresAt) ? 0 : expiresAt,
  };
}

/** One that Node had to quote could be read in two ways. */
function firstAlternative(names: string | undefined): string {
  return /^(?:DNS|URI|email|IP Address):([^,"]+)/.exec(names ?? '')?.[1] ?? '';
}

/** A subject may have several values of a kind, of which Node then gives a list. */
function list(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}
