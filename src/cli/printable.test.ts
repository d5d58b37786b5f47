// What a hostile server writes must not act on a terminal.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstLine, printable, table } from './printable.ts';

test('controls and what hides or reorders text become visible, the rest stays', () => {
  assert.equal(
    printable('a\u001b[31mb\u0007\u202e\u{e0041}c\u009b2J'),
    'a\\u{1b}[31mb\\u{7}\\u{202e}\\u{e0041}c\\u{9b}2J',
  );
  assert.equal(printable('a\nb\tÄ 😀 👩‍💻'), 'a\nb\tÄ 😀 👩‍💻');
});

test('tables line up, without spaces at the ends', () => {
  assert.equal(
    table([
      ['a', 'b', 'c'],
      ['long', '', ''],
    ]),
    'a     b  c\nlong\n',
  );
  assert.equal(firstLine('\n one \n two'), 'one');
});
