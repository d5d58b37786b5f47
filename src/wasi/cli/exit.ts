// wasi:cli/exit ends the call: a GuestExit crosses the guest as a trap does and is the `cause` of it.

import type { HostInstance } from '../../engine/engine.ts';

export class GuestExit extends Error {
  override readonly name = 'GuestExit';
  readonly code: number;

  constructor(code: number) {
    super(`exited with ${code}`);
    this.code = code;
  }
}

export function createExit(): HostInstance {
  return {
    exit: (status) => {
      throw new GuestExit((status as { tag: string }).tag === 'ok' ? 0 : 1);
    },
    'exit-with-code': (code) => {
      throw new GuestExit(code as number);
    },
  };
}
