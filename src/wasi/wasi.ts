// WASI 0.2 for one call: every interface by its name, each in front of the port. Runs in the cell and decides nothing;
// what it answers by itself (clocks, random, what was read already) is nothing of the machine's.
// A component asks for version 0.2.x; the engine matches any compatible one.

import type { Port } from '../core/port.ts';
import type { HostInstance, Imports } from '../engine/engine.ts';
import { type Call, createCall, type WasiOptions } from './call.ts';
import { createEnvironment } from './cli/environment.ts';
import { createExit } from './cli/exit.ts';
import { createStdio, createTerminals, type Stdio } from './cli/stdio.ts';
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

/** What interfaces of one package share, made when the first of them is asked for. */
interface Packages {
  readonly call: Call;
  readonly stdio: () => Stdio;
  readonly tcp: () => ReturnType<typeof createTcp>;
  readonly udp: () => ReturnType<typeof createUdp>;
  readonly keyvalue: () => ReturnType<typeof createKeyvalue>;
}

type Make = (packages: Packages) => HostInstance;

/** What knows nothing of its call is made once. */
const [TERMINALS, RANDOM] = [createTerminals(), createRandom()];
const [ERROR, POLL, STREAMS] = [createError(), createPoll(), createStreams()];

const RELEASED: Readonly<Record<string, Make>> = {
  'wasi:cli/environment': ({ call }) => createEnvironment(call),
  'wasi:cli/exit': createExit,
  'wasi:cli/stdin': ({ stdio }) => stdio().stdin,
  'wasi:cli/stdout': ({ stdio }) => stdio().stdout,
  'wasi:cli/stderr': ({ stdio }) => stdio().stderr,
  ...Object.fromEntries(Object.entries(TERMINALS).map(([name, made]) => [`wasi:cli/${name}`, () => made])),
  'wasi:clocks/monotonic-clock': () => createMonotonicClock(createMonotonic()),
  'wasi:clocks/wall-clock': createWallClock,
  'wasi:clocks/timezone': createTimezone,
  'wasi:filesystem/types': ({ call }) => createFilesystemTypes(call),
  'wasi:filesystem/preopens': ({ call }) => createPreopens(call),
  'wasi:http/types': ({ call }) => createHttpTypes(call),
  'wasi:http/outgoing-handler': ({ call }) => createOutgoingHandler(call),
  'wasi:io/error': () => ERROR,
  'wasi:io/poll': () => POLL,
  'wasi:io/streams': () => STREAMS,
  'wasi:random/random': () => RANDOM.random,
  'wasi:random/insecure': () => RANDOM.insecure,
  'wasi:random/insecure-seed': () => RANDOM['insecure-seed'],
  'wasi:sockets/network': createNetwork,
  'wasi:sockets/instance-network': createInstanceNetwork,
  'wasi:sockets/ip-name-lookup': ({ call }) => createNameLookup(call),
  'wasi:sockets/tcp': ({ tcp }) => tcp().tcp,
  'wasi:sockets/tcp-create-socket': ({ tcp }) => tcp()['tcp-create-socket'],
  'wasi:sockets/udp': ({ udp }) => udp().udp,
  'wasi:sockets/udp-create-socket': ({ udp }) => udp()['udp-create-socket'],
};

/** Interfaces without a release: every version that is in use, since drafts are compatible with themselves alone. */
const DRAFTS: Readonly<Record<string, Make>> = {
  'wasi:config/store@0.2.0-draft': ({ call }) => createConfigStore(call),
  'wasi:config/store@0.2.0-rc.1': ({ call }) => createConfigStore(call),
  'wasi:config/runtime@0.2.0-draft': ({ call }) => createConfigStore(call),
  'wasi:keyvalue/store@0.2.0-draft': ({ keyvalue }) => keyvalue().store,
  'wasi:keyvalue/atomics@0.2.0-draft': ({ keyvalue }) => keyvalue().atomics,
  'wasi:keyvalue/batch@0.2.0-draft': ({ keyvalue }) => keyvalue().batch,
  'wasi:keyvalue/store@0.2.0-draft2': ({ keyvalue }) => keyvalue().store,
  'wasi:keyvalue/atomics@0.2.0-draft2': ({ keyvalue }) => keyvalue().atomics,
  'wasi:keyvalue/batch@0.2.0-draft2': ({ keyvalue }) => keyvalue().batch,
  'wasi:logging/logging@0.1.0-draft': ({ call }) => createLogging(call),
  'wasi:logging/logging': ({ call }) => createLogging(call),
};

const VERSION = '0.2.12';
const INTERFACES: readonly (readonly [string, Make])[] = [
  ...Object.entries(RELEASED).map(([name, make]) => [`${name}@${VERSION}`, make] as const),
  ...Object.entries(DRAFTS),
];

/** An interface is made when a component that imports it is linked; most need few of them. */
export function createWasi(port: Port, options: WasiOptions = {}): Imports {
  const call = createCall(port, options);
  const packages: Packages = {
    call,
    stdio: once(() => createStdio(call)),
    tcp: once(() => createTcp(call)),
    udp: once(() => createUdp(call)),
    keyvalue: once(() => createKeyvalue(call)),
  };
  const imports: Record<string, HostInstance> = {};
  for (const [name, make] of INTERFACES) {
    const get = once(() => make(packages));
    Object.defineProperty(imports, name, { enumerable: true, get });
  }
  return imports;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
