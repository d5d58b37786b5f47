// A real authorization server (oidc-provider) that gives tokens to a client with a secret and to people who consent. It
// can change its keys and be gone for a while; and since the tests hold its keys, they can sign what it never would.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

export interface Issuer {
  readonly issuer: string;
  /** How often its keys were asked for. */
  readonly keyRequests: number;
  /** By client credentials, for this resource (RFC 8707). */
  token(resource: string, scope?: string): Promise<string>;
  /** Signs claims with the key it uses now, and with a header as wished. */
  sign(claims: Record<string, unknown>, header?: Partial<JWTHeaderParameters>): Promise<string>;
  readonly publicKey: JWK;
  /** From now on another key, and the old one is gone. */
  rotate(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
}

const CLIENT = { id: 'robot', secret: 'a-secret-of-a-test-that-is-long-enough' };

export async function startIssuer(algorithm = 'RS256'): Promise<Issuer> {
  let server: Server | null = null;
  let port = 0;
  let keyRequests = 0;
  let key = await makeKey(algorithm);

  async function start(): Promise<void> {
    const started = createServer();
    started.listen(port, '127.0.0.1');
    await once(started, 'listening');
    port = (started.address() as AddressInfo).port;
    const answer = createProvider(`http://127.0.0.1:${port}`, key, algorithm).callback();
    started.on('request', (request, response) => {
      if (request.url === '/jwks') keyRequests++;
      // A connection that is kept would be one to a server that is gone.
      response.shouldKeepAlive = false;
      void answer(request, response);
    });
    server = started;
  }
  async function stop(): Promise<void> {
    server?.closeAllConnections();
    await new Promise((done) => server?.close(done));
  }
  await start();
  const issuer = `http://127.0.0.1:${port}`;

  return {
    issuer,
    get keyRequests() {
      return keyRequests;
    },
    get publicKey() {
      const { kty, n, e, crv, x, y, kid } = key;
      return { kty, n, e, crv, x, y, kid } as JWK;
    },
    async token(resource, scope = 'mcp') {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`,
        },
        body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
      });
      const answer = (await response.json()) as { access_token?: string };
      if (answer.access_token === undefined) throw new Error(`No token: ${JSON.stringify(answer)}`);
      return answer.access_token;
    },
    async sign(claims, header = {}) {
      const signer = new SignJWT(claims).setProtectedHeader({
        alg: algorithm,
        kid: key.kid!,
        typ: 'at+jwt',
        ...header,
      });
      return signer.sign(await importJWK(key, algorithm));
    },
    async rotate() {
      key = await makeKey(algorithm);
      await stop();
      await start();
    },
    stop,
    start,
  };
}

async function makeKey(algorithm: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
  const kid = Math.random().toString(36).slice(2);
  return { ...(await exportJWK(privateKey)), alg: algorithm, use: 'sig', kid };
}

function createProvider(issuer: string, key: JWK, algorithm: string): Provider {
  return new Provider(issuer, {
    jwks: { keys: [key] },
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
      },
    ],
    clientDefaults: { id_token_signed_response_alg: algorithm },
    enabledJWA: { idTokenSigningAlgValues: [algorithm] },
    features: {
      clientCredentials: { enabled: true },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'mcp extra',
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: algorithm } },
        }),
        useGrantedResource: () => true,
      },
    },
    scopes: ['openid', 'offline_access', 'mcp', 'extra'],
    extraTokenClaims: () => ({ groups: ['lab'] }),
    cookies: { keys: ['a key for cookies of a test'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
}
