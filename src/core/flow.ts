// Whose requests are counted together. Strangers are one caller to rules, but not to limits: one of them must not use
// up what all of them have, so they are told apart by where they come from.

import { addressKey } from './address-key.ts';
import type { Caller } from './caller.ts';

export function flowOf(caller: Caller): string {
  return caller.kind === 'anybody' && caller.address !== null
    ? `${caller.id} ${addressKey(caller.address)}`
    : caller.id;
}
