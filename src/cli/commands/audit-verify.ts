// `witbox audit verify`: is the log as it was written?

import { type Verdict, verify } from '../../audit/verify.ts';
import { WitboxError } from '../../core/errors.ts';
import { AUDIT_FLAGS, findAuditLog } from '../audit-log.ts';
import { defineCommand } from '../command.ts';
import { printJson } from '../open-store.ts';

export const auditVerify = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Walks the audit log and finds every line that was changed, removed or moved, and an end that was cut off. The
exit status is 1 if there is a fault. Whoever can write all files of the log can also make a new one that fits;
a hash that was noted elsewhere, from the server's log or from an earlier "verify", finds that too.

  witbox audit verify
  witbox audit verify --directory /var/log/witbox --expect 9f2c…
`,
  flags: {
    expect: { type: 'string', value: 'HASH', summary: 'A line with this hash must be there' },
    ...AUDIT_FLAGS,
    json: { type: 'boolean', summary: 'Print the answer as JSON' },
  },
  async run({ flags }, io) {
    const { expect } = flags;
    if (expect !== undefined && !/^[0-9a-f]{64}$/.test(expect)) {
      throw new WitboxError('flag-invalid', { flag: '--expect', value: expect, expected: '64 hex digits' });
    }
    const verdict = await verify(await findAuditLog(flags, io), expect);
    if (flags.json) printJson(io, verdict);
    else io.out(text(verdict));
    return verdict.ok ? 0 : 1;
  },
});

function text({ ok, faults, files, lines, first, last, removed, unfinished, hash }: Verdict): string {
  if (!ok) {
    const told = faults.map(({ file, line, problem }) => `${file}${line > 0 ? `:${line}` : ''}: ${problem}`);
    return `${told.join('\n')}\n`;
  }
  if (lines === 0) return 'The log has no lines yet\n';
  return [
    `No fault in ${count(lines, 'line')} of ${count(files, 'file')}: ${first} to ${last}\n`,
    removed > 0 ? `Rotation removed ${count(removed, 'line')} before them\n` : '',
    unfinished > 0 ? `Behind them are ${count(unfinished, 'byte')} of a line that is not finished\n` : '',
    `Hash of the last line: ${hash}\n`,
  ].join('');
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
