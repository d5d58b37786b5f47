// The everyday components as a client sees them, all in one real server, against a stand-in for the web.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { crc32 } from 'node:zlib';
import { createRedactor } from '../../src/core/redact.ts';
import { keySource } from '../../src/store/secrets/key-source.ts';
import { createSecrets } from '../../src/store/secrets/secrets.ts';
import { createStore } from '../../src/store/store.ts';
import type { Peer } from '../../test/mcp/wire/peer.ts';
import { buildExample } from '../build.ts';
import { exampleNamed } from '../list.ts';
import { callTool, openPeer } from '../peer.ts';
import { type Served, serve } from '../serve.ts';
import { json, redirect, type StandIn, startStandIn } from '../stand-in.ts';

const KEY = 'a-very-secret-key';
const PAGE = `<html><head><title>t</title><style>p{}</style></head><body><h1>Fish &amp; chips</h1>
  <p>Fried <b>today</b>, see <a href="/menu?a=1&amp;b=2">the menu</a>.</p><ul><li>Cod</li><li>Peas</li></ul>
  <script>alert(1)</script></body></html>`;

let web: StandIn;
let folder: string;
let served: Served;
let peer: Peer;

before(async () => {
  web = await startStandIn({
    '/page': (_request, response) => void response.setHeader('content-type', 'text/html').end(PAGE),
    '/data': json({ b: [1, 2] }),
    '/moved': redirect('/page'),
    '/away': redirect('http://192.0.2.7/elsewhere'),
    '/loop': redirect('/loop'),
    '/huge': (_request, response) => void response.end(Buffer.alloc(5 << 20, 'x')),
    '/data/2.5/weather'(_request, response, url) {
      const good = url.searchParams.get('appid') === KEY;
      if (!good) return void response.writeHead(401).end('{}');
      if (url.searchParams.get('q') !== 'Lisbon') return void response.writeHead(404).end('{}');
      json({
        name: 'Lisbon',
        weather: [{ description: 'clear sky' }],
        main: { temp: 21.5, humidity: 60 },
        wind: { speed: 3.2 },
      })(_request, response, url);
    },
  });
  folder = await mkdtemp(join(tmpdir(), 'witbox-files-'));
  const granted = join(folder, 'granted');
  await mkdir(join(granted, 'below'), { recursive: true });
  await writeFile(join(granted, 'a.txt'), 'Grüße\nsecond line');
  await writeFile(join(granted, 'below/b.txt'), 'one\nthe SECOND of two');
  await writeFile(join(folder, 'outside.txt'), 'secret');
  await symlink(join(folder, 'outside.txt'), join(granted, 'link'));
  const policies: Record<string, string> = {
    files: policy(`storage: { allow: [{ uri: "fs://${granted}/**", access: [read, write] }] }`),
    fetch: policy(`network: { allow: [{ host: "${web.host}" }] }`),
    weather: policy(
      `network: { allow: [{ host: "${web.host}" }] }, environment: { allow: [{ key: OPENWEATHER_API_KEY }, { key: OPENWEATHER_BASE }] }`,
    ),
  };
  const names = ['time', 'files', 'fetch', 'weather', 'data', 'hash'];
  const components = [];
  for (const name of names) {
    const file = await buildExample(exampleNamed(name));
    components.push(policies[name] === undefined ? { file } : { file, policy: policies[name] });
  }
  served = await serve({ components, env: { OPENWEATHER_API_KEY: KEY, OPENWEATHER_BASE: web.origin } });
  peer = await openPeer(served, '2025-11-25');
});

after(async () => {
  await peer.wire.close();
  await served.close();
  await web.close();
  await rm(folder, { recursive: true });
});

const policy = (permissions: string): string => `version: "1.0"\npermissions: { ${permissions} }\n`;
const answer = async (name: string, args: object): Promise<unknown> => {
  const { structuredContent, isError, content } = await callTool(peer, name, args);
  assert.equal(isError, undefined, content[0]?.text ?? '');
  return Object.hasOwn(structuredContent, 'result') ? structuredContent.result : structuredContent;
};
const complaint = async (name: string, args: object): Promise<string> => {
  const { isError, content } = await callTool(peer, name, args);
  assert.equal(isError, true, content[0]?.text ?? '');
  return content[0]!.text;
};

