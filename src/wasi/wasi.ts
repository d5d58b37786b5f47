// WASI 0.2 for one call: every interface by its name, each in front of the port. Runs in the cell and decides nothing;
// what it answers by itself (clocks, random, what was read already) is nothing of the machine's.
// A component asks for version 0.2.x; the engine matches any compatible one.

import type { Port } from '../core/port.ts';
import type { HostInstance, Imports } from '../engine/engine.ts';
import { type Call, createCall, type WasiOptions } from './call.ts';
import { createEnvironment } from './cli/environment.ts';
import { createExit } from './cli/exit.ts';
import { createStdio, createTerminals } from './cli/stdio.ts';
import { createMonotonic, createMonotonicClock, createTimezone, createWallClock } from './clocks/clocks.ts';
import { createConfigStore } from './config.ts';
import { createPreopens } from './filesystem/preopens.ts';
import { createFilesystemTypes } from './filesystem/types.ts';
import { createHttpTypes, createOutgoingHandler } from './http/http.ts';
import { createError } from './io/error.ts';
import { createPoll } from './io/poll.ts';
import { createStreams } from './io/streams.ts';
import { createKeyvalue } from './keyvalue.ts';
import { createLogging } from './logging.ts';
import { createRandom } from './random/random.ts';
import { createInstanceNetwork, createNameLookup, createNetwork } from './sockets/network.ts';
import { createTcp } from './sockets/tcp.ts';
import { createUdp } from './sockets/udp.ts';

export type { WasiOptions };

export function createWasi(port: Port, options: WasiOptions = {}): Imports {
  const call = createCall(port, options);
  return {
    ...named('wasi:cli', '0.2.12', cli(call)),
    ...named('wasi:clocks', '0.2.12', {
      'monotonic-clock': createMonotonicClock(createMonotonic()),
      'wall-clock': createWallClock(),
      timezone: createTimezone(),
    }),
    ...named('wasi:filesystem', '0.2.12', {
      types: createFilesystemTypes(call),
      preopens: createPreopens(call),
    }),
    ...named('wasi:http', '0.2.12', {
      types: createHttpTypes(call),
      'outgoing-handler': createOutgoingHandler(call),
    }),
    ...named('wasi:io', '0.2.12', { error: createError(), poll: createPoll(), streams: createStreams() }),
    ...named('wasi:random', '0.2.12', createRandom()),
    ...named('wasi:sockets', '0.2.12', sockets(call)),
    ...drafts(call),
  };
}

/** Interfaces without a release: every version that is in use, since drafts are compatible with themselves alone. */
function drafts(call: Call): Readonly<Record<string, HostInstance>> {
  const [store, keyvalue, logging] = [createConfigStore(call), createKeyvalue(call), createLogging(call)];
  return {
    ...named('wasi:config', '0.2.0-draft', { store, runtime: store }),
    ...named('wasi:config', '0.2.0-rc.1', { store }),
    ...named('wasi:keyvalue', '0.2.0-draft', keyvalue),
    ...named('wasi:keyvalue', '0.2.0-draft2', keyvalue),
    ...named('wasi:logging', '0.1.0-draft', { logging }),
    'wasi:logging/logging': logging,
  };
}

function cli(call: Call): Readonly<Record<string, HostInstance>> {
  return {
    environment: createEnvironment(call),
    exit: createExit(),
    ...createStdio(call),
    ...createTerminals(),
  };
}

function sockets(call: Call): Readonly<Record<string, HostInstance>> {
  return {
    network: createNetwork(),
    'instance-network': createInstanceNetwork(),
    'ip-name-lookup': createNameLookup(call),
    ...createTcp(call),
    ...createUdp(call),
  };
}

function named(
  scope: string,
  version: string,
  interfaces: Readonly<Record<string, HostInstance>>,
): Readonly<Record<string, HostInstance>> {
  return Object.fromEntries(
    Object.entries(interfaces).map(([name, members]) => [`${scope}/${name}@${version}`, members]),
  );
}
