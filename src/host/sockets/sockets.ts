// The socket operations of one call: TCP and UDP as a client, and looking up granted names.

import type { Handles } from '../handles.ts';
import type { HostLimits } from '../limits.ts';
import type { Endpoints } from '../net/endpoint.ts';
import type { Operations } from '../operations.ts';
import { text } from '../wire-args.ts';
import { socketFailure } from './errors.ts';
import { createTcp } from './tcp.ts';
import { createUdp } from './udp.ts';

const CODES = { invalid: 'invalid-argument', denied: 'access-denied', prohibited: 'access-denied' } as const;

export function createSockets(endpoints: Endpoints, handles: Handles, limits: HostLimits): Operations {
  return {
    ...createTcp(endpoints, handles, limits),
    ...createUdp(endpoints, handles, limits),
    'net.resolve': async (args) => {
      try {
        return (await endpoints.resolveName(text(args, 0, 1024), CODES)).map(({ address }) => address);
      } catch (error) {
        throw socketFailure(error);
      }
    },
  };
}
