// What the commands share that run components and end: flags, opening and closing the broker, the context of a call.

import type { CallContext } from '../catalog/catalog.ts';
import { LOCAL } from '../core/caller.ts';
import { createLogger } from '../core/log.ts';
import { type Broker, openBroker } from './broker.ts';
import type { Flag, Io } from './command.ts';
import { configFile } from './config-file.ts';
import { configuredKey } from './open-secrets.ts';
import { STORE_FLAGS } from './open-store.ts';

export const BROKER_FLAGS = {
  component: {
    type: 'string',
    multiple: true,
    value: 'PATH-OR-URI',
    summary: 'Use this component instead of the data directory',
  },
  ...STORE_FLAGS,
} as const satisfies Record<string, Flag>;

export interface BrokerFlags {
  readonly component?: readonly string[];
  readonly 'data-dir'?: string;
}

export async function withBroker<T>(
  flags: BrokerFlags,
  io: Io,
  use: (broker: Broker) => Promise<T>,
): Promise<T> {
  const components = flags.component ?? [];
  const log = createLogger({ levels: io.env.WITBOX_LOG ?? 'warn', write: io.err, redactor: io.redactor });
  const secretKey = await configuredKey(configFile(undefined, io));
  const broker = await openBroker(
    {
      dataDir: flags['data-dir'],
      components,
      onlyThese: components.length > 0,
      manage: false,
      grant: false,
      log,
      secretKey,
    },
    io,
  );
  try {
    await broker.ready;
    return await use(broker);
  } finally {
    await broker.close();
  }
}

/** A call made from the command line: nobody to ask, nothing to stream to. */
export function localContext(signal: AbortSignal, io: Io): CallContext {
  return {
    caller: LOCAL,
    client: { info: { name: 'witbox', version: io.version }, revision: '2026-07-28', capabilities: {} },
    transport: 'none',
    session: 'local',
    signal,
    meta: {},
    tasks: false,
    progress() {},
    log() {},
    closeStream() {},
  };
}
