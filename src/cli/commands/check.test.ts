// `witbox check` as a child process, against the small servers that are made for being broken.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';

const root = join(import.meta.dirname, '../../..');
const server = [process.execPath, join(root, 'test/broken-servers/main.ts')];
const temp = mkdtempSync(join(tmpdir(), 'witbox-check-cli-'));
after(() => rmSync(temp, { recursive: true, force: true }));

function check(...args: string[]): Promise<{ status: number | null; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'bin/witbox.cjs'), 'check', ...args]);
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('close', (status) => resolve({ status, out, err }));
  });
}

const QUICK = ['--revision', '2025-11-25', '--timeout', '20', '--only', 'J01', '--only', 'S01'];

describe('witbox check', { concurrency: 4 }, () => {
  test('ends with 0 and a report when nothing fails', async () => {
    const { status, out } = await check(...QUICK, '--', ...server);
    assert.equal(status, 0);
    assert.match(out, /^# MCP compliance of broken 1\n\n0 failures/);
  });
  test('ends with 1 when something fails, and with 0 when a baseline accepts it', async () => {
    const file = join(temp, 'baseline.txt');
    writeFileSync(file, 'S01 stdio 2025-11-25\nJ01 stdio 2025-11-25\n');
    const failed = await check(...QUICK, '--', ...server, 'S01');
    assert.equal(failed.status, 1);
    const accepted = await check(...QUICK, '--baseline', file, '--', ...server, 'S01');
    assert.equal(accepted.status, 0);
    assert.match(accepted.err, /Stale line in the baseline: "J01 stdio 2025-11-25"/);
  });
  test('ends with 2 when nothing could be reached', async () => {
    const { status, err } = await check('--timeout', '1', '--', join(temp, 'no-such-command'));
    assert.equal(status, 2);
    assert.match(err, /Cannot check stdio: the command could not be started/);
  });
  test('writes every format', async () => {
    const begins = { json: '{', junit: '<?xml', sarif: '{', html: '<!doctype html>', markdown: '# MCP' };
    for (const [format, begin] of Object.entries(begins)) {
      const { out } = await check(...QUICK, '--format', format, '--', ...server);
      assert.ok(out.startsWith(begin), format);
    }
  });
  test('lists all checks', async () => {
    const { status, out } = await check('--list');
    assert.equal(status, 0);
    assert.match(out, /\| \[J01\]\(https:.*\) \| The id of a request comes back/);
  });
  test('refuses what it does not know, and says what it does', async () => {
    assert.match((await check('--only', 'Q99', '--', ...server)).err, /--only.*"Q99".*J01/s);
    assert.match((await check('--format', 'pdf', '--', ...server)).err, /"pdf".*sarif/s);
    assert.match((await check('--http', 'nowhere')).err, /"nowhere".*http:/s);
    assert.match((await check()).err, /Nothing to check/);
  });
});
