// What the commands on the audit log share: where it is, and a line of it as a person reads it.

import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Recorded } from '../audit/query.ts';
import { WitboxError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { resolveDataDir } from '../store/data-dir.ts';
import type { Flag, Io } from './command.ts';
import { CONFIG_FLAG, configFile, loadConfigFile } from './config-file.ts';
import { printable } from './printable.ts';

export const AUDIT_FLAGS = {
  directory: { type: 'string', value: 'DIR', summary: 'The folder of the log' },
  'data-dir': {
    type: 'string',
    value: 'DIR',
    summary: 'The data directory, whose "audit" folder is the log unless the configuration has another',
  },
  ...CONFIG_FLAG,
} as const satisfies Record<string, Flag>;

export interface AuditFlags {
  readonly directory?: string;
  readonly 'data-dir'?: string;
  readonly config?: string;
}

/** Throws `audit-missing` if there is none: a log that is gone must never look like one without faults. */
export async function findAuditLog(flags: AuditFlags, io: Io): Promise<string> {
  const directory = await auditDirectory(flags, io);
  try {
    await access(directory);
  } catch (error) {
    throw new WitboxError('audit-missing', { directory }, error);
  }
  return directory;
}

export async function auditDirectory(flags: AuditFlags, io: Io): Promise<string> {
  if (flags.directory) return resolve(flags.directory);
  const { config } = await loadConfigFile(configFile(flags.config, io));
  if (config.audit.directory !== null) return config.audit.directory;
  const flag = flags['data-dir'] ?? (io.env.WITBOX_DATA_DIR || config.dataDir);
  const home = io.env.HOME ?? homedir();
  return join(resolveDataDir({ flag, env: io.env, home, platform: process.platform }), 'audit');
}

/** Lines hold names that callers chose: nothing in them may steer a terminal. */
export function auditText({ fields }: Recorded): string {
  const { kind, milliseconds, outcome, error } = fields;
  const duration = kind === 'call' && typeof milliseconds === 'number' ? `${milliseconds.toFixed(1)} ms` : '';
  const parts = [
    fields.time,
    fields.caller,
    fields.action,
    fields.target,
    outcome,
    error === outcome ? '' : error,
    duration,
    // Of those who were let in the caller says enough.
    kind === 'decision' && typeof fields.address === 'string' ? `from ${fields.address}` : '',
    list('granted', fields.granted),
    list('denied', fields.denied),
    fields.detail === undefined ? '' : JSON.stringify(fields.detail),
  ];
  return `${parts
    .filter((part) => typeof part === 'string' && part !== '')
    .map((part) => printable(String(part)).replace(/[\n\t]/g, ' '))
    .join('  ')}\n`;
}

function list(name: string, value: Json | undefined): string {
  return Array.isArray(value) && value.length > 0 ? `${name} ${value.join(', ')}` : '';
}
