import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readTls } from '../transport/http/tls.ts';
import { selfSignedFiles } from './self-signed-files.ts';

test('a self-signed certificate is kept, and made anew for other names or when it grows old', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-tls-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const now = new Date();
  const later = new Date(now.getTime() + 340 * 86_400_000);
  const print = async (names: readonly string[], at = now) =>
    readTls(await selfSignedFiles(directory, names, at)).fingerprint;
  const first = await print(['box', '0.0.0.0']);
  assert.equal(await print(['box']), first);
  assert.equal(await print([]), first);
  const second = await print(['box', 'other.example']);
  assert.notEqual(second, first);
  assert.notEqual(await print(['box'], later), second);
  const { key, certificate } = await selfSignedFiles(directory, [], later);
  assert.equal((await stat(key)).mode & 0o777, 0o600);
  assert.match(await readFile(certificate, 'utf8'), /^-----BEGIN CERTIFICATE-----/);
});
