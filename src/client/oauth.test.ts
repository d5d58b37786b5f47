// Consent against a real authorization server: given once, kept for its owner's eyes, renewed, and forgotten on request.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { type Authorization, consentTo, startAuthorization } from '../../test/mcp/authorization-server.ts';
import { createHarness, type Harness } from '../../test/mcp/harness.ts';
import { addressTarget, connect, createConsent, createCredentialFile } from './client.ts';

const REDIRECT = 'http://127.0.0.1:47831/callback';
const LAUNCHER = join(import.meta.dirname, '../../bin/witbox.cjs');

let harness: Harness;
let authorization: Authorization;
const dataDir = mkdtempSync(join(tmpdir(), 'witbox-oauth-'));
const directory = join(dataDir, 'oauth');

before(async () => {
  harness = await createHarness();
  authorization = await startAuthorization(harness.origin);
});
after(async () => {
  authorization.close();
  await harness.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Lists tools with what is kept, and tells how often the person was asked. */
async function listTools(redirectUrl = REDIRECT): Promise<number> {
  const file = createCredentialFile(directory, authorization.address);
  let visits = 0;
  const auth = createConsent({
    clientName: 'Witbox',
    redirectUrl,
    kept: await file.read(),
    keep: file.write,
    visit(address) {
      visits++;
      return consentTo(address, redirectUrl);
    },
  });
  const connection = await connect(addressTarget(authorization.address.href)!, { auth });
  assert.ok((await connection.tools()).length > 0);
  await connection.close();
  return visits;
}

function witbox(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const env = { PATH: process.env.PATH, HOME: dataDir, WITBOX_DATA_DIR: dataDir };
  return new Promise((resolve) => {
    execFile(process.execPath, [LAUNCHER, ...args], { env }, (error, out, err) => {
      resolve({ status: Number(error?.code ?? 0), out, err });
    });
  });
}

suite('consent', () => {
  test('a person is asked once, and the next time what was kept is used', async () => {
    assert.equal(await listTools(), 1);
    assert.equal(await listTools(), 0);
  });

  test('what is kept is for its owner alone, and nothing unfinished stands beside it', async () => {
    const { path } = createCredentialFile(directory, authorization.address);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    assert.equal((await readdir(directory)).length, 1);
  });

  test('a token that is no longer good is renewed without asking, and the new one is kept', async () => {
    const { path } = createCredentialFile(directory, authorization.address);
    const kept = JSON.parse(await readFile(path, 'utf8'));
    const good = kept.tokens[authorization.issuer].access_token;
    assert.ok(kept.tokens[authorization.issuer].refresh_token);
    kept.tokens[authorization.issuer].access_token = 'spoilt';
    await writeFile(path, JSON.stringify(kept));
    assert.equal(await listTools(), 0);
    const renewed = JSON.parse(await readFile(path, 'utf8')).tokens[authorization.issuer].access_token;
    assert.notEqual(renewed, 'spoilt');
    assert.notEqual(renewed, good);
  });

  test('the command line uses what was kept where nobody can be asked, until told to forget it', async () => {
    const server = ['tool', 'list', '--server', authorization.address.href];
    const used = await witbox(...server);
    assert.equal(used.status, 0, used.err);
    assert.match(used.out, /test_simple_text/);
    const forgotten = await witbox(...server, '--forget');
    assert.notEqual(forgotten.status, 0);
    assert.match(forgotten.err, /authoriz/i);
    assert.deepEqual(await readdir(directory), []);
  });

  test('what was kept for another way back, for another server, or was spoilt counts for nothing', async () => {
    assert.equal(await listTools(), 1);
    assert.equal(await listTools('http://127.0.0.1:47832/callback'), 1);
    const { path } = createCredentialFile(directory, authorization.address);
    const elsewhere = createCredentialFile(directory, new URL('https://example.com/mcp'));
    await writeFile(elsewhere.path, await readFile(path));
    assert.equal(await elsewhere.read(), undefined);
    await writeFile(path, '{"server":');
    assert.equal(await listTools(), 1);
  });
});
