// A process that writes lines to an audit log, one after the other, and then ends. Arguments: the folder, how many, and
// `fails` to go on until a line cannot be written and say why.

import { createAudit } from '../../src/audit/audit.ts';
import { LOCAL } from '../../src/core/caller.ts';
import { createLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact.ts';
import { withLock } from '../../src/store/lock.ts';

const [directory, count, fails] = process.argv.slice(2) as [string, string, string?];
const audit = createAudit(
  {
    enabled: true,
    directory,
    values: 'digests',
    redact: [],
    rotateBytes: 1 << 20,
    keep: null,
    onFailure: 'stop',
  },
  {
    directory,
    withLock,
    redactor: createRedactor(),
    log: createLogger({ levels: 'silent', write: () => {} }),
  },
);

try {
  for (let i = 0; i < Number(count); i += 1) {
    const { durable } = audit.record({
      kind: 'event',
      action: 'test.line',
      caller: LOCAL.id,
      address: null,
      session: null,
      client: null,
      revision: '',
      transport: 'none',
      component: null,
      digest: null,
      target: `${process.pid} ${i}`,
      outcome: 'ok',
      milliseconds: 0,
      granted: [],
      denied: [],
    });
    await durable;
  }
} catch (error) {
  if (fails === undefined) throw error;
  process.stdout.write(`${(error as Error).message}\n`);
}
await audit.close();
