// The checker against servers that would kill it. Each run ends by itself, within bounds, and tells what it saw.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Address } from '../../src/check/link.ts';
import { markdownReport } from '../../src/check/report/markdown.ts';
import { type Report, runChecks } from '../../src/check/run.ts';

const MAIN = join(import.meta.dirname, 'misbehaving.ts');
const OPTIONS = { milliseconds: 600, starting: 15_000, allowCalls: ['*'], argumentsByTool: {}, skip: [] };
/** A few of every kind; a whole run would only repeat them. */
const ONLY = ['S01', 'S03', 'J01', 'J12', 'V03', 'H15', 'F02', 'F13'];
const MOST_MEMORY = 400 << 20;

async function survive(address: Address, starting = OPTIONS.starting): Promise<Report> {
  const before = process.memoryUsage.rss();
  const report = await runChecks([address], { ...OPTIONS, starting, only: ONLY, revisions: ['2025-11-25'] });
  const grown = process.memoryUsage.rss() - before;
  assert.ok(grown < MOST_MEMORY, `grew by ${grown >> 20} MB`);
  assert.ok(markdownReport(report).length < 1 << 20);
  return report;
}

const stdio = (mode: string): Address => ({
  transport: 'stdio',
  command: [process.execPath, MAIN, mode],
  environment: process.env,
});

async function overHttp(mode: string, look: (address: Address) => Promise<void>): Promise<void> {
  const child: ChildProcess = spawn(process.execPath, [MAIN, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    await look({ transport: 'http', url: new URL(line.toString().trim()), headers: {} });
  } finally {
    child.kill('SIGKILL');
  }
}

/** Failed, or could not be made since the server was gone: on a busy machine it may not be back in time. */
const unpassed = ({ findings }: Report): string[] =>
  findings.filter(({ verdict }) => verdict.status !== 'pass').map(({ check }) => check.id);
const failed = ({ findings }: Report): string[] =>
  findings.filter(({ verdict }) => verdict.status === 'fail').map(({ check }) => check.id);

describe('the checker survives a server that', { timeout: 120_000 }, () => {
  test('never says anything', async () => {
    const report = await survive(stdio('silent'), 1_000);
    assert.equal(report.reached.length, 0);
    assert.match(report.unreached[0]!.reason, /no revision|ended/);
  });
  test('opens and then hangs', async () => {
    const report = await survive(stdio('hang'));
    assert.ok(failed(report).includes('J01'));
    assert.ok(report.findings.some(({ verdict }) => verdict.status === 'skip'));
  });
  test('floods', async () => {
    const report = await survive(stdio('flood'));
    assert.equal(report.reached.length, 1);
    assert.ok(report.findings.some(({ verdict }) => verdict.status !== 'pass'));
  });
  test('closes at the first request', async () => {
    assert.ok(unpassed(await survive(stdio('close'))).includes('J01'));
  });
  test('answers everything twice', async () => {
    assert.ok(failed(await survive(stdio('twice'))).includes('J12'));
  });
  test('prints garbage', async () => {
    const ids = failed(await survive(stdio('garbage')));
    assert.ok(ids.includes('S01') && ids.includes('S03'), ids.join());
  });
  test('never ends a line', async () => {
    assert.ok(unpassed(await survive(stdio('endless'))).includes('J01'));
  });
  test('answers with a gigabyte', async () => {
    assert.ok(unpassed(await survive(stdio('gigabyte'))).includes('J01'));
  });
  test('hangs over HTTP', () =>
    overHttp('http-hang', async (address) => {
      assert.ok(failed(await survive(address)).includes('J01'));
    }));
  test('answers with a body without end over HTTP', () =>
    overHttp('http-gigabyte', async (address) => {
      assert.ok(failed(await survive(address)).includes('J01'));
    }));
  test('sends events without end over HTTP', () =>
    overHttp('http-events', async (address) => {
      assert.ok(failed(await survive(address)).includes('J01'));
    }));
});
