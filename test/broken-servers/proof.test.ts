import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Address } from '../../src/check/link.ts';
import type { Transport } from '../../src/check/model.ts';
import { CHECKS } from '../../src/check/registry.ts';
import { type Report, runChecks } from '../../src/check/run.ts';
import { BROKEN, type BrokenServer } from './faults.ts';
import { issueToken } from './guard.ts';
import type { Fault } from './server.ts';
import { serveHttp } from './transports/http.ts';
import type { Listening } from './transports/listening.ts';
import { serveSse } from './transports/sse.ts';
import { serveWebSocket } from './transports/websocket.ts';

const OPTIONS = {
  milliseconds: 6_000,
  allowCalls: ['*'],
  argumentsByTool: {},
  otherHeaders: { authorization: 'Bearer another' },
  wrongAudienceToken: issueToken('ann', 'https://elsewhere.example/'),
  only: [],
  skip: [],
};
const MAIN = join(import.meta.dirname, 'main.ts');

const stdio = (id: string): Address => ({
  transport: 'stdio',
  command: [process.execPath, MAIN, id],
  environment: process.env,
});

/** These wait for something not to happen. They run against their own broken server and against the correct ones. */
const SLOW = ['S05', 'S08', 'H08', 'H09', 'H12', 'X02'];

const SERVE: Readonly<Record<Exclude<Transport, 'stdio'>, (fault: Fault) => Promise<Listening>>> = {
  http: serveHttp,
  sse: serveSse,
  websocket: serveWebSocket,
};

async function checked(id: string, broken: BrokenServer): Promise<Report> {
  const options = {
    ...OPTIONS,
    milliseconds: broken.milliseconds ?? OPTIONS.milliseconds,
    revisions: [...(broken.tried ?? []), broken.revision].sort(),
    skip: SLOW.filter((slow) => slow !== id),
  };
  if (broken.transport === 'stdio') return runChecks([stdio(id)], options);
  const servers = [{ transport: broken.transport, server: await SERVE[broken.transport](broken.fault) }];
  if (broken.beside !== undefined && broken.beside !== 'stdio')
    servers.unshift({ transport: broken.beside, server: await SERVE[broken.beside]({}) });
  try {
    const bearer = (who: string) => ({ authorization: `Bearer ${issueToken(who)}` });
    const headers: Record<string, string> = broken.guarded ? bearer('ann') : {};
    const addresses = servers.map(({ transport, server }) => ({ transport, url: server.url, headers }));
    return await runChecks(addresses, {
      ...options,
      ...(broken.guarded && { otherHeaders: bearer('bob') }),
    });
  } finally {
    for (const { server } of servers) await server.close();
  }
}

test('every check has its broken server, and every broken server its check', () => {
  assert.deepEqual(Object.keys(BROKEN).sort(), CHECKS.map(({ id }) => id).sort());
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
