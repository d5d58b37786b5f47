// The guest broke a rule of WebAssembly, or something it called threw. Its instance is thrown away, the cell goes on.

import { type End, failure } from '../outcome.ts';

export function endByTrap(message: string): End {
  return failure('trap', `The component trapped: ${message}`);
}
