// Plants secrets of every kind, lets a guest that tells all it knows succeed, fail, trap, hang and be denied behind the
// real gate, and then searches everything that came out: answers, errors, logs, resources, audit, metrics, files.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { buildExample } from '../../examples/build.ts';
import { type StandIn, startStandIn } from '../../examples/stand-in.ts';
import { found, plant } from './canary.ts';
import { openClient, openDesk, whole } from './desk.ts';

let teller: string;
before(async () => {
  teller = await buildExample({ name: 'teller', folder: 'test/canaries', language: 'js', bundled: false });
});

const planted = () =>
  plant(
    'given', // a secret that is granted as environment
    'header', // secrets that the host adds to requests
    'query',
    'kept', // a secret that is not granted
    'variable', // a granted variable of the server's environment that is called a token
    'server', // a variable that is not granted
    'file', // the content of a file that is not granted
    'folder', // the name of a folder above the data directory
    'argument',
    'wrong', // a key that was never made
  );

type Name = keyof ReturnType<typeof planted>;

const CONFIG = (values: string): string => `
listen: { host: 127.0.0.1, port: 0, transports: [http] }
authentication: { keys: true }
access:
  rules:
    - who: ['key:*']
      allow: { tools: ['*'], resources: ['*'], prompts: ['*'], management: ['*'] }
audit: { enabled: true, values: ${values} }
metrics: { enabled: true }
log: { levels: trace }
`;

const POLICY = (web: StandIn, granted: string): string => `
version: "1.0"
permissions:
  network: { allow: [{ host: "${web.host}" }, { host: localhost }] }
  storage: { allow: [{ uri: "fs://${granted}/**", access: [read] }] }
  environment: { allow: [{ key: GIVEN }, { key: SERVICE_TOKEN }] }
  secrets:
    allow:
      - { key: HEADER, host: "${web.origin}", header: Authorization, value: "Bearer {secret}" }
      - { key: QUERY, host: "${web.origin}", query: appid }
      - { key: MISSING, host: "http://localhost:${web.host.split(':')[1]}", header: x-key }
  resources: { limits: { time: 1s } }
`;

const COMMANDS = [
  ['component', 'list', '--json'],
  ['secret', 'list', 'teller', '--json'],
  ['secret', 'rekey'],
  ['policy', 'get', 'teller'],
  ['policy', 'explain', 'teller', 'secret:HEADER'],
  ['key', 'list', '--json'],
  ['tool', 'list'],
  ['tool', 'call', 'print', 'text=x'],
  ['config', 'show', '--config', 'witbox.yaml'],
];

const AUDIT = [['audit', 'tail', '-n', '1000', '--json']];

for (const values of ['digests', 'redacted'] as const)
  test(`nothing secret comes out, with ${values} in the audit log`, { timeout: 120_000 }, (t) =>
    search(t, values),
  );