test('time: sums with time, and the clock of now', async () => {
  const { unix } = (await answer('current-time', {})) as { unix: number };
  assert.ok(Math.abs(unix - Date.now() / 1_000) < 60);
  assert.deepEqual(await answer('add-time', { start: '2024-02-28T23:00:00Z', hours: 2 }), {
    iso: '2024-02-29T01:00:00Z',
    unix: 1_709_168_400,
    weekday: 'Thursday',
  });
  assert.deepEqual(await answer('time-between', { from: '2026-01-01', to: '2026-01-02T03:04:05Z' }), {
    days: 1,
    hours: 3,
    minutes: 4,
    seconds: 5,
  });
  assert.match(await complaint('add-time', { start: 'soon' }), /"soon" is no date/);
});

test('hash: what C computes is what Node computes', async () => {
  for (const text of ['', 'abc', 'ü'.repeat(27), 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(100_000)]) {
    assert.equal(await answer('sha256', { text }), createHash('sha256').update(text).digest('hex'));
    assert.equal(await answer('crc32', { text }), crc32(text).toString(16).padStart(8, '0'));
  }
});

test('data: JSON, CSV, diff, regular expressions', async () => {
  const users = '{"users":[{"name":"Ada","a b":1},{"name":"Bob"}],"__proto__":{"x":1}}';
  assert.equal(await answer('json-query', { json: users, path: 'users[0].name' }), '"Ada"');
  assert.equal(await answer('json-query', { json: users, path: '$.users[-1].name' }), '"Bob"');
  assert.deepEqual(JSON.parse(String(await answer('json-query', { json: users, path: 'users[*].name' }))), [
    'Ada',
    'Bob',
  ]);
  assert.equal(await answer('json-query', { json: users, path: 'users[0]["a b"]' }), '1');
  assert.match(await complaint('json-query', { json: users, path: 'users.constructor' }), /Nothing is at/);
  const csv = 'name,words\r\nAda,"a ""quoted"", one"\r\nBob,\r\n';
  assert.deepEqual(JSON.parse(String(await answer('csv-to-json', { csv }))), [
    { name: 'Ada', words: 'a "quoted", one' },
    { name: 'Bob', words: '' },
  ]);
  assert.match(await complaint('csv-to-json', { csv: 'a\n"b' }), /never closed/);
  assert.equal(await answer('diff', { before: 'a\nb\nc', after: 'a\nx\nc' }), '  a\n- b\n+ x\n  c');
  assert.deepEqual(await answer('regex-find', { text: 'a1 b22', pattern: '([a-z])(\\d+)' }), [
    { at: 0, text: 'a1', groups: ['a', '1'] },
    { at: 3, text: 'b22', groups: ['b', '22'] },
  ]);
  assert.equal(
    await answer('regex-replace', { text: 'a-b', pattern: '(\\w)-(\\w)', replacement: '$2-$1' }),
    'b-a',
  );
});

test('files: read, write, list and search in the granted folder', async () => {
  assert.equal(await answer('read_file', { path: 'a.txt' }), 'Grüße\nsecond line');
  assert.equal(
    await answer('read_file', { path: join(folder, 'granted/below/b.txt') }),
    'one\nthe SECOND of two',
  );
  await callTool(peer, 'write_file', { path: 'below/new.txt', content: '€'.repeat(50_000) });
  assert.equal(await readFile(join(folder, 'granted/below/new.txt'), 'utf8'), '€'.repeat(50_000));
  assert.deepEqual(await answer('list_files', { path: 'below' }), [
    { name: 'b.txt', directory: false, size: 21 },
    { name: 'new.txt', directory: false, size: 150_000 },
  ]);
  assert.deepEqual(await answer('search_files', { words: 'second' }), [
    { path: 'a.txt', line: 2, text: 'second line' },
    { path: 'below/b.txt', line: 2, text: 'the SECOND of two' },
  ]);
  assert.match(await complaint('read_file', { path: 'none.txt' }), /there is no such file/);
});

test('files: what lies outside, or behind a link, is denied', async () => {
  for (const path of ['../outside.txt', join(folder, 'outside.txt'), 'link', '/etc/passwd']) {
    const reply = await peer.request('tools/call', { name: 'read_file', arguments: { path } });
    assert.ok(reply.error?.code === -32001 || (reply.result?.isError as unknown) === true, path);
    assert.ok(!JSON.stringify(reply).includes('secret'));
  }
});

