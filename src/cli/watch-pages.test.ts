import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHarness } from '../../test/mcp/harness.ts';
import { parseExposition } from '../../test/support/exposition.ts';
import { ANYBODY, type Caller } from '../core/caller.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createReadiness } from '../telemetry/readiness.ts';
import { type MetricsPageOptions, metricsPage, readyPage } from './watch-pages.ts';

test('/ready says what is missing, and that nothing is', async () => {
  const readiness = createReadiness();
  let loading: string | null = 'still loading';
  readiness.add('components', () => loading);
  readiness.add('keys', () => null);
  readiness.add(
    'audit',
    () => loading,
    () => false,
  );
  readiness.add('store', () => {
    if (loading !== null) throw new Error('/secret/path');
    return null;
  });
  const harness = await createHarness({ http: { pages: new Map([['/ready', readyPage(readiness)]]) } });
  try {
    const ask = async () => {
      const answer = await fetch(`${harness.origin}/ready`);
      return [answer.status, await answer.json()];
    };
    const problems = { components: 'still loading', store: 'cannot be checked' };
    const warnings = { audit: 'still loading' };
    assert.deepEqual(await ask(), [503, { status: 'not ready', problems, warnings }]);
    loading = null;
    assert.deepEqual(await ask(), [200, { status: 'ready', problems: {}, warnings: {} }]);
  } finally {
    await harness.close();
  }
});

test('/metrics is for this machine, for those who may manage, and for all only if opened', async () => {
  const metrics = createMetrics();
  let options: MetricsPageOptions = {
    address: 'loopback',
    mayRead: ({ name }) => name === 'ada',
  };
  const identify = ({ headers }: { headers: NodeJS.Dict<string | string[]> }): Caller => ({
    ...ANYBODY,
    name: `${headers.authorization}`,
  });
  const pages = new Map([['/metrics', metricsPage(metrics, () => options)]]);
  const harness = await createHarness({ http: { pages, identify } });
  try {
    const ask = (headers: Record<string, string> = {}) => fetch(`${harness.origin}/metrics`, { headers });
    const direct = await ask();
    assert.equal(direct.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    assert.ok(parseExposition(await direct.text()).has('witbox_queue_waiting'));
    const proxied = { 'x-forwarded-for': '198.51.100.7' };
    assert.equal((await ask(proxied)).status, 404);
    assert.equal((await ask({ ...proxied, authorization: 'eve' })).status, 404);
    assert.equal((await ask({ ...proxied, authorization: 'ada' })).status, 200);
    options = { ...options, address: 'any' };
    assert.equal((await ask(proxied)).status, 200);
  } finally {
    await harness.close();
  }
});
