// `witbox serve --config` as an operator has it: a real process, a real file, real signals.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Served, serve } from '../../examples/serve.ts';
import { createAuthority } from '../../test/gate/certificates.ts';
import { startReceiver } from '../../test/support/otlp-receiver.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const WITBOX = join(ROOT, 'bin/witbox.cjs');
const COMPONENT = join(ROOT, 'examples/calculator/calculator.wasm');
const ACCEPT = 'application/json, text/event-stream';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witbox-config-'));
});
after(() => rm(folder, { recursive: true, force: true }));

const witbox = (...args: string[]) => witboxWith({}, ...args);

async function witboxWith(
  variables: Record<string, string>,
  ...args: string[]
): Promise<{ status: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH ?? '', HOME: folder, ...variables };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [WITBOX, ...args], {
      env,
      cwd: folder,
    });
    return { status: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, out: stdout, err: stderr };
  }
}

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const call = (origin: string, headers: Record<string, string> = {}, method = 'tools/call') =>
  fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      ...(method === 'tools/call' && { params: { name: 'add', arguments: { a: 2, b: 3 } } }),
    }),
  });

/** The next line of the log with this event, after what was there. */
async function logged(served: Served, event: string, from: number): Promise<Record<string, unknown>> {
  for (;;) {
    const lines = served.log().slice(from).split('\n');
    const found = lines.find((line) => line.includes(`"event":"${event}"`));
    if (found !== undefined) return JSON.parse(found) as Record<string, unknown>;
    await sleep(20);
  }
}

const CONFIG = `
listen: { allow-origin: [] }
authentication: { keys: true }
limits: { tools: [{ tool: add, calls: { rate: 1/h, burst: 1 } }] }
metrics: { enabled: true }
`;

test('a server with a configuration asks for keys, limits, records, and takes changes while it runs', async () => {
  const config = await file('witbox.yaml', CONFIG);
  const served = await serve({ components: [{ file: COMPONENT }], args: ['--config', config] });
  try {
    const { origin, dataDir } = served;
    const nobody = await call(origin);
    assert.equal(nobody.status, 401);
    assert.match(nobody.headers.get('www-authenticate') ?? '', /^Bearer /);

    const { out } = await witbox('key', 'create', 'ci', '--data-dir', dataDir);
    const ci = { authorization: `Bearer ${out.trim()}` };
    assert.equal((await call(origin, ci)).status, 200);
    const limited = await call(origin, ci);
    assert.equal(limited.status, 429);
    assert.ok(Number(limited.headers.get('retry-after')) > 3_000);
    assert.match(await (await fetch(`${origin}/metrics`)).text(), /outcome="limited"\} 1\n/);
    assert.equal((await fetch(`${origin}/ready`)).status, 200);

    // What can be applied is, without a restart; what cannot is named.
    let from = served.log().length;
    await file(
      'witbox.yaml',
      `${CONFIG.replace('1/h', '1000/s').replace('allow-origin: []', 'allow-origin: [https://app.example.com], port: 1')}
access: { rules: [{ who: ['key:ci'], allow: { tools: [add] } }] }
log: { levels: 'debug' }
`,
    );
    const told = await witbox('config', 'reload', '--data-dir', dataDir);
    assert.equal(told.status, 0, told.err);
    const applied = await logged(served, 'config applied', from);
    assert.deepEqual(applied.applied, ['listen.allow-origin', 'limits.tools', 'log.levels', 'access']);
    // The flag says 0, which beats the file.
    assert.deepEqual(applied.needsRestart, []);
    assert.equal((await call(origin, ci)).status, 200);
    const page = await call(origin, { ...ci, origin: 'https://app.example.com' });
    assert.equal(page.headers.get('access-control-allow-origin'), 'https://app.example.com');
    const { result } = (await (await call(origin, ci, 'tools/list')).json()) as {
      result: { tools: { name: string }[] };
    };
    assert.deepEqual(
      result.tools.map(({ name }) => name),
      ['add'],
    );

    // What cannot be read changes nothing.
    from = served.log().length;
    await file('witbox.yaml', 'authentication: { keys: false }\nlimits: { caller: 3 }\n');
    const refused = await witbox('config', 'reload', '--data-dir', dataDir);
    assert.deepEqual([refused.status, refused.out], [2, '']);
    assert.match(refused.err, /at line 2, column 19: limits\.caller must be a mapping/);
    process.kill(Number(readdirSync(join(dataDir, 'run'))[0]!.replace('.json', '')), 'SIGHUP');
    const problem = await logged(served, 'config not applied', from);
    assert.match(String(problem.reason), /limits\.caller must be a mapping/);
    assert.equal((await call(origin)).status, 401);
    assert.equal((await call(origin, ci)).status, 200);

    // What is decided at the start is named until then.
    from = served.log().length;
    await file('witbox.yaml', `${CONFIG}components: [other.wasm]\n`);
    await witbox('config', 'reload', '--data-dir', dataDir);
    assert.deepEqual((await logged(served, 'config applied', from)).needsRestart, ['components']);

    await witbox('key', 'revoke', 'ci', '--data-dir', dataDir);
    assert.equal((await call(origin, ci)).status, 401, 'revoked at once');

    const { out: verified } = await witbox('audit', 'verify', '--data-dir', dataDir);
    assert.match(verified, /^No fault in \d+ lines/);
    const { out: lines } = await witbox('audit', 'query', '--data-dir', dataDir, '--json');
    for (const expected of ['config.applied', '"limited"', '"key:ci:'])
      assert.ok(lines.includes(expected), expected);
  } finally {
    await served.close();
  }
});

