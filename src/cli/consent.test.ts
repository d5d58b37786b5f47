// Consent on the command line: what comes back to the open port is taken if it belongs to the visit, and else refused.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { createConsent } from '../client/client.ts';
import type { Io } from './command.ts';
import { openConsent } from './consent.ts';

const { signal } = new AbortController();
const dataDir = mkdtempSync(join(tmpdir(), 'witbox-consent-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

async function visit(change: (query: URLSearchParams) => void) {
  let shown = '';
  const err = (text: string): void => {
    shown += text;
  };
  const io = { err, env: { WITBOX_DATA_DIR: dataDir }, stdin: { isTTY: true } } as unknown as Io;
  const consent = await openConsent(new URL('https://example.com/mcp'), { forget: false }, io, signal);
  assert.ok(consent);
  const { provider, returned } = consent.auth as ReturnType<typeof createConsent>;
  const state = await provider.state!();
  await provider.redirectToAuthorization(new URL(`https://example.com/authorize?state=${state}`));
  const query = new URLSearchParams({ code: 'abc', state });
  change(query);
  const elsewhere = await fetch(new URL('/other', String(provider.redirectUrl)));
  const page = await fetch(`${provider.redirectUrl}?${query}`);
  return { shown, page, elsewhere, returned, close: consent.close };
}

test('the address is shown and the query that comes back is taken', async () => {
  const { shown, page, elsewhere, returned, close } = await visit(() => {});
  assert.match(shown, /Open this address:\n {2}https:\/\/example\.com\/authorize\?state=/);
  assert.deepEqual([page.status, elsewhere.status], [200, 404]);
  assert.equal((await returned()).get('code'), 'abc');
  close();
});

test('a query of another visit is refused', async () => {
  const { returned, close } = await visit((query) => query.set('state', 'forged'));
  await assert.rejects(returned(), /belongs to another visit/);
  close();
});

test('where nobody can be asked and nothing was kept, there is no consent', async () => {
  const io = { err() {}, env: { WITBOX_DATA_DIR: dataDir }, stdin: {} } as unknown as Io;
  const address = new URL('https://example.com/other');
  assert.equal(await openConsent(address, { forget: false }, io, signal), undefined);
});
