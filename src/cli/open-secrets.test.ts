import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedactor } from '../core/redact.ts';
import { hideEnvironment } from './open-secrets.ts';

test('what variables with names of secrets hold is taken out; the folder of the shell is not', () => {
  const redactor = createRedactor();
  hideEnvironment(
    { DB_PWD: 'canary-one', API_KEY: 'canary-two', PWD: '/srv/team', OLDPWD: '/srv', HOME: '/home/ada' },
    redactor,
  );
  const text = redactor.text('canary-one canary-two /srv/team/witbox.yaml /home/ada');
  assert.equal(text, '[redacted] [redacted] /srv/team/witbox.yaml /home/ada');
});
