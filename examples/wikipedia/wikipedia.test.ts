// The Wikipedia component against a stand-in of the wiki: the same results on stdio and HTTP at every revision, and what
// happens when the wiki errs, redirects, stalls, or answers with too much.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { Peer, REVISIONS, type RevisionName } from '../../test/mcp/wire/peer.ts';
import { createInbox, type Wire } from '../../test/mcp/wire/wire.ts';
import { buildExample } from '../build.ts';
import { exampleNamed } from '../list.ts';
import { callTool, openPeer, type Reply } from '../peer.ts';
import { type Served, serve } from '../serve.ts';
import { json, type Route, redirect, type StandIn, startStandIn } from '../stand-in.ts';

const SECTIONS = {
  parse: {
    title: 'WebAssembly',
    sections: [
      { index: '1', line: 'History', level: '2' },
      { index: '2', line: 'Early <i>days</i>', level: '3' },
    ],
  },
};
const SEARCH = {
  query: {
    search: [
      { title: 'WebAssembly', snippet: '<span class="hit">Wasm</span> &amp; more', wordcount: 5_000 },
      { title: 'Asm.js', snippet: 'before it', wordcount: 900 },
    ],
  },
};
const HISTORY = '<div><h2>History</h2><p>Announced in <b>2015</b>.</p></div>';

/** What the wiki does for a name. */
const ARTICLES: Readonly<Record<string, Route>> = {
  WebAssembly(request, response, url) {
    const isText = url.searchParams.get('prop') === 'text';
    json(isText ? { parse: { title: 'WebAssembly', text: HISTORY } } : SECTIONS)(request, response, url);
  },
  Missing: json({ error: { code: 'missingtitle', info: 'The page you specified does not exist.' } }),
  Overloaded: json({}, 429),
  Broken: json({}, 500),
  Garbled: (_request, response) => void response.end('<html>not json'),
  Moved: (request, response, url) => redirect(`/moved?${url.searchParams}`)(request, response, url),
  Away: redirect('http://192.0.2.7/w/api.php'),
  Huge: (_request, response) => void response.end(Buffer.alloc(6 << 20, ' ')),
  CutOff(_request, response) {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{');
    setTimeout(() => response.destroy(), 20);
  },
  Slow(_request, response) {
    response.write('{');
  },
};

let wiki: StandIn;
let served: Served;
let http: Peer;

before(async () => {
  wiki = await startStandIn({
    '/w/api.php'(request, response, url) {
      const page = url.searchParams.get('page');
      const route = page === null ? json(SEARCH) : ARTICLES[page];
      (route ?? ARTICLES.Missing!)(request, response, url);
    },
    '/moved': json(SECTIONS),
  });
  const file = await buildExample(exampleNamed('wikipedia'));
  const policy = `version: "1.0"
permissions:
  network: { allow: [{ host: "${wiki.host}" }] }
  environment: { allow: [{ key: WIKIPEDIA_BASE }] }
  resources: { limits: { time: 3s } }
`;
  served = await serve({ components: [{ file, policy }], env: { WIKIPEDIA_BASE: wiki.origin } });
  http = await openPeer(served, '2025-11-25');
});

after(async () => {
  await http.wire.close();
  await served.close();
  await wiki.close();
});

/** A server of its own on pipes, over the same data directory. */
function openStdio(): Wire {
  const start = resolve(import.meta.dirname, '../../bin/witbox.cjs');
  const args = [start, 'serve', '--stdio', '--no-management', '--data-dir', served.dataDir];
  const child = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { PATH: process.env.PATH ?? '', HOME: served.dataDir, WIKIPEDIA_BASE: wiki.origin },
  });
  const box = createInbox();
  createInterface(child.stdout).on('line', box.receive);
  return {
    ...box,
    async send(text) {
      child.stdin.write(`${text}\n`);
    },
    async close() {
      child.stdin.end();
      await new Promise((ended) => child.once('exit', ended));
    },
  };
}