async function search(t: TestContext, values: 'digests' | 'redacted'): Promise<void> {
  const canaries = planted();
  const folder = join(await mkdtemp(join(tmpdir(), 'witbox-canaries-')), canaries.folder);
  t.after(() => rm(join(folder, '..'), { recursive: true, force: true }));
  await mkdir(join(folder, 'granted'), { recursive: true });
  await writeFile(join(folder, 'outside.txt'), canaries.file);
  const seen: string[] = [];
  const web = await startStandIn({
    '/': (request, response) => {
      seen.push(`${request.url} ${request.headers.authorization}`);
      response.end('hello');
    },
  });
  t.after(() => web.close());
  const env = { SERVICE_TOKEN: canaries.variable, PLAIN_VALUE: canaries.server };
  const { run, serve, dataDir } = openDesk(t, folder, env);

  /** Fails if any canary but the allowed ones is in it. */
  const check = (place: string, text: string, ...allowed: Name[]): void => {
    const leaks = found(text, canaries).filter((name) => !allowed.includes(name));
    assert.deepEqual(leaks, [], `${place} must not hold ${leaks}: ${text.slice(0, 2_000)}`);
  };

  await run(['component', 'load', teller]);
  for (const [key, name] of [
    ['GIVEN', 'given'],
    ['HEADER', 'header'],
    ['QUERY', 'query'],
    ['KEPT', 'kept'],
  ] as const)
    check('secret set', await run(['secret', 'set', 'teller', key], `${canaries[name]}\n`));
  await writeFile(join(folder, 'policy.yaml'), POLICY(web, join(folder, 'granted')));
  check('policy set', await run(['policy', 'set', 'teller', 'policy.yaml']), 'folder');
  const [key = ''] = /wbx_\S+/.exec(await run(['key', 'create', 'canaries'])) ?? [];
  assert.notEqual(key, '');

  const server = await serve(CONFIG(values));
  const client = await openClient(server, key);
  const call = (name: string, args: object = {}): Promise<string> =>
    client.request('tools/call', { name, arguments: args });
  const { argument } = canaries;

  // What a guest may have it may return: that is the caller's result. The rest of the run is about everybody else.
  const own = await call('environment');
  assert.ok(own.includes(canaries.given) && own.includes(canaries.variable));
  check('a result', own, 'given', 'variable');
  const printed = await call('print', { text: 'a word' });
  assert.match(printed, /"structuredContent":\{"result":2\}|"text":"2"/);
  check('a result', printed);
  check('an error of a guest', await call('fail', { text: argument }), 'argument');
  check('a trap', await call('trap', { text: 'a word' }), 'given', 'variable');
  check('a timeout', await call('hang', { text: 'a word' }));
  const outside = await call('read', { path: join(folder, 'outside.txt') });
  assert.match(outside, /-32001/);
  check('a denied file', outside, 'folder');
  const fetched = await call('fetch', { url: `${web.origin}/?q=${argument}&appid=guest` });
  assert.match(fetched, /200 hello/);
  check('a request with secrets', fetched);
  assert.deepEqual(seen, [`/?q=${argument}&appid=${canaries.query} Bearer ${canaries.header}`]);
  const missing = await call('fetch', { url: `http://localhost:${web.host.split(':')[1]}/` });
  assert.match(missing, /-32001.*secret:MISSING/s);
  check('a missing secret', missing);
  const denied = await call('fetch', { url: 'https://elsewhere.test/' });
  assert.match(denied, /-32001.*network:elsewhere\.test/s);
  check('a denied host', denied);
  check('an unknown tool', await call('no-such-tool'));
  const init = { method: 'POST', headers: { authorization: `Bearer ${canaries.wrong}` }, body: '{}' };
  check('a wrong key', await whole(await fetch(`${server.origin}/mcp?access_token=${canaries.wrong}`, init)));

  const views = ['config', 'policy', 'metadata', 'log'].map((view) => `component://teller/${view}`);
  for (const uri of views) {
    const text = await client.request('resources/read', { uri });
    assert.match(text, /"contents"/, text);
    // A policy is what it is: the paths in it are the grant.
    check(uri, text, ...(uri.endsWith('policy') || uri.endsWith('log') ? (['folder'] as const) : []));
    assert.ok(!text.includes(key));
    if (uri.endsWith('log'))
      assert.match(text, /told a word.*GIVEN=\[redacted\].*SERVICE_TOKEN=\[redacted\]/s);
  }
  for (const method of ['tools/list', 'resources/list', 'prompts/list'])
    check(method, await client.request(method, {}));
  check('list-components', await call('list-components'));
  for (const page of ['health', 'ready', 'metrics']) {
    const text = await whole(await fetch(`${server.origin}/${page}`));
    assert.match(text, /^200/, text);
    check(`/${page}`, text);
  }
  await server.stop();

  const shown = values === 'redacted' ? (['argument'] as const) : [];
  const commands = values === 'redacted' ? AUDIT : [...COMMANDS, ...AUDIT];
  for (const words of commands) {
    const text = await run(words);
    const audit = words[0] === 'audit' ? shown : [];
    check(words.join(' '), text, 'folder', ...audit);
    assert.ok(!text.includes(key), `${words.join(' ')} shows the key`);
  }

  check('the log', server.log(), 'folder');
  assert.match(server.log(), /"level":"(?:trace|debug|info)"/);
  assert.ok(!server.log().includes(key));
  let files = 0;
  for (const entry of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const text = await readFile(file, 'latin1');
    const audit = entry.parentPath.includes('audit') ? shown : [];
    check(`${file} at rest`, text, 'folder', ...audit);
    assert.ok(!text.includes(key), `${file} holds the key`);
    files += 1;
  }
  assert.ok(files > 5);
}
