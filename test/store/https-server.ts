// An https server on loopback with a certificate made on the spot, for tests of downloads.

import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Identity {
  readonly key: string;
  readonly cert: string;
}

export function createIdentity(): Identity {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  return { key, cert: selfSigned(publicKey, privateKey) };
}

/** `ca` is what a client must trust; two servers with one identity are trusted by the same. */
export async function startHttps(
  t: TestContext,
  answer: (incoming: IncomingMessage, response: ServerResponse) => unknown,
  identity: Identity = createIdentity(),
): Promise<{ origin: string; ca: string }> {
  const server = createServer(identity, answer);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, ca: identity.cert };
}

/** A certificate for localhost, made on the spot so that no key lies in the repository. X.509 in DER, RFC 5280. */
function selfSigned(publicKey: KeyObject, privateKey: KeyObject): string {
  const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
    const body = Buffer.concat(parts);
    const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 0xff];
    return Buffer.concat([Buffer.from([tag, ...length]), body]);
  };
  const bytes = (...values: number[]): Buffer => Buffer.from(values);
  const algorithm = der(0x30, der(0x06, bytes(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)));
  const name = der(
    0x30,
    der(0x31, der(0x30, der(0x06, bytes(0x55, 0x04, 0x03)), der(0x0c, Buffer.from('localhost')))),
  );
  const time = (shiftMs: number): Buffer =>
    der(
      0x17,
      Buffer.from(
        `${new Date(Date.now() + shiftMs)
          .toISOString()
          .replace(/[-:T]|\.\d+/g, '')
          .slice(2)}`,
      ),
    );
  const day = 24 * 60 * 60 * 1000;
  const alternative = der(
    0x30,
    der(0x06, bytes(0x55, 0x1d, 0x11)),
    der(0x04, der(0x30, der(0x82, Buffer.from('localhost')))),
  );
  const body = der(
    0x30,
    der(0xa0, der(0x02, bytes(2))),
    der(0x02, bytes(1)),
    algorithm,
    name,
    der(0x30, time(-day), time(day)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, alternative)),
  );
  const certificate = der(0x30, body, algorithm, der(0x03, bytes(0), sign('sha256', body, privateKey)));
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
}
