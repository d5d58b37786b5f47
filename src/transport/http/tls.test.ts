// TLS on the one port: what clients see, who they are by their certificates, and files that change under a server.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { request as plainRequest } from 'node:http';
import { Agent, request as secureRequest } from 'node:https';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { createAuthority } from '../../../test/gate/certificates.ts';
import { createHarness } from '../../../test/mcp/harness.ts';
import { ANYBODY } from '../../core/caller.ts';
import type { Credentials } from '../../core/credentials.ts';
import type { HttpOptions } from './http.ts';
import { makeSelfSigned } from './self-signed.ts';
import { readTls } from './tls.ts';

const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
const JSON_TYPE = { 'content-type': 'application/json' };

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A server with a certificate of its own, and what it was told about each caller. */
async function secureServer(t: TestContext, more: HttpOptions = {}, clientCa?: string) {
  const folder = await mkdtemp(join(tmpdir(), 'witbox-tls-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const files = { certificate: join(folder, 'a.crt'), key: join(folder, 'a.key') };
  const install = async (made = makeSelfSigned(['localhost', '127.0.0.1'], new Date())) => {
    for (const [path, text] of [
      [files.key, made.key],
      [files.certificate, made.certificate],
    ] as const) {
      await writeFile(`${path}.new`, text);
      await rename(`${path}.new`, path);
    }
    return made.certificate;
  };
  const certificate = await install();
  const authorities = join(folder, 'ca.crt');
  if (clientCa !== undefined) await writeFile(authorities, clientCa);
  const seen: Credentials[] = [];
  const tls = { ...files, ...(clientCa !== undefined && { clientCa: authorities }) };
  const authenticate = (credentials: Credentials) => {
    seen.push(credentials);
    return ANYBODY;
  };
  const harness = await createHarness({ http: { tls, authenticate, limits: { graceMs: 100 }, ...more } });
  t.after(harness.close);
  const port = Number(new URL(harness.origin).port);
  return { port, files, install, certificate, seen, logs: harness.logs };
}

function call(
  port: number,
  options: { ca: string; cert?: string; key?: string; headers?: Record<string, string> },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { headers, ...tls } = options;
    const agent = new Agent({ ...tls, keepAlive: false });
    const path = { host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent };
    secureRequest({ ...path, headers: { ...JSON_TYPE, ...headers } }, async (response) => {
      let body = '';
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, body });
    })
      .on('error', reject)
      .end(list);
  });
}

async function until(done: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end; await sleep(50)) if (await done()) return;
  assert.fail('It did not come to pass');
}

test('requests over TLS are answered, and pages of the same origin may send them', async (t) => {
  const { port, certificate, seen } = await secureServer(t);
  const answer = await call(port, { ca: certificate });
  assert.equal(answer.status, 200);
  assert.match(answer.body, /"tools"/);
  assert.deepEqual([seen[0]?.encrypted, seen[0]?.certificate, seen[0]?.address], [true, null, '127.0.0.1']);
  const from = (origin: string) => call(port, { ca: certificate, headers: { origin } });
  assert.equal((await from(`https://127.0.0.1:${port}`)).status, 200);
  assert.equal((await from(`http://127.0.0.1:${port}`)).status, 403);
});

test('whoever speaks plain HTTP to the port is told in words, and everything else is let go', async (t) => {
  const { port, certificate } = await secureServer(t);
  const [response] = await once(plainRequest({ host: '127.0.0.1', port, path: '/mcp' }).end(), 'response');
  assert.equal(response.statusCode, 400);
  let said = '';
  for await (const chunk of response) said += chunk;
  assert.equal(said, 'This port speaks TLS: use https\n');
  for (const rubbish of ['\x00\x01\x02', '\x16\x03\x01\x00\x05hello', '\r\n']) {
    const socket = connectSocket(port, '127.0.0.1').on('error', () => {});
    socket.resume().end(rubbish, 'latin1');
    await once(socket, 'close');
  }
  assert.equal((await call(port, { ca: certificate })).status, 200);
});

