import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger, createLogLevels } from './log.ts';
import { createRedactor } from './redact.ts';

function collect(levels?: string) {
  const lines: string[] = [];
  const log = createLogger({ levels, write: (line) => lines.push(line), now: () => new Date(0) });
  return { lines, log };
}

test('a line is one JSON object with time, level, area and event', () => {
  const { lines, log } = collect();
  log.area('protocol').info('session started', { client: 'x' });
  assert.equal(
    lines[0],
    '{"time":"1970-01-01T00:00:00.000Z","level":"info","area":"protocol","event":"session started","client":"x"}\n',
  );
});

test('levels are per area, with a default', () => {
  const { lines, log } = collect('warn,protocol=trace');
  log.area('cell').info('no');
  log.area('cell').warn('yes');
  log.area('protocol').trace('yes');
  assert.equal(lines.length, 2);
});

test('an unknown level is refused with the levels there are', () => {
  assert.throws(() => collect('loud'), /trace, debug, info, warn, error, silent/);
});

test('cycles, bigints and errors can be logged', () => {
  const { lines, log } = collect();
  const cycle: Record<string, unknown> = { big: 1n, error: new Error('x') };
  cycle.self = cycle;
  log.error('odd', { cycle });
  assert.match(lines[0]!, /"big":"1".*"message":"x".*\[seen\]/);
});

test('no secret gets into a line, by its name, its form, or because it is known', () => {
  const lines: string[] = [];
  const redactor = createRedactor();
  const log = createLogger({ write: (line) => lines.push(line), redactor });
  redactor.add('canary-3');
  log.info('asked with wbx_canary-1', { headers: { cookie: 'canary-2' }, error: new Error('is canary-3') });
  assert.doesNotMatch(lines[0]!, /canary/);
});

test('levels that change count for every area at once, and unreadable ones change nothing', () => {
  const lines: string[] = [];
  const levels = createLogLevels('warn');
  const log = createLogger({ levels, write: (line) => lines.push(line) }).area('cell');
  log.info('before');
  levels.set('info,cell=debug');
  log.debug('after');
  assert.throws(() => levels.set('loud'), { code: 'log-level' });
  log.debug('still');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).event),
    ['after', 'still'],
  );
});

test('nothing that a guest says moves the cursor or turns the text of a log', () => {
  const lines: string[] = [];
  const log = createLogger({ write: (line) => lines.push(line) });
  const hostile = '\x1b[2J\x9b31m\u202egnp.exe\u2028\x7f\u200b\ufeff\r\n';
  log.warn(hostile, { tool: hostile });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
  assert.doesNotMatch(lines[0]!.slice(0, -1), /[\x00-\x1f\x7f-\x9f]|\p{Cf}|\p{Zl}/u);
  assert.equal(JSON.parse(lines[0]!).tool, hostile, 'and nothing of it is lost');
});
