import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const launcher = join(import.meta.dirname, '../../bin/witbox.cjs');
const run = promisify(execFile);

// The whole matrix, four transports at five revisions, is `npm run check:self`.
test('a Witbox that is started for it passes all checks on all transports, at the newest revisions of both eras', async () => {
  const { stdout } = await run(
    process.execPath,
    [
      launcher,
      ...['check', '--self', '--strict', '--json', '--timeout', '20'],
      ...['--revision', '2025-11-25', '--revision', '2026-07-28'],
    ],
    { maxBuffer: 64 << 20 },
  );
  const report = JSON.parse(stdout);
  assert.deepEqual(
    report.reached.map(({ transport, revisions }: { transport: string; revisions: string[] }) => [
      transport,
      revisions.length,
    ]),
    [
      ['stdio', 2],
      ['http', 2],
      ['sse', 2],
      ['websocket', 2],
    ],
  );
  assert.equal(report.counts.failure, 0);
  assert.equal(report.counts.warning, 0);
  assert.ok(report.counts.passed > 200, `${report.counts.passed} passed`);
});