const CALLS: readonly [tool: string, args: object][] = [
  ['wikipedia_search', { query: 'wasm' }],
  ['wikipedia_sections', { topic: 'WebAssembly' }],
  ['wikipedia_section_content', { topic: 'WebAssembly', section_title: 'history' }],
  ['wikipedia_section_content', { topic: 'WebAssembly', section_title: 'Future' }],
  ['wikipedia_sections', { topic: 'Missing' }],
  ['wikipedia_search', {}],
];

async function allOf(peer: Peer): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const [name, args] of CALLS) results.push(await callTool(peer, name, args));
  return results;
}

for (const revision of REVISIONS) {
  test(`stdio and HTTP /mcp/rpc give the same tools and results at ${revision}`, async () => {
    const overHttp = await openPeer(served, revision as RevisionName, { path: '/mcp/rpc' });
    const overStdio = new Peer(openStdio(), revision);
    await overStdio.open();
    const names = await overStdio.list('tools/list', 'tools');
    assert.deepEqual(
      names.map(({ name }) => name),
      ['wikipedia_search', 'wikipedia_sections', 'wikipedia_section_content'] as unknown[],
    );
    assert.deepEqual(await overHttp.list('tools/list', 'tools'), names);
    const results = await allOf(overHttp);
    assert.deepEqual(await allOf(overStdio), results);
    const [found, , section, , missing, misfit] = results as Reply[];
    assert.equal(found!.content[0]!.text, 'WebAssembly: Wasm & more\nAsm.js: before it');
    assert.equal(section!.content[0]!.text, '## History\n\nAnnounced in **2015**.');
    assert.equal(missing!.isError, true);
    assert.equal(misfit!.isError, true);
    await overHttp.wire.close();
    await overStdio.wire.close();
  });
}

const ERRORS: Readonly<Record<string, RegExp>> = {
  Missing: /no article "Missing"/,
  Overloaded: /asks to wait/,
  Broken: /status 500/,
  Garbled: /something else than JSON/,
  Huge: /larger than/,
  CutOff: /broke off/,
};

for (const [topic, words] of Object.entries(ERRORS)) {
  test(`a wiki that is ${topic.toLowerCase()} is an error of the tool that says so`, async () => {
    const { isError, content } = await callTool(http, 'wikipedia_sections', { topic });
    assert.equal(isError, true);
    assert.match(content[0]!.text, words);
  });
}

test('a redirect within what is granted is followed, and one that leads out is denied by name', async () => {
  const moved = await callTool(http, 'wikipedia_sections', { topic: 'Moved' });
  assert.match(moved.content[0]!.text, /^WebAssembly\n- History/);
  const { code, data } = await http.error('tools/call', {
    name: 'wikipedia_sections',
    arguments: { topic: 'Away' },
  });
  assert.equal(code, -32001);
  assert.equal(data?.permission as unknown, 'network:192.0.2.7');
});

test('a wiki that stalls costs its caller the time limit, and nobody else anything', async () => {
  const slow = http.request('tools/call', { name: 'wikipedia_sections', arguments: { topic: 'Slow' } });
  const quick = await callTool(http, 'wikipedia_search', { query: 'meanwhile' });
  assert.equal(quick.isError, undefined);
  const { result } = await slow;
  assert.equal(result?.isError as unknown, true);
  assert.match(String(result?.content?.[0]?.text), /raise the time limit/);
});

test('without a grant every question is denied, with the host in the answer', async () => {
  const bare = await serve({ components: [{ file: await buildExample(exampleNamed('wikipedia')) }] });
  const peer = await openPeer(bare, '2024-11-05', { path: '/mcp/rpc' });
  const { code, data } = await peer.error('tools/call', {
    name: 'wikipedia_search',
    arguments: { query: 'test' },
  });
  assert.equal(code, -32001);
  assert.equal(data?.permission as unknown, 'network:en.wikipedia.org');
  await peer.wire.close();
  await bare.close();
});
