// What is done with every mutant: compile, instantiate with no world, call every function with random values. All it
// may do is succeed, throw a WitboxError, or trap. Mutants whose code has changed are left out: such code may loop for
// ever, which is for the cell's deadline to end.

import { WitboxError } from '../../src/core/errors.ts';
import { decodeComponent } from '../../src/engine/decode/component.ts';
import { sniff } from '../../src/engine/decode/sniff.ts';
import { compile, Trap } from '../../src/engine/engine.ts';
import type { ExternType, FuncType } from '../../src/wit/type.ts';
import { createRandom, randomValue } from '../random-types.ts';
import { closedImports } from '../toolchain/closed-imports.ts';
import { modulesIn, readSeeds } from './seeds.ts';

const CAPS = { memoryBytes: 2 ** 24, tableElements: 10_000, totalInstances: 1_000 };

const keyOf = (module: Uint8Array): string => Buffer.from(module).toString('base64');

const known = new Set(
  readSeeds()
    .filter((seed) => sniff(seed) === 'component')
    .flatMap((seed) => modulesIn(decodeComponent(seed)).map(keyOf)),
);

export async function tryBytes(bytes: Uint8Array): Promise<'refused' | 'other code' | 'trapped' | 'ran'> {
  try {
    const changed = modulesIn(decodeComponent(bytes)).some((module) => !known.has(keyOf(module)));
    if (changed) return 'other code';
    return await run(bytes);
  } catch (error) {
    if (error instanceof WitboxError) return 'refused';
    if (error instanceof Trap) return 'trapped';
    throw error;
  }
}

async function run(bytes: Uint8Array): Promise<'ran'> {
  const compiled = await compile(bytes, CAPS);
  if (compiled.kind === 'module') return 'ran';
  const instance = await compiled.instantiate(closedImports(compiled.type));
  const random = createRandom(bytes.length);
  for (const [path, type] of functionsOf(compiled.type.exports)) {
    if (!type.params.every((param) => isData(param.type))) continue;
    const args = type.params.map((param) => randomValue(random, param.type));
    try {
      await instance.call(path, args);
    } catch (error) {
      // A function of the host that is exported again throws what the host threw.
      const own = error instanceof Error && error.message.startsWith('The guest called');
      if (!(own || error instanceof WitboxError || error instanceof Trap)) throw error;
    }
  }
  return 'ran';
}

function functionsOf(
  items: ReadonlyMap<string, ExternType>,
  path: readonly string[] = [],
): [string[], FuncType][] {
  return [...items].flatMap(([name, item]): [string[], FuncType][] => {
    if (item.kind === 'func') return [[[...path, name], item.type]];
    return item.kind === 'instance' ? functionsOf(item.type.exports, [...path, name]) : [];
  });
}

/** Handles and the like have no random values. */
function isData(type: FuncType['params'][number]['type']): boolean {
  return !/"kind":"(own|borrow|stream|future|error-context)"/.test(JSON.stringify(type));
}
