import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runChecks } from '../../src/check/run.ts';
import { issueToken } from './guard.ts';
import { keepsState, keepsTasks, together } from './keepers.ts';
import { serveHttp } from './transports/http.ts';
import { serveSse } from './transports/sse.ts';
import { serveWebSocket } from './transports/websocket.ts';

const OPTIONS = {
  milliseconds: 8_000,
  allowCalls: ['*'],
  argumentsByTool: {},
  otherHeaders: { authorization: 'Bearer another' },
  only: [],
  skip: [],
};

test('the server that all broken ones are made from fails nothing, on four transports at five revisions', async () => {
  const fault = { slow: true };
  const [http, sse, websocket] = [await serveHttp(fault), await serveSse(fault), await serveWebSocket(fault)];
  try {
    const main = join(import.meta.dirname, 'main.ts');
    const report = await runChecks(
      [
        { transport: 'stdio', command: [process.execPath, main], environment: process.env },
        { transport: 'http', url: http.url, headers: {} },
        { transport: 'sse', url: sse.url, headers: {} },
        { transport: 'websocket', url: websocket.url, headers: {} },
      ],
      OPTIONS,
    );
    const wrong = report.findings.filter(({ verdict }) => verdict.status === 'fail');
    assert.deepEqual(
      wrong.map(({ check, transport, revision, verdict }) => [check.id, transport, revision, verdict]),
      [],
    );
    assert.deepEqual(
      report.reached.map(({ revisions }) => revisions.length),
      [5, 5, 5, 5],
    );
    assert.ok(report.findings.length > 600);
  } finally {
    for (const server of [http, sse, websocket]) await server.close();
  }
});

test('a server that asks for authorization and binds what it keeps passes what can only be told of such a server', async () => {
  const fault = { ...together(keepsState({}), keepsTasks({})), http: { guard: {} } };
  const server = await serveHttp(fault);
  const bearer = (who: string) => ({ authorization: `Bearer ${issueToken(who)}` });
  const only = ['X03', 'X06', 'X07', 'X08', 'X09', 'H07', 'F15', 'F28', 'F29', 'F30'];
  try {
    const report = await runChecks([{ transport: 'http', url: server.url, headers: bearer('ann') }], {
      ...OPTIONS,
      otherHeaders: bearer('bob'),
      wrongAudienceToken: issueToken('ann', 'https://elsewhere.example/'),
      revisions: ['2025-06-18', '2026-07-28'],
      only,
    });
    assert.deepEqual(
      report.findings.filter(({ verdict }) => verdict.status !== 'pass').map(({ verdict }) => verdict),
      [],
    );
    assert.deepEqual([...new Set(report.findings.map(({ check }) => check.id))].sort(), only.sort());
  } finally {
    await server.close();
  }
});

test('a server that asks for authorization is not reached without it, and the reason says so', async () => {
  const server = await serveHttp({ http: { guard: {} } });
  try {
    const report = await runChecks([{ transport: 'http', url: server.url, headers: {} }], {
      ...OPTIONS,
      revisions: ['2025-11-25'],
    });
    assert.deepEqual(report.reached, []);
    assert.match(report.unreached[0]!.reason, /asks for authorization \(HTTP 401\)/);
  } finally {
    await server.close();
  }
});
