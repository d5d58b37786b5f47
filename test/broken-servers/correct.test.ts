import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runChecks } from '../../src/check/run.ts';
import { serveHttp } from './transports.ts';

const OPTIONS = { milliseconds: 2_000, allowCalls: [], argumentsByTool: {}, only: [], skip: [] };

test('the server that all broken ones are made from fails nothing over HTTP', async () => {
  const server = await serveHttp({});
  try {
    const report = await runChecks([{ transport: 'http', url: server.url, headers: {} }], OPTIONS);
    const wrong = report.findings.filter(({ verdict }) => verdict.status === 'fail');
    assert.deepEqual(
      wrong.map(({ check, revision, verdict }) => [check.id, revision, verdict]),
      [],
    );
    assert.equal(report.reached[0]?.revisions.length, 5);
  } finally {
    await server.close();
  }
});
