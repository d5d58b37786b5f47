// `wasi_snapshot_preview1` for core modules, on the same broker as WASI 0.2. Each function gives an error number; none
// ever throws for what a guest did, except `proc_exit`, which ends the call with a GuestExit.

import type { Port } from '../../core/port.ts';
import { type CoreContext, type CoreImports, coreHost, type HostFunc } from '../../engine/engine.ts';
import { createCall, type WasiOptions } from '../call.ts';
import { createPrinter } from '../cli/stdio.ts';
import { createMonotonic } from '../clocks/clocks.ts';
import { contentFunctions, type StandardStreams } from './content.ts';
import { descriptorFunctions } from './descriptors.ts';
import { E, Errno, numbered } from './errno.ts';
import { listingFunctions } from './listing.ts';
import { createMemory, u32 } from './memory.ts';
import { pathFunctions } from './paths.ts';
import { pollFunctions } from './poll.ts';
import { processFunctions } from './process.ts';
import { createTable, type Table } from './table.ts';

export interface Functions {
  readonly [name: string]: HostFunc;
}

export function createPreview1(port: Port, options: WasiOptions = {}): CoreImports {
  const call = createCall(port, options);
  const clock = createMonotonic();
  const make = (cx: CoreContext): Functions => {
    const memory = createMemory(cx);
    const table = createTable(call);
    return {
      ...processFunctions(call, memory, clock),
      ...contentFunctions(call, memory, table, standardStreams(options, createPrinter(call))),
      ...descriptorFunctions(call, memory, table),
      ...pathFunctions(call, memory, table),
      ...listingFunctions(call, memory, table),
      ...pollFunctions(call, memory, table, clock),
      ...socketFunctions(table),
    };
  };
  return { wasi_snapshot_preview1: coreHost(make as Parameters<typeof coreHost>[0]) };
}

function standardStreams(options: WasiOptions, print: StandardStreams['print']): StandardStreams {
  let rest = options.stdin ?? new Uint8Array(0);
  return {
    read(most) {
      const bytes = rest.subarray(0, most);
      rest = rest.subarray(bytes.byteLength);
      return bytes;
    },
    print,
  };
}

/** Preview 1 can only use sockets it was given, and none are. */
function socketFunctions(table: Table): Functions {
  const refuse: HostFunc = (fd) =>
    numbered(() => {
      table.get(u32(fd as number));
      throw new Errno(E.notsock);
    }) as number;
  return { sock_accept: refuse, sock_recv: refuse, sock_send: refuse, sock_shutdown: refuse };
}
