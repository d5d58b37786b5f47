// `witbox config check`: every problem of a configuration at its line and column, before a server meets the first.

import { relative, resolve } from 'node:path';
import { parseConfig } from '../../config/config.ts';
import { configProblems } from '../../config/load.ts';
import type { Problem } from '../../config/shape.ts';
import { WitboxError } from '../../core/errors.ts';
import { defineCommand } from '../command.ts';
import { CONFIG_FLAG, configFile, readText } from '../config-file.ts';
import { checkExposure } from '../exposure.ts';
import { printJson } from '../open-store.ts';

export const configCheck = defineCommand({
  args: '[FILE]',
  arity: [0, 1],
  help: `
Reads a configuration as a server would, and prints every problem with its line and column. The exit status is 0
if there is none and 1 otherwise. Without FILE it is the one that --config or WITBOX_CONFIG names, or ./witbox.yaml.

  witbox config check
  witbox config check /etc/witbox/witbox.yaml
`,
  flags: { ...CONFIG_FLAG, json: { type: 'boolean', summary: 'Print the answer as JSON' } },
  async run({ args: [given], flags }, io) {
    const file = configFile(given ?? flags.config, io) ?? resolve('witbox.yaml');
    const text = await readText(file);
    const inText = configProblems(text, file);
    const problems = inText.length > 0 ? inText : exposureProblems(text, file);
    const name = relative(process.cwd(), file).startsWith('..') ? file : relative(process.cwd(), file);
    if (flags.json) printJson(io, { file, problems });
    else if (problems.length === 0) io.out(`${name}: no problems\n`);
    else
      io.out(problems.map(({ line, column, problem }) => `${name}:${line}:${column}: ${problem}\n`).join(''));
    return problems.length === 0 ? 0 : 1;
  },
});

/** What is wrong with none of the values, and what a server that is given no flags refuses at its start all the same. */
function exposureProblems(text: string, file: string): readonly Problem[] {
  const loaded = parseConfig(text, file);
  if ('problems' in loaded) return loaded.problems;
  try {
    checkExposure(loaded.config);
    return [];
  } catch (error) {
    if (!(error instanceof WitboxError)) throw error;
    const { line = 1, column = 1 } = loaded.written.get('listen.host') ?? {};
    return [{ line, column, problem: error.message }];
  }
}
