import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHarness } from '../../../test/mcp/harness.ts';
import { ANYBODY } from '../../core/caller.ts';
import { WitboxError } from '../../core/errors.ts';
import type { Page } from './page.ts';

test('pages are served beside MCP, to whom they want, by GET and HEAD', async () => {
  const open: Page = () => ({ status: 503, type: 'text/plain', body: 'grün' });
  const closed: Page = async (_, identify) => ({
    status: 200,
    type: 'text/plain',
    body: (await identify()).name,
  });
  const harness = await createHarness({
    http: {
      pages: new Map([
        ['/open', open],
        ['/closed', closed],
      ]),
      identify({ headers }) {
        if (headers.authorization !== 'yes') throw new WitboxError('http-not-found', { path: '/' });
        return ANYBODY;
      },
    },
  });
  try {
    const ask = (path: string, init?: RequestInit) => fetch(`${harness.origin}${path}`, init);
    const seen = await ask('/open?x=1');
    assert.deepEqual(
      [seen.status, await seen.text(), seen.headers.get('cache-control')],
      [503, 'grün', 'no-store'],
    );
    const head = await ask('/open', { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [503, '5']);
    const posted = await ask('/open', { method: 'POST', body: '{}' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
    assert.equal((await ask('/closed')).status, 404);
    assert.equal(await (await ask('/closed', { headers: { authorization: 'yes' } })).text(), 'anybody');
    const rebound = await ask('/open', { headers: { origin: 'https://evil.example' } });
    assert.equal(rebound.status, 403, 'the guard stands before pages too');
  } finally {
    await harness.close();
  }
});
