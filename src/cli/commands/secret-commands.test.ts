// The commands on secrets, run as the program that people run.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createStore } from '../../store/store.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/witbox.cjs');

interface Answer {
  readonly out: string;
  readonly err: string;
  readonly status: number | null;
}

async function openDesk(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'witbox-secret-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const dataDir = join(folder, 'data');
  await createStore(dataDir).load({ uri: 'file:///w.wasm', name: 'weather.wasm', bytes: Buffer.from('w') });
  const run = (words: string, stdin = '', env: Record<string, string> = {}): Promise<Answer> =>
    new Promise((done, failed) => {
      const child = spawn(process.execPath, [PROGRAM, ...words.split(' ')], {
        cwd: folder,
        env: { WITBOX_DATA_DIR: dataDir, HOME: folder, ...env },
      });
      let [out, err] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        out += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        err += text;
      });
      child.on('error', failed).on('close', (status) => done({ out, err, status }));
      child.stdin.on('error', () => {});
      child.stdin.end(stdin);
    });
  return { folder, dataDir, run };
}

test('a secret is set from a pipe or a file, listed by name, and deleted', async (t) => {
  const { folder, run } = await openDesk(t);
  assert.deepEqual(await run('secret set weather API_KEY', 'canary-1\n'), {
    out: 'Set secret API_KEY for "weather"\n',
    err: '',
    status: 0,
  });
  await writeFile(join(folder, 'value.txt'), 'canary-2\r\n');
  assert.equal((await run('secret set weather OTHER --value-file value.txt')).status, 0);
  const listed = await run('secret list --json');
  assert.deepEqual(
    JSON.parse(listed.out).map(({ component, key }: Record<string, string>) => `${component} ${key}`),
    ['weather API_KEY', 'weather OTHER'],
  );
  assert.doesNotMatch(listed.out, /canary/);
  assert.match((await run('secret rekey')).out, /^Encrypted 2 secrets with the key in the file/);
  assert.equal((await run('secret delete weather API_KEY')).out, 'Deleted secret API_KEY of "weather"\n');
  assert.match((await run('secret list')).out, /^weather {2}OTHER {2}set \S+Z\n$/);
});

test('a value is never taken from an argument, and never repeated', async (t) => {
  const { run } = await openDesk(t);
  const { err, out, status } = await run('secret set weather API_KEY canary-value');
  assert.equal(status, 2);
  assert.match(err, /never taken from an argument/);
  assert.doesNotMatch(err + out, /canary-value/);
});

test('what cannot be done is one line that says why', async (t) => {
  const { run } = await openDesk(t);
  const cases = [
    ['secret set nobody KEY', /Unknown component "nobody"/],
    ['secret set weather 1KEY', /Cannot keep secret "1KEY"/],
    ['secret list nobody', /Unknown component/],
    ['secret delete weather KEY', /has no secret "KEY"/],
    ['secret rekey --to somewhere', /expected file:PATH/],
    ['secret set weather KEY --config none.yaml', /none\.yaml/],
  ] as const;
  for (const [words, message] of cases) {
    const { err, status } = await run(words, 'value');
    assert.match(err, message);
    assert.equal(err.split('\n').length, 2, err);
    assert.notEqual(status, 0);
  }
});

test('the configuration says where the key is', async (t) => {
  const { folder, run } = await openDesk(t);
  await writeFile(join(folder, 'witbox.yaml'), 'secrets: { key: { file: elsewhere.key } }\n');
  await run('secret set weather KEY --config witbox.yaml', 'canary');
  assert.match(await readFile(join(folder, 'elsewhere.key'), 'utf8'), /^\S{44}\n$/);
  assert.match(
    (await run('secret set weather KEY', 'canary')).err,
    /Cannot open the secrets: there is no key/,
  );
});

test('a secret is granted to requests and shown as every grant', async (t) => {
  const { run } = await openDesk(t);
  const grant = 'permission grant weather secret API_KEY --host api.example.com --header X-Key';
  assert.equal((await run(grant)).out, 'Granted secret API_KEY for "weather"\n');
  assert.match((await run(grant)).out, /Nothing to do/);
  assert.match(
    (await run('policy explain weather secret:API_KEY')).out,
    /^yes {2}secret:API_KEY .*API_KEY to https:\/\/api\.example\.com \(header X-Key\)\n$/,
  );
  assert.equal((await run('policy explain weather secret:OTHER')).status, 1);
  assert.equal((await run('permission revoke weather secret API_KEY')).status, 0);
  assert.equal((await run('policy get weather')).out, 'version: "1.0"\n');
});

/** Stands in for libsecret's program: the same words, kept in a file. Where the real one is, this is not asked. */
const SECRET_TOOL = `#!/bin/sh
case "$1" in
  lookup) shift; test -f "$HOME/keyring-$2-$4" && cat "$HOME/keyring-$2-$4" ;;
  store) test "$2" = "--label=Witbox secrets" || exit 9; shift 2; cat > "$HOME/keyring-$2-$4" ;;
  *) exit 9 ;;
esac
`;

test('the key can be kept by the program of the keyring', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const { folder, dataDir, run } = await openDesk(t);
  await writeFile(join(folder, 'secret-tool'), SECRET_TOOL);
  await chmod(join(folder, 'secret-tool'), 0o755);
  await writeFile(join(folder, 'witbox.yaml'), 'secrets: { key: { keyring: true } }\n');
  const env = {
    PATH: [folder, '/usr/bin', '/bin'].join(delimiter),
    WITBOX_CONFIG: join(folder, 'witbox.yaml'),
  };
  assert.equal((await run('secret set weather KEY', 'canary', env)).err, '');
  assert.equal((await run('secret rekey', '', env)).err, '');
  assert.equal((await run('secret set weather OTHER', 'canary', env)).err, '');
  assert.match(await readFile(join(dataDir, 'secrets.json'), 'utf8'), /"from": "keyring of the system"/);
  const none = await run('secret set weather KEY', 'canary', { ...env, PATH: '/nonexistent' });
  assert.match(none.err, /"secret-tool" is not installed/);
});