test('TLS older than 1.2 is refused', async (t) => {
  const { port } = await secureServer(t);
  const old = connect({
    port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1.1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  });
  await assert.rejects(once(old, 'secureConnect'));
  const good = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2' });
  await once(good, 'secureConnect');
  assert.equal(good.getProtocol(), 'TLSv1.2');
  good.destroy();
});

test('a certificate that changes is shown to the next client; one that is broken changes nothing', async (t) => {
  const { port, files, install, certificate, logs } = await secureServer(t);
  const shown = async () => {
    const socket: TLSSocket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
    await once(socket, 'secureConnect');
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const open = connect({ port, host: '127.0.0.1', ca: certificate });
  await once(open, 'secureConnect');
  const first = await shown();
  await install();
  const second = readTls(files).fingerprint;
  assert.notEqual(second, first);
  await until(async () => (await shown()) === second);
  await writeFile(files.key, makeSelfSigned(['localhost'], new Date()).key);
  await until(async () => logs.some((line) => line.includes('certificate not changed')));
  assert.equal(await shown(), second);
  await rm(files.certificate);
  assert.equal(await shown(), second);
  open.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const [answer] = (await once(open, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 200/, 'what was open goes on');
});

test('files that do not belong together, or are none, keep a server from starting', async (t) => {
  const { files, install } = await secureServer(t);
  await writeFile(files.key, makeSelfSigned(['localhost'], new Date()).key);
  assert.throws(() => readTls(files), { code: 'tls-invalid' });
  await install();
  await writeFile(files.certificate, 'nothing');
  assert.throws(() => readTls(files), { code: 'tls-invalid' });
  assert.throws(() => readTls({ ...files, key: '/nonexistent' }), { code: 'tls-invalid' });
});

test('a client certificate names its holder only if the authority signed it', async (t) => {
  const authority = createAuthority();
  const { port, certificate: ca, seen } = await secureServer(t, {}, authority.cert);
  const ada = authority.issue({ name: 'ada', units: ['lab', 'ops'] });
  const sent = async (pair?: { cert: string; key: string }) => {
    assert.equal((await call(port, { ca, ...pair })).status, 200);
    return seen.at(-1)?.certificate ?? null;
  };
  const known = await sent(ada);
  assert.deepEqual([known?.name, known?.units], ['ada', ['lab', 'ops']]);
  assert.match(known?.fingerprint ?? '', /^[0-9a-f]{64}$/);
  assert.ok((known?.expiresAt ?? 0) > Date.now());
  const named = await sent(authority.issue({ uri: 'spiffe://example.org/robot' }));
  assert.equal(named?.name, 'spiffe://example.org/robot');
  assert.equal(await sent(), null);
  // Same names, but its own authority: the handshake goes through, and it proves nothing.
  assert.equal(await sent(createAuthority().issue({ name: 'ada' })), null);
  const selfMade = makeSelfSigned(['ada'], new Date());
  assert.equal(await sent({ cert: selfMade.certificate, key: selfMade.key }), null);
});

test('a server without authorities asks no client for a certificate and believes none', async (t) => {
  const { port, certificate: ca, seen } = await secureServer(t);
  await call(port, { ca, ...createAuthority().issue({ name: 'ada' }) });
  assert.equal(seen[0]?.certificate, null);
});

test('WebSockets open over TLS, and connections that have ended count no longer', async (t) => {
  const quotas = () => ({ sessionsPerCaller: null, connectionsPerAddress: 3 });
  const { port, certificate: ca } = await secureServer(t, { quotas });
  const socket = connect({ port, host: '127.0.0.1', ca });
  await once(socket, 'secureConnect');
  const lines = ['GET /ws HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: websocket'];
  const more = [
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${'A'.repeat(22)}==`,
    'Sec-WebSocket-Protocol: mcp',
  ];
  socket.write(`${[...lines, ...more].join('\r\n')}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 101/);
  const answered = () =>
    call(port, { ca }).then(
      ({ status }) => status === 200,
      () => false,
    );
  for (let count = 0; count < 10; count++) await until(answered);
  socket.destroy();
});