test('beyond this machine nothing is served without authentication, and no credential taken in plain sight', async () => {
  const open = await witbox('serve', '--host', '0.0.0.0', '--port', '0');
  assert.equal(open.status, 2);
  assert.match(open.err, /Cannot listen on "0\.0\.0\.0": nobody would have to prove who they are/);
  const config = await file(
    'plain.yaml',
    'listen: { host: 0.0.0.0, port: 0 }\nauthentication: { keys: true }\n',
  );
  const plain = await witbox('serve', '--config', config);
  assert.equal(plain.status, 2);
  assert.match(plain.err, /keys and tokens would travel in plain sight/);
});

test('--tls-self-signed serves the same over TLS, with the fingerprint that it prints', async () => {
  const child = spawn(
    process.execPath,
    [WITBOX, 'serve', '--tls-self-signed', '--port', '0', '--data-dir', join(folder, 'tls')],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    let log = '';
    for await (const text of child.stderr.setEncoding('utf8')) {
      log += text;
      if (/SHA-256 \S+\n/.test(log)) break;
    }
    const [, port] = /https:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(log) ?? [];
    const [, fingerprint] = /SHA-256 (\S+)/.exec(log) ?? [];
    const ca = await readFile(join(folder, 'tls/tls/self-signed.crt'));
    const shown = await new Promise((found, failed) => {
      get(`https://127.0.0.1:${port}/health`, { ca }, (response) => {
        const socket = response.socket as import('node:tls').TLSSocket;
        found([response.statusCode, socket.getPeerCertificate().fingerprint256]);
        response.resume();
      }).on('error', failed);
    });
    assert.deepEqual(shown, [200, fingerprint]);
  } finally {
    child.kill();
  }
});

