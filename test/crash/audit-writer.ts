// A process that writes lines to an audit log, one after the other, and then ends. Arguments: the folder, how many, and
// `fails` to go on until a line cannot be written and say why.

import { createAudit } from '../../src/audit/audit.ts';
import { createLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact.ts';
import { withLock } from '../../src/store/lock.ts';
import { SAMPLE_ENTRY, SAMPLE_OPTIONS } from './sample-log.ts';

const [directory, count, fails] = process.argv.slice(2) as [string, string, string?];
const log = createLogger({ levels: 'silent', write: () => {} });
const audit = createAudit(SAMPLE_OPTIONS, { directory, withLock, redactor: createRedactor(), log });

try {
  for (let i = 0; i < Number(count); i += 1)
    await audit.record({ ...SAMPLE_ENTRY, target: `${process.pid} ${i}` }).durable;
} catch (error) {
  if (fails === undefined) throw error;
  process.stdout.write(`${(error as Error).message}\n`);
}
await audit.close();
