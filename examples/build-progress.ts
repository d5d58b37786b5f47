// Builds examples, as many at once as there are processors, with a bar on a terminal and a line for each elsewhere.

import { availableParallelism } from 'node:os';
import { buildExample, isBuilt } from './build.ts';
import type { Example } from './list.ts';

const WIDTH = 24;

export async function buildWithProgress(
  examples: readonly Example[],
  out: NodeJS.WriteStream,
): Promise<Map<Example, string>> {
  const files = new Map<Example, string>();
  const left = [...examples];

  function show(words: string): void {
    if (!out.isTTY) return;
    const full = Math.round((files.size / examples.length) * WIDTH);
    const bar = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}`;
    out.write(`\r\x1b[K${bar} ${files.size}/${examples.length} ${words}`);
  }

  async function work(): Promise<void> {
    for (let example = left.shift(); example !== undefined; example = left.shift()) {
      if (!(await isBuilt(example))) {
        show(`building ${example.name}`);
        if (!out.isTTY) out.write(`Building ${example.name}\n`);
      }
      files.set(example, await buildExample(example));
      show(`built ${example.name}`);
    }
  }

  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
  if (out.isTTY) out.write('\r\x1b[K');
  return new Map(examples.map((example) => [example, files.get(example)!]));
}
