// The file as a configuration, or one error that names the first problem and how many there are.

import { basename } from 'node:path';
import { WitboxError } from '../core/errors.ts';
import { type LoadedConfig, parseConfig } from './config.ts';
import type { Problem } from './shape.ts';

/** All that is wrong with the text, a fault of YAML itself as the only one. */
export function configProblems(text: string, file: string): readonly Problem[] {
  try {
    const result = parseConfig(text, file);
    return 'problems' in result ? result.problems : [];
  } catch (error) {
    if (!(error instanceof WitboxError) || error.code !== 'config-invalid') throw error;
    const { line, column, problem } = error.details;
    return [{ line: Number(line), column: Number(column), problem: String(problem) }];
  }
}

/** Throws `config-invalid`. `file` is absolute: relative paths in the text are relative to its folder. */
export function readConfig(text: string, file: string): LoadedConfig {
  const result = parseConfig(text, file);
  if (!('problems' in result)) return result;
  const [first, ...others] = result.problems;
  const more = others.length === 0 ? '' : ` (and ${others.length} more, see witbox config check ${file})`;
  throw new WitboxError('config-invalid', {
    name: basename(file),
    line: first!.line,
    column: first!.column,
    problem: `${first!.problem}${more}`,
  });
}