test('fetch: a page as Markdown, as text and as it is; JSON as JSON; redirects followed', async () => {
  const fetched = async (path: string, format?: string) =>
    (await answer('fetch', { url: `${web.origin}${path}`, ...(format && { format }) })) as {
      content: string;
    };
  const markdown = '# Fish & chips\n\nFried **today**, see [the menu](/menu?a=1&b=2).\n\n- Cod\n- Peas';
  assert.equal((await fetched('/page')).content, markdown);
  assert.match((await fetched('/moved', 'text')).content, /^Fish & chips\n\nFried today, see the menu\./);
  assert.equal((await fetched('/page', 'raw')).content, PAGE);
  assert.deepEqual(JSON.parse((await fetched('/data', 'json')).content), { b: [1, 2] });
  assert.match(await complaint('fetch', { url: `${web.origin}/page`, format: 'json' }), /no JSON/);
  assert.match(await complaint('fetch', { url: `${web.origin}/loop` }), /redirects more than 5 times/);
  assert.match(await complaint('fetch', { url: `${web.origin}/huge` }), /larger than/);
  assert.match(await complaint('fetch', { url: 'file:///etc/passwd' }), /no http or https address/);
});

test('fetch: a host that is not granted is denied by name, also after a redirect', async () => {
  for (const url of ['http://example.com/', `${web.origin}/away`]) {
    const { code, data } = await peer.error('tools/call', { name: 'fetch', arguments: { url } });
    assert.equal(code, -32001);
    assert.match(String(data?.permission), url.includes('away') ? /192\.0\.2\.7/ : /example\.com/);
  }
});

test('weather: with host and key granted it answers', async () => {
  assert.deepEqual(await answer('get-weather', { location: 'Lisbon' }), {
    place: 'Lisbon',
    description: 'clear sky',
    temperature: 21.5,
    humidity: 60,
    wind: 3.2,
  });
  assert.match(await complaint('get-weather', { location: 'Nowhere' }), /no place "Nowhere"/);
});

async function weatherWith(permissions: string | null, use: (peer: Peer) => Promise<void>): Promise<void> {
  const file = await buildExample(exampleNamed('weather'));
  const granted = permissions === null ? { file } : { file, policy: policy(permissions) };
  const env = { OPENWEATHER_API_KEY: KEY, OPENWEATHER_BASE: web.origin };
  const bare = await serve({ components: [granted], env });
  const other = await openPeer(bare, '2025-11-25');
  await use(other).finally(async () => {
    await other.wire.close();
    await bare.close();
  });
}

test('weather: without grants the denial names the host', () =>
  weatherWith(null, async (other) => {
    const { code, data } = await other.error('tools/call', {
      name: 'get-weather',
      arguments: { location: 'Lisbon' },
    });
    assert.equal(code, -32001);
    assert.deepEqual(data, {
      component_id: 'weather',
      permission: 'network:api.openweathermap.org',
      reason: 'Host not in allowlist',
    });
  }));

test('weather: a secret is added to its requests, and it never holds it', async () => {
  const file = await buildExample(exampleNamed('weather'));
  const permissions = `network: { allow: [{ host: "${web.host}" }] }, environment: { allow: [{ key: OPENWEATHER_BASE }] },
    secrets: { allow: [{ key: OPENWEATHER_API_KEY, host: "${web.origin}", query: appid }] }`;
  const env = { OPENWEATHER_BASE: web.origin };
  const other = await serve({ components: [{ file, policy: policy(permissions) }], env });
  try {
    const client = await openPeer(other, '2025-11-25');
    const ask = () =>
      client.request('tools/call', { name: 'get-weather', arguments: { location: 'Lisbon' } });
    assert.match(JSON.stringify(await ask()), /-32001.*secret:OPENWEATHER_API_KEY/);
    const store = createStore(other.dataDir);
    const key = keySource(null, { env: {}, dataDir: other.dataDir });
    await createSecrets({ store, key, redactor: createRedactor() }).set(
      'weather',
      'OPENWEATHER_API_KEY',
      KEY,
    );
    const answered = JSON.stringify(await ask());
    assert.match(answered, /clear sky/);
    assert.doesNotMatch(answered + other.log(), new RegExp(KEY));
    await client.wire.close();
  } finally {
    await other.close();
  }
});

test('weather: with the host but without the key it says which key it needs', () =>
  weatherWith(
    `network: { allow: [{ host: "${web.host}" }] }, environment: { allow: [{ key: OPENWEATHER_BASE }] }`,
    async (other) => {
      const { isError, content } = await callTool(other, 'get-weather', { location: 'Lisbon' });
      assert.equal(isError, true);
      assert.match(content[0]!.text, /OPENWEATHER_API_KEY/);
    },
  ));

test('no answer, denial or log has the key in it', () => {
  assert.ok(web.asked.some((path) => path.includes(KEY)));
  assert.ok(!served.log().includes(KEY));
});