test('--tls-client-ca lets in whom the authority signed for, on this machine too, and means nothing without TLS', async () => {
  const authority = createAuthority();
  const ca = await file('team-ca.pem', authority.cert);
  const plain = await witbox('serve', '--port', '0', '--tls-client-ca', ca);
  assert.equal(plain.status, 2);
  assert.match(plain.err, /--tls-self-signed, beside it/);
  const data = join(folder, 'mutual');
  const child = spawn(
    process.execPath,
    [WITBOX, 'serve', '--tls-self-signed', '--tls-client-ca', ca, '--port', '0', '--data-dir', data],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  try {
    let log = '';
    for await (const text of child.stderr.setEncoding('utf8')) {
      log += text;
      if (/SHA-256 \S+\n/.test(log)) break;
    }
    const [, port] = /https:\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(log) ?? [];
    const trusted = await readFile(join(data, 'tls/self-signed.crt'));
    const status = (pair: { cert?: string; key?: string }) =>
      new Promise((found, failed) => {
        const options = { ca: trusted, ...pair, agent: false, headers: { accept: 'text/event-stream' } };
        get(`https://127.0.0.1:${port}/sse`, options, (response) => {
          found(response.statusCode);
          response.destroy();
        }).on('error', failed);
      });
    assert.equal(await status({}), 401);
    assert.equal(await status(createAuthority().issue({ name: 'ada' })), 401);
    assert.equal(await status(authority.issue({ name: 'ada' })), 200);
  } finally {
    child.kill();
  }
});

test('on stdio the rules, limits and the audit log of a configuration hold for the local caller', async () => {
  const config = await file(
    'stdio.yaml',
    `components: ['${COMPONENT}']
management: { enabled: false }
access: { rules: [{ who: [local], allow: { tools: ['*'] }, deny: { tools: [greet] } }] }
audit: { directory: audit-stdio }
`,
  );
  const child = spawn(
    process.execPath,
    [WITBOX, 'serve', '--stdio', '--config', config, '--data-dir', join(folder, 'stdio')],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const greet = { name: 'greet', arguments: { name: 'Ada' } };
  for (const message of [
    { id: 1, method: 'tools/list' },
    { id: 2, method: 'tools/call', params: greet },
    { id: 3, method: 'tools/call', params: { name: 'nothing', arguments: {} } },
  ])
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.end();
  const lines: string[] = (await child.stdout.setEncoding('utf8').toArray()).join('').trim().split('\n');
  const answers = new Map(lines.map((line) => JSON.parse(line)).map((one) => [one.id, one]));
  const names = answers.get(1).result.tools.map(({ name }: { name: string }) => name);
  assert.ok(names.includes('add') && !names.includes('greet'), names.join());
  // Forbidden looks like unknown.
  assert.equal(answers.get(2).error.message.replace('greet', 'nothing'), answers.get(3).error.message);
  assert.ok(existsSync(join(folder, 'audit-stdio')));
  const { out } = await witbox('audit', 'query', '--directory', join(folder, 'audit-stdio'), '--json');
  assert.match(out, /"caller": ?"local"/);
});

test('config check names every problem with its place, and its exit status says whether there is one', async () => {
  await file('bad.yaml', 'lisen: {}\nlimits: { queue: -1 }\n');
  const bad = await witbox('config', 'check', 'bad.yaml');
  assert.equal(bad.status, 1);
  assert.deepEqual(bad.out.trim().split('\n'), [
    'bad.yaml:1:1: the document has the unknown key "lisen"; did you mean "listen"?',
    'bad.yaml:2:18: limits.queue must be a whole number from 0 to 1000000',
  ]);
  await file('open.yaml', 'listen:\n  host: 0.0.0.0\n');
  const open = await witbox('config', 'check', '--config', 'open.yaml');
  assert.equal(open.status, 1);
  assert.match(open.out, /^open\.yaml:2:\d+: Cannot listen on "0\.0\.0\.0": nobody would have to prove/);
  await file('good.yaml', 'listen: { port: 9000 }\n');
  const good = await witbox('config', 'check', 'good.yaml');
  assert.deepEqual([good.status, good.out], [0, 'good.yaml: no problems\n']);
  const shown = await witbox('config', 'show', '--config', 'good.yaml');
  assert.match(shown.out, /\n {2}port: 9000 # good\.yaml:1\n/);
  const json = JSON.parse((await witbox('config', 'show', '--json')).out);
  assert.equal(json.listen.port, 8080);
});

test('commands work on the data directory that the configuration names', async () => {
  const config = await file('elsewhere.yaml', 'data-dir: elsewhere\n');
  await witboxWith({ WITBOX_CONFIG: config }, 'key', 'create', 'ada');
  assert.ok(existsSync(join(folder, 'elsewhere/keys.json')));
  const { out } = await witboxWith({ WITBOX_CONFIG: config }, 'key', 'list', '--json');
  assert.equal(JSON.parse(out)[0].name, 'ada');
  const other = await file('other.yaml', 'data-dir: other\n');
  await witboxWith({ WITBOX_CONFIG: config }, 'key', 'create', 'ben', '--config', other);
  assert.match(readFileSync(join(folder, 'other/keys.json'), 'utf8'), /"ben"/, 'the flag beats the variable');
});

test('traces are sent by the standard variables alone, on the network and on stdio', async () => {
  const receiver = await startReceiver();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin, OTEL_BSP_SCHEDULE_DELAY: '50' };
  const served = await serve({ components: [{ file: COMPONENT }], env });
  assert.equal((await call(served.origin)).status, 200);
  await served.close();
  const child = spawn(
    process.execPath,
    [WITBOX, 'serve', '--stdio', '--component', COMPONENT, '--data-dir', join(folder, 'traced')],
    { stdio: ['pipe', 'pipe', 'ignore'], env: { PATH: process.env.PATH ?? '', HOME: folder, ...env } },
  );
  const params = { name: 'add', arguments: { a: 1, b: 2 } };
  child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  await child.stdout.toArray();
  await once(child, 'close');
  assert.equal(receiver.spans.length, 2);
  await receiver.close();
});

test('there is nobody to tell where no server runs', async () => {
  const { status, err } = await witbox('config', 'reload', '--data-dir', join(folder, 'empty'));
  assert.equal(status, 1);
  assert.match(err, /No server with a configuration is running/);
});
