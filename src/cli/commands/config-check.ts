// `witbox config check`: every problem of a configuration at its line and column, before a server meets the first.

import { relative, resolve } from 'node:path';
import { configProblems } from '../../config/load.ts';
import { defineCommand } from '../command.ts';
import { configFile, readText } from '../config-file.ts';
import { printJson } from '../open-store.ts';

export const configCheck = defineCommand({
  args: '[FILE]',
  arity: [0, 1],
  help: `
Reads a configuration as a server would, and prints every problem with its line and column. The exit status is 0
if there is none and 1 otherwise. Without FILE it is the one that WITBOX_CONFIG names, or ./witbox.yaml.

  witbox config check
  witbox config check /etc/witbox/witbox.yaml
`,
  flags: { json: { type: 'boolean', summary: 'Print the answer as JSON' } },
  async run({ args: [given], flags }, io) {
    const file = configFile(given, io) ?? resolve('witbox.yaml');
    const problems = configProblems(await readText(file), file);
    const name = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file);
    if (flags.json) printJson(io, { file, problems });
    else if (problems.length === 0) io.out(`${name}: no problems\n`);
    else
      io.out(problems.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}\n`).join(''));
    return problems.length === 0 ? 0 : 1;
  },
});
