// `witbox audit tail`: the last lines of the log, and those to come.

import { follow, last, type Recorded } from '../../audit/query.ts';
import { WitboxError } from '../../core/errors.ts';
import { AUDIT_FLAGS, auditText, findAuditLog } from '../audit-log.ts';
import { defineCommand } from '../command.ts';

const MOST_LINES = 10_000;

export const auditTail = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Prints the last lines of the audit log; with --follow also those that are written from then on, until it is
interrupted.

  witbox audit tail
  witbox audit tail -n 100 --follow --json | jq 'select(.outcome == "denied")'
`,
  flags: {
    lines: { type: 'string', short: 'n', value: 'COUNT', summary: 'How many; 20 if left out' },
    follow: { type: 'boolean', short: 'f', summary: 'Go on with what is written' },
    ...AUDIT_FLAGS,
    json: { type: 'boolean', summary: 'Print the lines as they are, JSON' },
  },
  async run({ flags }, io) {
    const count = readCount(flags.lines ?? '20');
    const directory = await findAuditLog(flags, io);
    const print = (line: Recorded): void => io.out(flags.json ? `${line.text}\n` : auditText(line));
    const { lines, end } = await last(directory, count);
    for (const line of lines) print(line);
    if (!flags.follow) return;
    for await (const line of follow(directory, end, io.stopSignal())) print(line);
  },
});

function readCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (count < 0 || count > MOST_LINES) {
    throw new WitboxError('flag-invalid', { flag: '--lines', value: text, expected: `0 to ${MOST_LINES}` });
  }
  return count;
}
