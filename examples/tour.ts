// `npm start`: takes the calculator example the way of a tool call, without a server around it. Bytes become tools
// with schemas; JSON arguments become values, go through the component, and come back as JSON.

import { readFileSync } from 'node:fs';
import { compile } from '../src/engine/engine.ts';
import { createFuncCodec } from '../src/wit/codec.ts';
import { parsePackageDocs } from '../src/wit/docs.ts';
import { listTools } from '../src/wit/tools.ts';

const compiled = await compile(readFileSync(new URL('calculator/calculator.wasm', import.meta.url)));
if (compiled.kind !== 'component') throw new Error('The calculator is a component');
const section = compiled.sections.find(({ name }) => name === 'package-docs');
const { tools } = listTools(compiled.type, { docs: section ? parsePackageDocs(section.bytes) : null });

const calls: readonly (readonly [tool: string, args: unknown])[] = [
  ['add', { a: 19, b: 23 }],
  ['divide', { a: 22, b: 7 }],
  ['divide', { a: 1, b: 0 }],
  ['greet', { name: 'Ada' }],
  ['add', { a: 1, b: 4_000_000_000 }],
];

for (const tool of tools) console.log(`${tool.name}: ${tool.docs.description?.split('\n')[0]}`);
console.log();
for (const [name, args] of calls) console.log(`${name} ${JSON.stringify(args)} → ${await call(name, args)}`);
console.log('\nwitbox component inspect examples/calculator/calculator.wasm shows more');

async function call(name: string, args: unknown): Promise<string> {
  const tool = tools.find((each) => each.name === name)!;
  const codec = createFuncCodec(tool.func);
  try {
    const values = codec.args(args);
    // A fresh instance for every call: nothing is left behind for the next one.
    const instance = await compiled.instantiate({});
    const outcome = codec.outcome(await instance.call(tool.path, values));
    instance.dispose();
    return outcome.ok ? JSON.stringify(outcome.value) : `error ${JSON.stringify(outcome.error)}`;
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}
