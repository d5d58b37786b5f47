// A real audit log in a temporary folder, for tests that read or harm it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Audit, createAudit } from '../../src/audit/audit.ts';
import type { AuditEntry } from '../../src/audit/entry.ts';
import type { AuditOptions } from '../../src/audit/options.ts';
import { createLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact.ts';
import { withLock } from '../../src/store/lock.ts';

export const SAMPLE_ENTRY: AuditEntry = {
  kind: 'call',
  action: 'tools/call',
  caller: 'key:ci',
  address: '127.0.0.1',
  session: 'a-session-id',
  client: 'tester/1.0',
  revision: '2025-11-25',
  transport: 'http',
  component: 'weather',
  digest: 'sha256:00',
  target: 'get-weather',
  outcome: 'ok',
  milliseconds: 1.5,
  granted: ['network:api.example.com'],
  denied: [],
};

export const SAMPLE_OPTIONS: AuditOptions = {
  enabled: true,
  directory: null,
  values: 'digests',
  redact: [],
  rotateBytes: 1 << 20,
  keep: null,
  onFailure: 'stop',
};

export function createSampleAudit(directory: string, options: Partial<AuditOptions> = {}): Audit {
  return createAudit(
    { ...SAMPLE_OPTIONS, ...options },
    {
      directory,
      withLock,
      redactor: createRedactor(),
      log: createLogger({ levels: 'silent', write: () => {} }),
    },
  );
}

export async function writeSampleLog(
  directory: string,
  entries: readonly Partial<AuditEntry>[],
  options: Partial<AuditOptions> = {},
): Promise<void> {
  const audit = createSampleAudit(directory, options);
  for (const entry of entries) await audit.record({ ...SAMPLE_ENTRY, ...entry }).durable;
  await audit.close();
}

export async function temporaryFolder(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-audit-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
