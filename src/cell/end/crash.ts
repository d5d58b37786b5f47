// The cell died on its own, or broke the rules of the wire and was killed for it. Whose fault it was cannot be known:
// all its calls may be made again. A cell that ran out of JavaScript heap says so on stderr before it aborts.

import type { EndOf } from '../cell.ts';
import { failure } from '../outcome.ts';
import { heapExhausted } from './memory.ts';

export function endByCrash(how: string, stderr = ''): EndOf {
  if (/heap out of memory|allocation failed|Array buffer allocation/i.test(stderr)) return heapExhausted;
  return () => failure('crashed', `The cell of this call ended unexpectedly: ${how}`);
}
