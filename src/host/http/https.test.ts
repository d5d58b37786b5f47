import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { hostWith, type TestHost } from '../../../test/support/host.ts';
import type { WireValue } from '../../core/port.ts';
import { createAgents } from './agents.ts';

const pem = (name: string): string =>
  readFileSync(new URL(`../../../test/fixtures/tls/${name}.pem`, import.meta.url), 'utf8');

async function serve(t: TestContext): Promise<number> {
  const server = createServer({ key: pem('key'), cert: pem('cert') }, (request, response) => {
    response.end(`${(request.socket as TLSSocket).servername} ${request.headers.host}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function trusting(t: TestContext, ca: readonly string[] | null): TestHost {
  const agents = ca === null ? createAgents() : createAgents({ ca });
  t.after(() => agents.close());
  return hostWith(
    t,
    '{network: {allow: [{host: "api.test", scheme: https}, {host: "other.test"}, {cidr: 127.0.0.0/8}]}}',
    { agents, resolve: async () => ['127.0.0.1'] },
  );
}

async function get(host: TestHost, id: number, authority: string, scheme = 'https'): Promise<WireValue> {
  await host.ask('http.start', id, ['GET', scheme, authority, '/', []], [null, null, null]);
  void host.ask('http.finish', id, null);
  const head = await host.ask('http.response', id);
  return typeof head === 'string'
    ? head
    : Buffer.from((await host.ask('http.read', id, 100)) as Uint8Array).toString();
}

test('HTTPS asks for the name and checks the certificate against it, at the checked address', async (t) => {
  const port = await serve(t);
  const host = trusting(t, [pem('cert')]);
  assert.equal(await get(host, 2, `api.test:${port}`), `api.test api.test:${port}`);
});

test('a certificate for another name or from nobody is refused', async (t) => {
  const port = await serve(t);
  assert.equal(await get(trusting(t, [pem('cert')]), 2, `other.test:${port}`), '!TLS-certificate-error');
  assert.equal(await get(trusting(t, [pem('cert')]), 2, `127.0.0.1:${port}`), '!TLS-certificate-error');
  assert.equal(await get(trusting(t, null), 2, `api.test:${port}`), '!TLS-certificate-error');
});

test('a grant for https is none for http', async (t) => {
  const port = await serve(t);
  assert.equal(await get(trusting(t, null), 2, `api.test:${port}`, 'http'), '!HTTP-request-denied');
});
