// The WIT side of the fixtures, with the reference WIT tools as judge, which test/toolchain fetches when asked for.
//   build  makes test/fixtures/worlds/*.wasm from the .wit files beside them, and examples from their .wat
//   judge  prints the world of every component fixture, lets the tools read it, and compares what comes back

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { decodeComponent } from '../src/engine/decode/component.ts';
import { sniff } from '../src/engine/decode/sniff.ts';
import { validateComponent } from '../src/engine/validate/component.ts';
import { printWorld } from '../src/wit/print.ts';
import { importTool } from '../test/toolchain/npm-tools.ts';

interface WitTools {
  componentEmbed(options: { witSource: string; dummy: boolean; stringEncoding: 'utf8' }): Promise<Uint8Array>;
  componentNew(core: Uint8Array, adapters: readonly []): Promise<Uint8Array>;
  parse(wat: string): Promise<Uint8Array>;
}

const fixtures = resolve(import.meta.dirname, '../test/fixtures');
const examples = resolve(import.meta.dirname, '../examples');
const tools = (await importTool('@bytecodealliance/jco/dist/api.js')) as WitTools;

/** A component that has the world and traps in every function. */
async function fromWit(witSource: string): Promise<Uint8Array> {
  const core = await tools.componentEmbed({ witSource, dummy: true, stringEncoding: 'utf8' });
  return await tools.componentNew(core, []);
}

function print(component: Uint8Array): string {
  return printWorld(validateComponent(decodeComponent(component)).type);
}

const files = (pattern: string): string[] => globSync(pattern, { cwd: fixtures }).sort();

switch (process.argv[2]) {
  case 'build':
    for (const file of files('worlds/*.wit').filter((name) => !name.endsWith('.printed.wit'))) {
      const component = await fromWit(readFileSync(join(fixtures, file), 'utf8'));
      writeFileSync(join(fixtures, file.replace(/wit$/, 'wasm')), component);
      writeFileSync(join(fixtures, file.replace(/wit$/, 'printed.wit')), print(component));
    }
    for (const file of globSync('*/*.wat', { cwd: examples })) {
      const component = await tools.parse(readFileSync(join(examples, file), 'utf8'));
      writeFileSync(join(examples, file.replace(/wat$/, 'wasm')), component);
    }
    break;
  case 'judge':
    for (const file of files('**/*.wasm')) {
      const bytes = readFileSync(join(fixtures, file));
      if (sniff(bytes) !== 'component') continue;
      const text = print(bytes);
      const again = print(await fromWit(text));
      console.log(again === text ? 'same  ' : 'parsed', file);
    }
    break;
  default:
    console.error('Usage: node scripts/worlds.ts build|judge');
    process.exitCode = 2;
}
