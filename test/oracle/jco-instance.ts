// A component as jco runs it: transpiled into .cache/oracle, imported, and instantiated on jco's own WASI.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { CACHE, importJco, importTool } from '../toolchain/npm-tools.ts';

const SHIM =
  '@bytecodealliance/jco/node_modules/@bytecodealliance/preview2-shim/dist/common/instantiation.js';

export type JcoExports = Record<string, unknown>;

interface Generated {
  instantiate(
    load: (file: string) => Promise<WebAssembly.Module>,
    imports: Record<string, unknown>,
  ): Promise<JcoExports>;
}

export async function transpileTo(name: string, bytes: Uint8Array): Promise<URL> {
  const folder = new URL(`oracle/${name}/`, CACHE);
  const { transpile } = await importJco();
  const { files } = await transpile(bytes, {
    name: 'generated',
    instantiation: 'async',
    multiMemory: true,
    quiet: true,
  });
  await mkdir(folder, { recursive: true });
  await writeFile(new URL('package.json', folder), '{"type":"module"}');
  for (const [file, contents] of Object.entries(files)) {
    if (!file.endsWith('.d.ts')) await writeFile(new URL(file, folder), contents);
  }
  return folder;
}

export async function instantiateJco(name: string, bytes: Uint8Array): Promise<JcoExports> {
  const folder = await transpileTo(name, bytes);
  const { WASIShim } = (await importTool(SHIM)) as {
    WASIShim: new () => { getImportObject(): Record<string, unknown> };
  };
  const generated = (await import(new URL('generated.js', folder).href)) as Generated;
  return generated.instantiate(
    async (file) => WebAssembly.compile(await readFile(new URL(file, folder))),
    new WASIShim().getImportObject(),
  );
}
