// One operation of the host: takes the arguments as they came over the wire, gives what goes back or throws a
// HostFailure. Operations are looked up by own name only, never through a prototype.

import type { WireValue } from '../core/port.ts';

export type Operation = (args: readonly WireValue[]) => WireValue | Promise<WireValue>;

export interface Operations {
  readonly [name: string]: Operation;
}
