// What people see and type: the commands on a real terminal, which `script` of util-linux gives them.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { createHarness, type Harness } from '../../test/mcp/harness.ts';

const root = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'witbox-terminal-'));
const probe = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' });
const skip = probe.status !== 0 && 'there is no terminal to be had: script of util-linux is missing';
const LONG = 30_000;

let harness: Harness;
before(async () => {
  harness = await createHarness();
});
after(async () => {
  await harness.close();
  rmSync(home, { recursive: true, force: true });
});

/** Types each line when the words before it have been shown. */
function onTerminal(
  args: readonly string[],
  typing: readonly (readonly [shown: string, typed: string])[] = [],
): Promise<{ status: number | null; screen: string }> {
  const words = [process.execPath, join(root, 'bin/witbox.cjs'), ...args].map((word) => `'${word}'`);
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', words.join(' '), '/dev/null'], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, TERM: 'xterm', SHELL: '/bin/sh' },
    });
    const left = [...typing];
    let screen = '';
    let seen = 0;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
      const next = left[0];
      const at = next === undefined ? -1 : screen.indexOf(next[0], seen);
      if (next === undefined || at < 0) return;
      seen = at + next[0].length;
      left.shift();
      child.stdin.write(next[1]);
    });
    child.stdin.on('error', () => {});
    const late = setTimeout(() => child.kill(), LONG);
    child.on('error', reject).on('close', (status) => {
      clearTimeout(late);
      resolve({ status, screen });
    });
  });
}

suite('on a terminal', { skip, concurrency: 2 }, () => {
  const ask = ['tool', 'call', 'test_input_required_result_elicitation', '--server'];

  for (const revision of ['2025-11-25', '2026-07-28']) {
    test(`a question is asked, answered and sent at ${revision}`, async () => {
      const { status, screen } = await onTerminal(
        [...ask, `${harness.origin}/mcp`, '--revision', revision],
        [
          ['name: ', 'Ada\r'],
          ['Send this? (y/n) ', 'y\r'],
        ],
      );
      assert.equal(status, 0, screen);
      assert.match(screen, /Hello, Ada!/);
    });
  }

  test('what was typed is not sent without consent', async () => {
    const { status, screen } = await onTerminal(
      ['tool', 'call', 'test_elicitation', 'message=Who?', '--server', `${harness.origin}/mcp`],
      [
        ['response: ', 'Ada\r'],
        ['address: ', 'ada@example.com\r'],
        ['Send this? (y/n) ', 'n\r'],
      ],
    );
    assert.equal(status, 0, screen);
    const [, answer = ''] = screen.split('Send this?');
    assert.match(answer, /decline/);
    assert.doesNotMatch(answer, /Ada/);
  });

  test('Ctrl-C at a question ends the command', async () => {
    const { status, screen } = await onTerminal([...ask, `${harness.origin}/mcp`], [['name: ', '\x03']]);
    assert.equal(status, 130, screen);
  });

  test('a check shows a bar and a table while it runs, takes them away, and then prints its report', async () => {
    const { status, screen } = await onTerminal([
      ...['check', '--timeout', '20', '--only', 'J01', '--only', 'J04', '--revision', '2025-11-25'],
      `${harness.origin}/mcp`,
    ]);
    assert.equal(status, 0, screen);
    assert.match(screen, /█+ 2\/2/);
    assert.match(screen, /http +2025-11-25 {2}✔/);
    assert.ok(screen.lastIndexOf('\x1b[J') < screen.indexOf('# MCP compliance'), 'the table is gone first');
  });

  test('progress of a call is one line that is written over', async () => {
    const { screen } = await onTerminal([
      ...['tool', 'call', 'test_tool_with_progress', '--server', `${harness.origin}/mcp`],
    ]);
    const lines = screen.split('\r\x1b[K');
    assert.match(lines[2]!, /^█+░+ 50\/100/);
    assert.match(lines[3]!, /^█{20} 100\/100/);
  });
});
