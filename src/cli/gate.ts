// Puts the gate together from the configuration: who is calling, may they, how often, and one line about it. Only made
// where something asks for it: a server on this machine without a configuration has none and pays nothing.

import { isDeepStrictEqual } from 'node:util';
import { type Audit, createAudit } from '../audit/audit.ts';
import { NO_CALL } from '../audit/entry.ts';
import type { Catalog, CatalogChange } from '../catalog/catalog.ts';
import type { Config } from '../config/config.ts';
import { type Caller, WITBOX } from '../core/caller.ts';
import type { Logger } from '../core/log.ts';
import { createAccess } from '../gate/access/access.ts';
import { type Admission, createAdmission } from '../gate/admission.ts';
import { type Authenticator, createAuthenticator } from '../gate/authenticate/authenticator.ts';
import { gateCatalog } from '../gate/gated-catalog.ts';
import { createCallLimits } from '../gate/limits/call-limits.ts';
import { createFailures } from '../gate/limits/failures.ts';
import { openDailyBytes } from '../gate/limits/kept-bytes.ts';
import { createKeyStore } from '../store/keys.ts';
import { withLock } from '../store/lock.ts';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { createTracer, type TraceExport } from '../telemetry/otlp/tracer.ts';
import { watchProcess } from '../telemetry/process-metrics.ts';
import { watchAudit, watchSpans } from '../telemetry/server-metrics.ts';
import type { Io } from './command.ts';
import { accessMode } from './exposure.ts';

export interface GateContext {
  readonly dataDir: string;
  readonly log: Logger;
  readonly io: Io;
}

export interface Gate {
  readonly authenticator: Authenticator;
  readonly admission: Admission;
  readonly audit: Audit;
  readonly metrics: Metrics;
  readonly traces: TraceExport;
  /** What holds now. */
  config(): Config;
  /** The catalogue as callers may use it. */
  around(catalog: Catalog): Catalog;
  mayManage(caller: Caller, name: string): boolean;
  /** Throws what cannot be used; some of it may then have been applied. */
  reconfigure(config: Config): Promise<void>;
  close(): Promise<void>;
}

export async function openGate(initial: Config, { dataDir, log, io }: GateContext): Promise<Gate> {
  let config = initial;
  const failures = createFailures(config.limits.address.failures);
  const access = createAccess(config.access, accessMode(config));
  const audit = createAudit(config.audit, {
    directory: `${dataDir}/audit`,
    withLock,
    redactor: io.redactor,
    log,
  });
  const metrics = createMetrics();
  const traces = createTracer(io.env, { version: io.version, log, redactor: io.redactor });
  watchProcess(metrics, { version: io.version, now: () => new Date() });
  watchAudit(metrics, audit.state);
  watchSpans(metrics, () => traces.figures);
  const authenticator = createAuthenticator(authenticatorOptions(config), {
    keys: createKeyStore(dataDir),
    log: log.area('gate'),
    failures,
    meter: metrics,
    audit,
  });
  const limits = createCallLimits(config.limits, { onWaiting: metrics.queued });
  const bytes = openDailyBytes(dataDir, log.area('gate'));
  const admission = createAdmission(config.limits, {
    meter: metrics,
    audit,
    bytes,
    check: authenticator.check,
  });
  const listeners = new Set<(change: CatalogChange) => void>();
  await audit.begin();

  return {
    authenticator,
    admission,
    audit,
    metrics,
    traces,
    config: () => config,
    around: (catalog) => {
      const { check } = authenticator;
      const gated = gateCatalog(catalog, { access, limits, audit, meter: metrics, tracer: traces, check });
      return { ...gated, watch: (listener) => watchBoth(gated, listeners, listener) };
    },
    mayManage: (caller, name) =>
      access.mayUse(caller, { kind: 'management', name, component: 'witbox' }).allowed,
    async reconfigure(next) {
      const before = config;
      const differs = (...sections: readonly (keyof Config)[]): boolean =>
        sections.some((section) => !isDeepStrictEqual(before[section], next[section]));
      const isSeenAnew = differs('access', 'authentication', 'listen');
      // Also if it fails: whoever takes it back then sees what differs.
      config = next;
      // What stays the same goes on as it is: counts, keys of issuers, lists that were made.
      if (isSeenAnew) {
        authenticator.reconfigure(authenticatorOptions(next));
        access.set(next.access, accessMode(next));
      }
      if (differs('limits')) {
        limits.set(next.limits);
        admission.set(next.limits);
        failures.set(next.limits.address.failures);
      }
      if (differs('audit')) await audit.reconfigure(next.audit);
      if (!isSeenAnew) return;
      for (const listener of listeners)
        for (const kind of ['tools', 'resources', 'prompts'] as const) listener({ kind });
    },
    async close() {
      bytes.close();
      await audit.close();
      await traces.close();
    },
  };
}

/** Changes of the catalogue, and of what is shown of it. */
function watchBoth(
  catalog: Catalog,
  listeners: Set<(change: CatalogChange) => void>,
  listener: (change: CatalogChange) => void,
): () => void {
  const unwatch = catalog.watch(listener);
  listeners.add(listener);
  return () => {
    unwatch();
    listeners.delete(listener);
  };
}

function authenticatorOptions({ authentication, listen }: Config) {
  return {
    ...authentication,
    publicUrl: listen.publicUrl ?? null,
    insecurePlainHttp: listen.insecurePlainHttp,
  };
}

/** What an operator did to the gate itself is written down like what callers do. */
export function recordChange(gate: Gate, applied: readonly string[], needsRestart: readonly string[]): void {
  const { durable } = gate.audit.record({
    ...NO_CALL,
    kind: 'event',
    action: 'config.applied',
    caller: WITBOX.id,
    outcome: 'ok',
    arguments: { applied, needsRestart },
  });
  durable.catch(() => {});
}
