// The page on policies says what the code does: every example is parsed, every refused one refused.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parsePolicy } from './parse.ts';
import { parsePermission } from './permission.ts';
import { NAMED_SECTIONS } from './policy.ts';
import { DEFAULT_LIMITS, LIMIT_NAMES, parseLimit } from './quantity.ts';

const PAGE = readFileSync(new URL('../../docs/policy.md', import.meta.url), 'utf8');
const EXAMPLES = [...PAGE.matchAll(/^```yaml( refused)?\n(.*?)^```$/gms)].map(([, refused, text]) => ({
  refused,
  text: text!,
}));

test('every example of the page is parsed, and every refused one is refused', () => {
  assert.ok(EXAMPLES.length >= 8);
  for (const { refused, text } of EXAMPLES) {
    if (refused) assert.throws(() => parsePolicy(text), { code: 'policy-invalid' }, text);
    else parsePolicy(text);
  }
});

test('the page has every section, limit and default', () => {
  for (const [section, key] of Object.entries(NAMED_SECTIONS))
    assert.match(PAGE, new RegExp(`\\| \`${section}\` +\\| \`${key}\``));
  for (const name of LIMIT_NAMES) {
    const [, stated] =
      new RegExp(`^\\| \`${name}\` .*?\\| (?:\`([^\`]+)\`|the same as time) +\\| \`[^\`]+\` +\\|$`, 'm').exec(
        PAGE,
      ) ?? assert.fail(name);
    assert.equal(
      stated === undefined ? DEFAULT_LIMITS.time : parseLimit(name, stated),
      DEFAULT_LIMITS[name],
      name,
    );
  }
});

test('the permissions that the page shows can be asked for', () => {
  const shown = [
    ...PAGE.matchAll(/policy explain \w+ (\S+)$/gm),
    ...PAGE.matchAll(/"permission": "([^"]+)"/g),
  ];
  assert.equal(shown.length, 2);
  for (const [, permission] of shown) assert.equal(parsePermission(permission!).length, 1);
});
