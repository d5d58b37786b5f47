// How the validator says no: one error, with the byte offset of the definition and a reason in plain words.
// Strings from the binary are quoted and cut: a hostile name cannot flood a log.

import { WitboxError } from '../../core/errors.ts';

const MAX_QUOTED = 120;

export function refuse(at: number, reason: string): never {
  throw new WitboxError('component-invalid', { at, reason });
}

/** A name from the binary, fit for an error message. */
export function quote(name: string): string {
  return JSON.stringify(name.length > MAX_QUOTED ? `${name.slice(0, MAX_QUOTED)}…` : name);
}
