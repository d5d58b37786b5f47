import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runCommand } from '../../../test/support/io.ts';
import { createKeyStore } from '../../store/keys.ts';

const CONFIG = `
authentication: { keys: true }
access:
  rules:
    - who: ['scope:tools', 'group:admins']
      allow: { tools: ['*'] }
      arguments:
        - tool: fetch
          schema: { properties: { url: { pattern: '^https://' } } }
    - who: ['*']
      deny: { tools: ['delete_*'] }
    - who: ['group:admins']
      allow: { management: ['list-*', 'component://*'], components: [files] }
`;

async function deskFor(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-authz-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const file = join(directory, 'witbox.yaml');
  await writeFile(file, CONFIG);
  const explain = (...words: string[]) =>
    runCommand(['authz', 'explain', ...words], { WITBOX_DATA_DIR: directory });
  return { directory, explain, configured: (...words: string[]) => explain(...words, '--config', file) };
}

test('the rule that decides is told with its number and line, and what arguments must satisfy', async (t) => {
  const { configured } = await deskFor(t);
  const yes = await configured('subject:ada,scope:tools', 'fetch');
  assert.equal(yes.status, 0);
  assert.match(yes.out, /^yes {2}rule 1 allows tool "fetch" {2}\(.*witbox\.yaml:5\)$/m);
  assert.match(yes.out, /^arguments must satisfy, by rule 1: .*\^https:\/\//m);
  const no = await configured('subject:ada,scope:tools', 'delete_all');
  assert.equal(no.status, 1);
  assert.match(no.out, /^no {2}rule 2 denies tool "delete_all" {2}\(.*:10\)$/m);
});

test('as JSON', async (t) => {
  const { configured } = await deskFor(t);
  const { out } = await configured('group:admins', 'files.fetch', '--json');
  assert.deepEqual(JSON.parse(out), {
    allowed: true,
    kind: 'tool',
    reason: 'rule 1 allows tool "files.fetch"',
    rule: 1,
    line: 5,
    rules: [1, 2, 3],
    arguments: [
      { rule: 1, line: 5, tool: 'fetch', schema: { properties: { url: { pattern: '^https://' } } } },
    ],
    componentNeeded: false,
  });
});

test('built-in tools and what is told about components are management', async (t) => {
  const { configured } = await deskFor(t);
  assert.match((await configured('group:admins', 'list-components')).out, /^yes {2}rule 3 allows management/);
  assert.match((await configured('group:admins', 'component://a/log')).out, /^yes/);
  assert.match((await configured('scope:tools', 'list-components')).out, /^no/);
});

test('where the component matters and is not told, that is said', async (t) => {
  const { configured } = await deskFor(t);
  const { out } = await configured('group:admins', 'notes://1');
  assert.match(out, /^no .*\nRules for this caller name components/);
  assert.match((await configured('group:admins', 'notes://1', '--component', 'files')).out, /^yes/);
});

test('a key brings the scopes and groups that it was made with', async (t) => {
  const { configured, directory } = await deskFor(t);
  assert.equal((await configured('key:ci', 'read')).status, 1);
  await createKeyStore(directory).create({ name: 'ci', scopes: ['tools'], groups: [], expiresAt: null });
  assert.equal((await configured('key:ci', 'read')).status, 0);
});

test('without a configuration the defaults answer', async (t) => {
  const { explain } = await deskFor(t);
  assert.equal((await explain('local', 'load-component')).status, 0);
  assert.equal((await explain('key:x', 'load-component')).status, 1);
});

test('who cannot be meant is refused', async (t) => {
  const { explain } = await deskFor(t);
  for (const who of ['admin', 'key:', 'key:a,subject:b', '', 'role:x'])
    await assert.rejects(explain(who, 'read'), { code: 'principal-invalid' }, who);
});
