// A real authorization server (oidc-provider) on a free port, a resource server in front of the fixture server that
// takes only its tokens, and a browser without a window that logs in and consents. For tests of the client.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { Provider } from 'oidc-provider';

export interface Authorization {
  readonly issuer: string;
  /** Where the guarded server is. */
  readonly address: URL;
  /** Sends every request on that carries a good token. */
  close(): void;
}

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<{ origin: string; close(): void }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export async function startAuthorization(behind: string): Promise<Authorization> {
  let issuing: ReturnType<Provider['callback']> | undefined;
  const issuer = await listen((request, response) => void issuing?.(request, response));
  let guarded = '';
  const provider = new Provider(issuer.origin, {
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => guarded,
        getResourceServerInfo: () => ({
          scope: 'mcp',
          audience: guarded,
          accessTokenTTL: 3_600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
        useGrantedResource: () => true,
      },
    },
    scopes: ['openid', 'offline_access', 'mcp'],
    issueRefreshToken: () => true,
    cookies: { keys: ['a key for cookies of a test'] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  });
  issuing = provider.callback();
  const keys = createRemoteJWKSet(new URL(`${issuer.origin}/jwks`));

  const resource = await listen((request, response) => void guard(request, response));
  guarded = `${resource.origin}/mcp`;
  const metadata = { resource: guarded, authorization_servers: [issuer.origin], scopes_supported: ['mcp'] };

  async function guard(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
      return;
    }
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    const isGood = await jwtVerify(token, keys, { issuer: issuer.origin, audience: guarded }).then(
      () => true,
      () => false,
    );
    if (!isGood) {
      const place = `${resource.origin}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${place}"` }).end();
      return;
    }
    await forward(request, response, behind);
  }

  return {
    issuer: issuer.origin,
    address: new URL(guarded),
    close() {
      issuer.close();
      resource.close();
    },
  };
}

const OF_ONE_HOP = ['host', 'connection', 'content-length', 'authorization'];

async function forward(request: IncomingMessage, response: ServerResponse, behind: string): Promise<void> {
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk);
  const answer = await fetch(`${behind}${request.url}`, {
    method: request.method!,
    headers: Object.entries(request.headers).filter(([name]) => !OF_ONE_HOP.includes(name)) as [
      string,
      string,
    ][],
    ...(body.length > 0 && { body: Buffer.concat(body) }),
  });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  if (answer.body) for await (const chunk of answer.body) response.write(chunk);
  response.end();
}

/** Logs in, consents to everything, and gives the query with which it is sent back. */
export async function consentTo(address: URL, back: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let at = address;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step++) {
    if (at.href.startsWith(back)) return at.searchParams;
    const reply = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: form }),
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const next = reply.headers.get('location');
    const page = await reply.text();
    form = undefined;
    if (next !== null) {
      at = new URL(next, at);
      continue;
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    const prompt = /name="prompt" value="([^"]+)"/.exec(page)?.[1];
    if (action === undefined || prompt === undefined) throw new Error(`No form: ${page.slice(0, 500)}`);
    at = new URL(action, at);
    form = new URLSearchParams({ prompt, login: 'ann', password: 'any' });
  }
  throw new Error('The authorization server sends people round in circles');
}
