// A process that writes lines to an audit log, one after the other, and then ends. Arguments: the folder, how many, and
// `fails` to go on until a line cannot be written and say why.

import { createSampleAudit, SAMPLE_ENTRY } from './sample-log.ts';

const [directory, count, fails] = process.argv.slice(2) as [string, string, string?];
const audit = createSampleAudit(directory);

try {
  for (let i = 0; i < Number(count); i += 1)
    await audit.record({ ...SAMPLE_ENTRY, target: `${process.pid} ${i}` }).durable;
} catch (error) {
  if (fails === undefined) throw error;
  process.stdout.write(`${(error as Error).message}\n`);
}
await audit.close();
