// Builds examples one after another, with a bar on a terminal and a line for each that is built elsewhere.

import { buildExample, isBuilt } from './build.ts';
import type { Example } from './list.ts';

const WIDTH = 24;

export async function buildWithProgress(
  examples: readonly Example[],
  out: NodeJS.WriteStream,
): Promise<Map<Example, string>> {
  const files = new Map<Example, string>();
  const bar = (done: number, words: string): void => {
    if (!out.isTTY) return;
    const full = Math.round((done / examples.length) * WIDTH);
    out.write(`\r\x1b[K${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${done}/${examples.length} ${words}`);
  };
  for (const example of examples) {
    const missing = !(await isBuilt(example));
    if (missing) bar(files.size, `building ${example.name}`);
    if (missing && !out.isTTY) out.write(`Building ${example.name}\n`);
    files.set(example, await buildExample(example));
    bar(files.size, example.name);
  }
  if (out.isTTY) out.write('\r\x1b[K');
  return files;
}
