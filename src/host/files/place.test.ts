import assert from 'node:assert/strict';
import {
  closeSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryDirectory } from '../../../test/support/host.ts';
import { HostFailure } from '../../core/port.ts';
import { openRoot, type Place } from './place.ts';
import { openPortable } from './place-portable.ts';

const isFailure = (code: string) => (error: unknown) => error instanceof HostFailure && error.code === code;

/** What every kind of place promises; the second one stands in where there is no /proc. */
for (const [kind, open] of [
  ['descriptors', openRoot],
  ['checked paths', openPortable],
] as const) {
  test(`${kind}: a place gives its children as they are`, (t) => {
    const root = temporaryDirectory(t);
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd', 'f'), 'text');
    symlinkSync('f', join(root, 'd', 's'));
    const place = open(root);
    const inner: Place = place.look('d').enter();
    assert.equal(inner.where(), join(root, 'd'));
    assert.ok(inner.look('s').stat.isSymbolicLink());
    const entry = inner.look('f');
    const fd = entry.open(constants.O_RDONLY);
    assert.equal(readFileSync(fd, 'utf8'), 'text');
    closeSync(fd);
    entry.close();
    assert.throws(() => inner.look('none'), isFailure('no-entry'));
    inner.close();
    place.close();
  });

  test(`${kind}: a file that was exchanged is not the one that was looked at`, (t) => {
    const root = temporaryDirectory(t);
    writeFileSync(join(root, 'f'), 'first');
    writeFileSync(join(root, 'g'), 'second');
    const place = open(root);
    const entry = place.look('f');
    renameSync(join(root, 'g'), join(root, 'f'));
    let text = 'refused';
    try {
      const fd = entry.open(constants.O_RDONLY);
      text = readFileSync(fd, 'utf8');
      closeSync(fd);
    } catch (error) {
      assert.ok(error instanceof HostFailure);
    }
    assert.notEqual(text, 'second');
    entry.close();
    place.close();
  });

  test(`${kind}: a directory that was exchanged for a link out is not entered`, (t) => {
    const root = temporaryDirectory(t);
    const outside = temporaryDirectory(t);
    mkdirSync(join(root, 'd'));
    writeFileSync(join(outside, 'secret'), 'SECRET');
    const place = open(root);
    const inner = place.look('d').enter();
    renameSync(join(root, 'd'), join(root, 'old'));
    symlinkSync(outside, join(root, 'd'));
    assert.throws(
      () => inner.look('secret'),
      isFailure(kind === 'descriptors' ? 'no-entry' : 'not-directory'),
    );
    inner.close();
    place.close();
  });
}
