import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Address } from '../../src/check/link.ts';
import { CHECKS } from '../../src/check/registry.ts';
import { type Report, runChecks } from '../../src/check/run.ts';
import { BROKEN, type BrokenServer } from './faults.ts';
import { type HttpServer, serveHttp, serveSse, serveWebSocket } from './transports.ts';

const OPTIONS = { milliseconds: 1_500, allowCalls: [], argumentsByTool: {}, only: [], skip: [] };
const MAIN = join(import.meta.dirname, 'main.ts');

const stdio = (id: string): Address => ({
  transport: 'stdio',
  command: [process.execPath, MAIN, id],
  environment: process.env,
});

/** These wait for something not to happen. They run against their own broken server and against the correct ones. */
const SLOW = ['S05', 'S08', 'H05', 'H09', 'H12'];

const serve = (broken: BrokenServer): Promise<HttpServer> => {
  if (broken.transport === 'sse') return serveSse(broken.fault);
  return broken.transport === 'websocket' ? serveWebSocket(broken.fault) : serveHttp(broken.fault);
};

async function checked(id: string, broken: BrokenServer): Promise<Report> {
  const options = { ...OPTIONS, revisions: [broken.revision], skip: SLOW.filter((slow) => slow !== id) };
  if (broken.transport === 'stdio') return runChecks([stdio(id)], options);
  const server = await serve(broken);
  try {
    return await runChecks([{ transport: broken.transport, url: server.url, headers: {} }], options);
  } finally {
    await server.close();
  }
}

test('every check has its broken server', () => {
  assert.deepEqual(
    CHECKS.map(({ id }) => id).filter((id) => BROKEN[id] === undefined),
    [],
  );
});

test('the correct server fails nothing on stdio', async () => {
  const report = await runChecks([stdio('')], OPTIONS);
  const wrong = report.findings.filter(({ verdict }) => verdict.status === 'fail');
  assert.deepEqual(
    wrong.map(({ check, revision, verdict }) => [check.id, revision, verdict]),
    [],
  );
  assert.equal(report.reached[0]?.revisions.length, 5);
});

describe('a broken server is found out by exactly its check', { concurrency: 4 }, () => {
  for (const [id, broken] of Object.entries(BROKEN)) {
    test(id, async () => {
      const { findings } = await checked(id, broken);
      const failed = findings.filter(({ verdict }) => verdict.status === 'fail');
      const ids = new Set(failed.map(({ check }) => check.id));
      assert.ok(
        ids.has(id),
        `${id} did not fail: ${JSON.stringify(findings.find(({ check }) => check.id === id)?.verdict)}`,
      );
      const others = failed.filter(({ check }) => check.id !== id && !broken.with?.includes(check.id));
      assert.deepEqual(
        others.map(({ check, verdict }) => [check.id, verdict]),
        [],
      );
    });
  }
});
