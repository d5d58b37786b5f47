import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { GuestLog } from '../../src/host/log.ts';
import { runCommand } from '../support/guest.ts';
import { directoryGrant, hostWith, temporaryDirectory } from '../support/host.ts';

for (const kind of ['wasm', 'component.wasm']) {
  test(`files.${kind}: every file operation of a POSIX program works`, async (t) => {
    const root = temporaryDirectory(t);
    const host = hostWith(t, directoryGrant(root));
    const { out, code } = await runCommand(`files.${kind}`, host, { args: ['files', root] });
    assert.match(out, /^\d+ checks\n$/);
    assert.equal(code, 0);
    assert.deepEqual(readdirSync(root), []);
    assert.deepEqual(host.denials(), []);
  });

  test(`process.${kind}: a program sees what it was given and nothing of the machine`, async (t) => {
    const log: GuestLog[] = [];
    const host = hostWith(t, '{environment: {allow: [{key: KEY}]}}', {
      env: { KEY: 'value', PATH: '/bin' },
      onLog: (entry) => log.push(entry),
    });
    const stdin = Buffer.from('one\ntwo\n');
    const { out, code } = await runCommand(`process.${kind}`, host, { args: ['tool', '7'], stdin });
    assert.equal(
      out,
      'arg tool\narg 7\nenv KEY=value\nin one\nin two\nwall ok, waited ok\nrandom ok, terminal 0\n',
    );
    // Preview 1 and exit-with-code carry the number; `exit` of older components tells success or failure alone.
    assert.ok(kind === 'wasm' ? code === 7 : code !== 0);
    assert.deepEqual(
      log.map((entry) => [entry.source, 'bytes' in entry && Buffer.from(entry.bytes).toString()]),
      [['stderr', 'to stderr\n']],
    );
  });
}
