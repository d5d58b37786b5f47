// The cell was ended because of another call in it. The call did nothing wrong and may be made again.

import { type End, failure } from '../outcome.ts';

export function interrupted(why: string): End {
  return failure('interrupted', `The call was interrupted because ${why}: try again`);
}
