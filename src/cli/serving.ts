// What both ways of serving share: the parts of a run, what the broker gets of the settings, and reading them again.

import { keepStart, needsRestart } from '../config/changes.ts';
import type { Config } from '../config/config.ts';
import { createLogger, createLogLevels, type Logger, type LogLevels } from '../core/log.ts';
import type { LimitOptions } from '../gate/options.ts';
import { announceServer } from '../store/running-servers.ts';
import { asksForTraces } from '../telemetry/otlp/environment.ts';
import type { BrokerOptions } from './broker.ts';
import type { Io } from './command.ts';
import { type Gate, openGate, recordChange } from './gate.ts';
import { openStore } from './open-store.ts';
import { createReload } from './reload.ts';
import { loadSettings, type ServeFlags, type Settings } from './serve-settings.ts';
import { serveOnStdio } from './serve-stdio.ts';

/** For clients on this machine alone, whom nobody else could suffer from. */
const UNLIMITED: LimitOptions = {
  caller: { requests: null, concurrent: null, sessions: null, bytesPerDay: null },
  address: { requests: null, failures: null, connections: null },
  tools: [],
  concurrent: 1_000_000,
  queue: 1_000_000,
};

export interface Serving {
  readonly settings: Settings;
  /** Reads the settings again. */
  readonly load: () => Promise<Settings>;
  readonly dataDir: string;
  readonly log: Logger;
  readonly levels: LogLevels;
  readonly io: Io;
}

export async function openServing(flags: ServeFlags, io: Io): Promise<Serving> {
  const load = (): Promise<Settings> => loadSettings(flags, io);
  const settings = await load();
  const { config } = settings;
  const levels = createLogLevels(config.log.levels);
  const log = createLogger({ levels, write: io.err, redactor: io.redactor });
  if (settings.file !== null) log.area('config').info('config read', { file: settings.file });
  return { settings, load, dataDir: openStore(config.dataDir, io).directory, log, levels, io };
}

/** One client on standard input and output, behind the gate if the file says anything that it would keep. */
export async function serveOnStdioByConfig(serving: Serving, stop: AbortSignal): Promise<undefined> {
  const { settings, io } = serving;
  const asks = ['access', 'limits', 'audit'].some((section) => settings.written.has(section));
  const gate = asks || asksForTraces(io.env) ? await openGate(unlimited(settings).config, serving) : null;
  try {
    const load = async (): Promise<Settings> => unlimited(await serving.load());
    using _ = watchConfig({ ...serving, settings: unlimited(settings), load }, gate, async () => {});
    return await serveOnStdio(brokerOptions(serving), stop, io, gate);
  } finally {
    await gate?.close();
  }
}

/** Where nobody else is served, limits hold if the file has some: those by default are for networks. */
export function unlimited(settings: Settings): Settings {
  if (settings.written.has('limits')) return settings;
  return { ...settings, config: { ...settings.config, limits: UNLIMITED } };
}

export function brokerOptions({ settings: { config }, dataDir, log }: Serving): BrokerOptions {
  return {
    dataDir,
    components: config.components,
    folders: config.watch,
    manage: config.management.enabled,
    grant: config.management.granting,
    log,
    secretKey: config.secrets.key,
  };
}

/** Reads the file again when told to, until disposed of. `apply` is for what the gate and the log do not have. */
export function watchConfig(
  { settings, load, dataDir, log, levels, io }: Serving,
  gate: Gate | null,
  apply: (config: Config) => Promise<void>,
): Disposable {
  if (settings.file === null || io.onReload === undefined) return { [Symbol.dispose]() {} };
  const reload = createReload(settings, {
    load,
    // Without a gate there is nobody who could take up rules.
    atStart: (key) => needsRestart(key) || (gate === null && !key.startsWith('log.')),
    log: log.area('config'),
    async apply(wanted) {
      const next = keepStart(settings.config, wanted);
      await apply(next);
      await gate?.reconfigure(next);
      levels.set(next.log.levels);
    },
    applied: (changes, waiting) => gate && recordChange(gate, changes, waiting),
  });
  io.onReload(() => void reload());
  try {
    return { [Symbol.dispose]: announceServer(dataDir, settings.file) };
  } catch (error) {
    // It still listens to the signal itself.
    log.warn('"witbox config reload" will not find this server', { reason: (error as Error).message });
    return { [Symbol.dispose]() {} };
  }
}
