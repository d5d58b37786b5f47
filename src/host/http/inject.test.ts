import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createPlain, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { hostWith, type TestHost } from '../../../test/support/host.ts';
import type { WireValue } from '../../core/port.ts';
import { createAgents } from './agents.ts';

const pem = (name: string): string =>
  readFileSync(new URL(`../../../test/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

interface Seen {
  readonly port: number;
  readonly requests: IncomingMessage[];
}

async function serve(t: TestContext, scheme: 'http' | 'https'): Promise<Seen> {
  const requests: IncomingMessage[] = [];
  const listener: RequestListener = (request, response) => {
    requests.push(request);
    response.writeHead(302, { location: 'https://elsewhere.test/' }).end('ok');
  };
  const server =
    scheme === 'http'
      ? createPlain(listener)
      : createSecure({ key: pem('key'), cert: pem('cert') }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

function hostFor(t: TestContext, rules: string, secrets: Record<string, string>): TestHost {
  const agents = createAgents({ ca: [pem('cert')] });
  t.after(() => agents.close());
  return hostWith(
    t,
    `{network: {allow: [{host: api.test}, {host: other.test}, {cidr: 127.0.0.0/8}]}, secrets: {allow: [${rules}]}}`,
    { agents, resolve: async () => ['127.0.0.1'], secrets: new Map(Object.entries(secrets)) },
  );
}

interface Asked {
  readonly scheme?: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

async function send(host: TestHost, id: number, authority: string, asked: Asked = {}): Promise<WireValue> {
  const headers = Object.entries(asked.headers ?? {}).map(([name, value]) => [name, Buffer.from(value)]);
  const head = [asked.method ?? 'GET', asked.scheme ?? 'https', authority, asked.path ?? '/', headers];
  const started = await host.ask('http.start', id, head as WireValue, [null, null, null]);
  if (started !== null) return started;
  void host.ask('http.finish', id, null);
  return host.ask('http.response', id);
}

const RULE = (port: number): string =>
  `{key: TOKEN, host: "api.test:${port}", header: Authorization, value: "Bearer {secret}"}`;

test('a granted secret goes out as a header that the guest never set, and replaces one that it did', async (t) => {
  const { port, requests } = await serve(t, 'https');
  const host = hostFor(t, RULE(port), { TOKEN: 'canary', OTHER: 'not this one' });
  const answer = await send(host, 2, `api.test:${port}`);
  await send(host, 4, `API.test.:${port}`, { headers: { AUTHORIZATION: 'guest', 'x-own': '1' } });
  assert.deepEqual(
    requests.map(({ headers }) => [headers.authorization, headers['x-own']]),
    [
      ['Bearer canary', undefined],
      ['Bearer canary', '1'],
    ],
  );
  assert.doesNotMatch(Buffer.from(JSON.stringify(answer)).toString(), /canary/);
  assert.equal(requests.length, 2, 'a redirect is not followed');
});

test('a parameter is added to the query and replaces those of the same name, however they are written', async (t) => {
  const { port, requests } = await serve(t, 'https');
  const host = hostFor(t, `{key: ID, host: "api.test:${port}", query: appid}`, {
    ID: 'a&b=ö/',
  });
  for (const [at, path] of ['/x', '/x?q=1&appid=guest&r=%20', '/?app%69d=guest', '/?'].entries())
    await send(host, 2 + at * 2, `api.test:${port}`, { path });
  const sent = 'appid=a%26b%3D%C3%B6%2F';
  assert.deepEqual(
    requests.map(({ url }) => url),
    [`/x?${sent}`, `/x?q=1&r=%20&${sent}`, `/?${sent}`, `/?${sent}`],
  );
});

test('nothing is sent to another host, port or scheme', async (t) => {
  const [secure, plain] = [await serve(t, 'https'), await serve(t, 'http')];
  const rules = `${RULE(secure.port)}, {key: TOKEN, host: "other.test:${plain.port}", header: x-key}`;
  const host = hostFor(t, rules, { TOKEN: 'canary' });
  await send(host, 2, `api.test:${plain.port}`, { scheme: 'http' });
  await send(host, 4, `other.test:${plain.port}`, { scheme: 'http' });
  await send(host, 6, `127.0.0.1:${plain.port}`, { scheme: 'http' });
  assert.equal(plain.requests.length, 3);
  for (const { rawHeaders, url } of plain.requests) assert.doesNotMatch(`${rawHeaders} ${url}`, /canary/);
});

test('plain http carries a secret only where the rule says http', async (t) => {
  const { port, requests } = await serve(t, 'http');
  const host = hostFor(t, `{key: TOKEN, host: "http://api.test:${port}", header: x-key}`, {
    TOKEN: 'canary',
  });
  await send(host, 2, `api.test:${port}`, { scheme: 'http' });
  assert.equal(requests[0]?.headers['x-key'], 'canary');
});

test('a secret grant is no network grant', async (t) => {
  const { port, requests } = await serve(t, 'https');
  const host = hostWith(t, `{secrets: {allow: [${RULE(port)}]}}`, {
    secrets: new Map([['TOKEN', 'canary']]),
  });
  assert.equal(await send(host, 2, `api.test:${port}`), '!HTTP-request-denied');
  assert.deepEqual(
    host.denials().map(({ permission }) => permission),
    [`network:api.test:${port}`],
  );
  assert.equal(requests.length, 0);
});

test('a secret that is missing or cannot be sent is a denial, and nothing goes out', async (t) => {
  const { port, requests } = await serve(t, 'https');
  for (const secrets of [{}, { TOKEN: 'two\nlines' }] as Record<string, string>[]) {
    const host = hostFor(t, RULE(port), secrets);
    assert.equal(await send(host, 2, `api.test:${port}`), '!HTTP-request-denied');
    assert.deepEqual(
      host.denials().map(({ permission }) => permission),
      ['secret:TOKEN'],
    );
  }
  assert.equal(requests.length, 0);
});

test('TRACE, which would send it back, is refused', async (t) => {
  const { port, requests } = await serve(t, 'https');
  const host = hostFor(t, RULE(port), { TOKEN: 'canary' });
  assert.equal(await send(host, 2, `api.test:${port}`, { method: 'trace' }), '!HTTP-request-denied');
  assert.equal(requests.length, 0);
});
