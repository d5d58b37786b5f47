// The commands on the data directory, run as the program that people run.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createStore } from '../../store/store.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/witbox.cjs');

/** (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add)) */
const ADD = Buffer.from(
  '0061736d0100000001070160027f7f017f03020100070701036164640000 0a09010700200020016a0b'.replace(' ', ''),
  'hex',
);

interface Answer {
  readonly out: string;
  readonly err: string;
  readonly status: number | null;
}

interface Desk {
  readonly directory: string;
  run(...args: string[]): Promise<Answer>;
  pipe(stdin: string, ...args: string[]): Promise<Answer>;
  /** Everything that a failing command must leave as it was. */
  state(): Promise<string>;
}

async function createDesk(t: TestContext): Promise<Desk> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-cli-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, 'add.wasm'), ADD);
  const data = join(directory, 'data');
  const pipe = (stdin: string, ...args: string[]): Promise<Answer> =>
    new Promise((done, failed) => {
      const child = spawn(process.execPath, [PROGRAM, ...args], {
        cwd: directory,
        env: { WITBOX_DATA_DIR: data, HOME: directory, NODE_COMPILE_CACHE: join(directory, 'cache') },
      });
      let out = '';
      let err = '';
      child.stdout.on('data', (chunk) => (out += chunk));
      child.stderr.on('data', (chunk) => (err += chunk));
      child.on('error', failed);
      child.on('close', (status) => done({ out, err, status }));
      child.stdin.on('error', () => {});
      child.stdin.end(stdin);
    });
  return {
    directory,
    pipe,
    run: (...args) => pipe('', ...args),
    async state() {
      const store = createStore(data);
      return JSON.stringify(store.list().map((component) => [component, store.policyText(component.id)]));
    },
  };
}

const ok = (answer: Answer): string => {
  assert.equal(answer.status, 0, answer.err);
  assert.equal(answer.err, '');
  return answer.out;
};

test('a component is loaded, listed and unloaded', async (t) => {
  const { run } = await createDesk(t);
  assert.match(ok(await run('component', 'list')), /No components are loaded/);
  assert.match(
    ok(await run('component', 'load', 'add.wasm')),
    /^Loaded "add": 1 tool, sha256:[0-9a-f]{64}\n$/,
  );
  const second = JSON.parse(
    ok(await run('component', 'load', 'add.wasm', '--id', 'again', '--session', '--json')),
  );
  assert.deepEqual([second.id, second.config, second.tools], ['again', { instance: 'session' }, ['add']]);
  const listed = JSON.parse(ok(await run('component', 'list', '--json')));
  assert.deepEqual(
    listed.map(({ id }: { id: string }) => id),
    ['add', 'again'],
  );
  assert.match(ok(await run('component', 'list')), /^ID +SIZE .*\nadd +0\.0 KiB .*\nagain /);
  assert.equal(ok(await run('component', 'unload', 'add')), 'Unloaded "add"\n');
  assert.equal(JSON.parse(ok(await run('component', 'list', '--json'))).length, 1);
});

test('permissions are granted, explained, revoked and reset', async (t) => {
  const { run, directory } = await createDesk(t);
  await mkdir(join(directory, 'notes'));
  ok(await run('component', 'load', 'add.wasm'));
  const may = async (permission: string): Promise<string> =>
    (await run('policy', 'explain', 'add', permission)).out;

  assert.equal(await may('network:api.example.com'), 'no  network:api.example.com  Host not in allowlist\n');
  assert.equal(
    ok(await run('permission', 'grant', 'add', 'network', '*.example.com')),
    'Granted network *.example.com for "add"\n',
  );
  assert.match(ok(await run('permission', 'grant', 'add', 'network', '*.example.com')), /^Nothing to do/);
  assert.equal(
    await may('network:api.example.com'),
    'yes  network:api.example.com  Allowed by network.allow, line 5: *.example.com\n',
  );

  ok(await run('permission', 'grant', 'add', 'storage', './notes', '--access', 'read,write'));
  assert.match(await may(`storage:fs://${directory}/notes/a (write)`), /^yes /);
  ok(await run('permission', 'revoke', 'add', 'storage', 'notes', '--access', 'write'));
  const both = await run('policy', 'explain', 'add', `storage:fs://${directory}/notes/a`, '--json');
  assert.equal(both.status, 1);
  assert.deepEqual(
    JSON.parse(both.out).map(({ allowed }: { allowed: boolean }) => allowed),
    [true, false],
  );

  ok(await run('permission', 'grant', 'add', 'memory', '256Mi'));
  ok(await run('permission', 'grant', 'add', 'time', '5s'));
  ok(await run('permission', 'grant', 'add', 'environment', 'API_KEY'));
  assert.deepEqual(JSON.parse(ok(await run('policy', 'get', 'add', '--json'))), {
    version: '1.0',
    permissions: {
      network: { allow: [{ host: '*.example.com' }] },
      storage: { allow: [{ uri: `fs://${directory}/notes/**`, access: ['read'] }] },
      resources: { limits: { memory: '256Mi', time: '5s' } },
      environment: { allow: [{ key: 'API_KEY' }] },
    },
  });
  ok(await run('permission', 'revoke', 'add', 'memory'));
  ok(await run('permission', 'reset', 'add', 'network'));
  assert.match(await may('network:api.example.com'), /^no /);
  ok(await run('permission', 'reset', 'add'));
  assert.equal(ok(await run('policy', 'get', 'add')), 'version: "1.0"\n');
});

test('a policy that comes along to say that nothing is needed is no request', async (t) => {
  const { run, directory } = await createDesk(t);
  await writeFile(
    join(directory, 'add.policy.yaml'),
    'version: "1.0"\ndescription: Computing needs nothing\n',
  );
  assert.doesNotMatch(ok(await run('component', 'load', 'add.wasm')), /It asks for permissions/);
});

