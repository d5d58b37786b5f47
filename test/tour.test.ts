import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('npm start takes the calculator the way of a tool call', () => {
  const tour = join(import.meta.dirname, '../examples/tour.ts');
  const lines = execFileSync(process.execPath, [tour], { encoding: 'utf8' }).split('\n');
  assert.ok(lines.includes('greet: Says hello to somebody'));
  assert.ok(lines.includes('add {"a":19,"b":23} → 42'));
  assert.ok(lines.includes('divide {"a":1,"b":0} → error "division by zero"'));
  assert.ok(lines.includes('greet {"name":"Ada"} → "Hello, Ada!"'));
  assert.ok(lines.some((line) => line.includes('refused: Value at $.b does not fit')));
});
