// An issuer of tokens for the benchmark: its keys on loopback, and one token that is good for an hour.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface BenchIssuer {
  readonly issuer: string;
  token(audience: string): Promise<string>;
  close(): void;
}

export async function startIssuer(): Promise<BenchIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' }];
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    token: (audience) =>
      new SignJWT({ scope: 'mcp', groups: ['bench'] })
        .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: 'at+jwt' })
        .setIssuer(issuer)
        .setSubject('bench')
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
