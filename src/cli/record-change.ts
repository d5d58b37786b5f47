// Commands that change who may do what leave a line in the audit log too, if there is one: the one that the configuration
// switches on, or the one that a server has begun in the data directory. A change that was made and could not be recorded
// is an error, and says so.

import { access } from 'node:fs/promises';
import { createAudit } from '../audit/audit.ts';
import { NO_CALL } from '../audit/entry.ts';
import { LOCAL } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { createRedactor } from '../core/redact.ts';
import { withLock } from '../store/lock.ts';
import { type AuditFlags, auditDirectory } from './audit-log.ts';
import type { Flags, Input, Io } from './command.ts';
import { configFile, loadConfigFile } from './config-file.ts';
import type { RecordedCommand } from './recorded-commands.ts';

/** Flags that say where, not what. */
const PLACES: ReadonlySet<string> = new Set(['data-dir', 'config', 'json']);

export async function recordChange(
  { action, of }: RecordedCommand,
  { args, flags }: Input<Flags>,
  io: Io,
): Promise<void> {
  const [component = null, ...rest] = of === 'component' ? args : [null, ...args];
  const details = Object.entries<unknown>(flags).flatMap(([name, value]) =>
    PLACES.has(name) || value === undefined ? [] : [value === true ? `--${name}` : `--${name}=${value}`],
  );
  await append(flags as AuditFlags, io, action, component, [...rest, ...details].join(' '));
}

async function append(
  flags: AuditFlags,
  io: Io,
  action: string,
  component: string | null,
  target: string,
): Promise<void> {
  const directory = await auditDirectory(flags, io);
  const file = configFile(flags.config, io);
  const { config } = await loadConfigFile(file);
  if (file === null ? !(await exists(directory)) : !config.audit.enabled) return;
  // Without the configuration, how much is kept is for the server alone to say.
  const keeping = file === null ? { rotateBytes: Number.POSITIVE_INFINITY, keep: null } : {};
  const audit = createAudit(
    { ...config.audit, enabled: true, directory, onFailure: 'stop', ...keeping },
    {
      directory,
      withLock,
      redactor: createRedactor(),
      log: createLogger({ levels: 'silent', write: () => {} }),
    },
  );
  const { durable } = audit.record({
    ...NO_CALL,
    kind: 'event',
    action,
    caller: LOCAL.id,
    client: `witbox/${io.version}`,
    transport: 'cli',
    component,
    target: target === '' ? null : target,
    outcome: 'ok',
  });
  try {
    await durable;
  } catch (error) {
    throw new WitboxError('change-unrecorded', { reason: audit.state().reason }, error);
  } finally {
    await audit.close();
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