test('a policy that comes along is a request until a person sets it', async (t) => {
  const { run, pipe, directory } = await createDesk(t);
  const requested = '# please\nversion: "1.0"\npermissions: {environment: {allow: [{key: HOME}]}}\n';
  await writeFile(join(directory, 'add.policy.yaml'), requested);
  assert.match(ok(await run('component', 'load', 'add.wasm')), /It asks for permissions/);
  assert.equal((await run('policy', 'explain', 'add', 'environment:HOME')).status, 1);
  const text = ok(await run('policy', 'get', 'add', '--requested'));
  assert.equal(text, requested);
  ok(await pipe(text, 'policy', 'set', 'add', '-'));
  assert.equal((await run('policy', 'explain', 'add', 'environment:HOME')).status, 0);
  assert.equal(ok(await run('policy', 'get', 'add')), requested);
});

test('bad input is one clear error and leaves the state as it was', async (t) => {
  const { run, pipe, state, directory } = await createDesk(t);
  ok(await run('component', 'load', 'add.wasm'));
  ok(await run('permission', 'grant', 'add', 'environment', 'HOME'));
  await writeFile(join(directory, 'bad.yaml'), 'version: "1.0"\npermissions:\n  everything: yes\n');
  await writeFile(join(directory, 'text.wasm'), 'hello');
  await writeFile(join(directory, 'broken.wasm'), ADD.subarray(0, 20));
  await writeFile(join(directory, 'other.wasm'), ADD);
  const before = await state();
  const cases = [
    [['component', 'load', 'missing.wasm'], 'Cannot load "missing.wasm": there is no such file'],
    [['component', 'load', 'text.wasm'], 'Cannot load "text.wasm": it is not WebAssembly'],
    [['component', 'load', 'broken.wasm'], 'Cannot load "broken.wasm": Malformed'],
    [['component', 'load', 'other.wasm', '--id', 'add'], 'that id belongs to file://'],
    [['component', 'load', 'other.wasm', '--id', '../x'], 'Cannot use "../x" as a component id'],
    [['component', 'load', 'other.wasm', '--digest', `sha256:${'0'.repeat(64)}`], 'expected sha256:0000'],
    [['component', 'load', 'oci://REGISTRY'], 'write it as oci://registry/repository:tag'],
    [['component', 'unload', 'nobody'], 'Unknown component "nobody"'],
    [
      ['policy', 'set', 'add', 'bad.yaml'],
      'Cannot parse policy "bad.yaml" at line 3, column 3: permissions has the unknown key "everything"',
    ],
    [['policy', 'set', 'add', 'missing.yaml'], 'no such file'],
    [['policy', 'set', 'nobody', 'bad.yaml'], 'Unknown component "nobody"'],
    [['policy', 'get', 'nobody'], 'Unknown component "nobody"'],
    [['policy', 'explain', 'add', 'everything'], 'Cannot read permission "everything"'],
    [['permission', 'grant', 'nobody', 'network', 'a.com'], 'Unknown component "nobody"'],
    [['permission', 'grant', 'add', 'netwrok', 'a.com'], 'did you mean "network"?'],
    [
      ['permission', 'grant', 'add', 'network', 'a.com/x'],
      'Cannot grant network "a.com/x": it must be [scheme://]host[:port]',
    ],
    [
      ['permission', 'grant', 'add', 'storage', 'missing'],
      'Cannot grant storage "missing": it does not exist',
    ],
    [['permission', 'grant', 'add', 'storage', 'fs:///no/such/place/**'], 'which is not a directory'],
    [['permission', 'grant', 'add', 'storage', 'fs://data/**'], 'must have an absolute path'],
    [['permission', 'grant', 'add', 'storage', '.', '--access', 'all'], 'Cannot read access "all"'],
    [['permission', 'grant', 'add', 'memory', 'lots'], 'must be a number with one of the units'],
    [['permission', 'revoke', 'add', 'network', 'a.com'], 'the policy has no such grant'],
    [['permission', 'revoke', 'add', 'network'], 'Missing argument'],
  ] as const;
  const check = async (args: readonly string[], message: string): Promise<void> => {
    const answer = await run(...args);
    assert.ok(answer.status !== 0 && answer.out === '', `${args.join(' ')}: ${answer.out}`);
    assert.match(answer.err, /^witbox: [^\n]+\n$/);
    assert.ok(answer.err.includes(message), `${answer.err} should have: ${message}`);
  };
  // A few at once: none of them changes anything.
  for (let i = 0; i < cases.length; i += 4) {
    await Promise.all(cases.slice(i, i + 4).map(([args, message]) => check(args, message)));
  }
  assert.match((await pipe('{', 'policy', 'set', 'add', '-')).err, /Cannot parse policy "standard input"/);
  assert.match((await pipe('#'.repeat(100_000), 'policy', 'set', 'add', '-')).err, /larger than 64 KiB/);
  assert.equal(await state(), before);
});

test('a policy that was broken by hand is told, and can be replaced', async (t) => {
  const { run, directory } = await createDesk(t);
  ok(await run('component', 'load', 'add.wasm'));
  const file = join(directory, 'data', 'components', 'add', 'policy.yaml');
  await writeFile(file, 'version: "1.0"\nbroken: true\n');
  const answer = await run('permission', 'grant', 'add', 'network', 'a.com');
  assert.match(answer.err, /at line 2, column 1/);
  assert.equal(await readFile(file, 'utf8'), 'version: "1.0"\nbroken: true\n');
  await writeFile(join(directory, 'good.yaml'), 'version: "1.0"\n');
  ok(await run('policy', 'set', 'add', 'good.yaml'));
});
