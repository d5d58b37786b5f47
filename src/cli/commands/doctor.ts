// `witbox doctor`: what protects this machine from components, found by trying.

import { type Examination, examine } from '../../cell/doctor.ts';
import { defineCommand } from '../command.ts';

const MARKS = { ok: '✓', weaker: '!', broken: '✗' } as const;

export const doctor = defineCommand({
  args: '',
  arity: [0, 0],
  help: `
Starts a cell, lets it try what it must not be able to do, and says what held. A line with ! names a layer that this
system does not offer and what is weaker without it; with ✗ components should not be run here.

  witbox doctor
  witbox doctor --json | jq '.findings[] | select(.state != "ok")'
`,
  flags: { json: { type: 'boolean', summary: 'Print the answer as JSON' } },
  async run({ flags }, io) {
    const examination = await examine();
    io.out(flags.json ? `${JSON.stringify(examination, null, 2)}\n` : asText(examination));
    return examination.usable ? 0 : 1;
  },
});

function asText({ node, platform, findings }: Examination): string {
  const lines = findings.map(({ name, state, text }) => `${MARKS[state]} ${name.padEnd(12)} ${text}`);
  return `Node ${node} on ${platform}\n${lines.join('\n')}\n`;
}
