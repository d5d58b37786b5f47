// One and the same Caller for all requests that bring the same proof from the same address: what others keep by caller
// is then found again, and a request costs no new object.

import type { Caller } from '../../core/caller.ts';

export function createAddressed<T extends object>(
  make: (proof: T, address: string | null) => Caller,
): (proof: T, address: string | null) => Caller {
  const last = new WeakMap<T, Caller>();
  return (proof, address) => {
    const known = last.get(proof);
    if (known?.address === address) return known;
    const caller = make(proof, address);
    last.set(proof, caller);
    return caller;
  };
}
