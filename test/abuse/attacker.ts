// The process of one attack: sets it up, says so, tells its tally when asked, ends when told.

import type { Attack, Target } from './attack.ts';
import { badTokenFlood, malformedFlood } from './attacks/floods.ts';
import { halfOpen } from './attacks/half-open.ts';
import { idle } from './attacks/idle.ts';
import { sessions } from './attacks/sessions.ts';
import { slowReaders } from './attacks/slow-readers.ts';
import { slowWriters } from './attacks/slow-writers.ts';

const ATTACKS: Readonly<Record<string, Attack>> = {
  idle,
  sessions,
  'slow-writers': slowWriters,
  'slow-readers': slowReaders,
  'half-open': halfOpen,
  'bad-tokens': badTokenFlood,
  malformed: malformedFlood,
};

const [name = '', target = '{}'] = process.argv.slice(2);
const held = await ATTACKS[name]!(JSON.parse(target) as Target);
process.on('message', (what) => {
  if (what === 'tally') process.send?.(held.tally());
  else {
    held.release();
    process.exit();
  }
});
process.on('disconnect', () => process.exit());
process.send?.('holding');
