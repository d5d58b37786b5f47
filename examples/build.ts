// Source → component. What is built from JavaScript goes to .cache/examples, in a folder named by the content of all
// that it is made of, so that nothing is built twice and nothing old is ever used; C and WAT are built on request, into
// the file beside the source that is committed.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { componentize } from 'componentize-qjs';
import { importJco } from '../test/toolchain/npm-tools.ts';
import type { Example } from './list.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CACHE = join(ROOT, '.cache/examples');
/** Raised when the way of building changes. */
const BUILD = 'componentize-qjs 0.4.5, 1';

/** Where the component is; builds it first if that needs nothing but npm and has not been done yet. */
export async function buildExample(example: Example): Promise<string> {
  const { name, folder, language } = example;
  if (language !== 'js') return join(ROOT, folder, `${name}.wasm`);
  const sources = await sourcesOf(example);
  const target = join(CACHE, digestOf(sources), `${name}.wasm`);
  if (!existsSync(target)) await publish(await buildJs(example, sources), example, target);
  return target;
}

export async function isBuilt(example: Example): Promise<boolean> {
  if (example.language !== 'js') return true;
  return existsSync(join(CACHE, digestOf(await sourcesOf(example)), `${example.name}.wasm`));
}

/** Rebuilds the committed file of an example in C or WAT. Needs the toolchain. */
export async function rebuildCommitted(example: Example): Promise<string> {
  const file = join(ROOT, example.folder, example.name);
  const bytes = example.language === 'c' ? await buildC(file) : await buildWat(file);
  await writeFile(`${file}.wasm`, bytes);
  return `${file}.wasm`;
}

type Sources = ReadonlyMap<string, string>;

/** Everything a component is made of, by its place in the build folder. */
async function sourcesOf({ folder, name }: Example): Promise<Sources> {
  const sources = new Map<string, string>();
  const take = async (from: string, to: string): Promise<void> => {
    sources.set(to, await readFile(join(ROOT, from), 'utf8'));
  };
  const follow = async (module: string): Promise<void> => {
    if (sources.has(module)) return;
    await take(module, module);
    for (const [, other] of sources.get(module)!.matchAll(/\bfrom '(\.[^']+)'/g)) {
      await follow(join(dirname(module), other!));
    }
  };
  await follow(`${folder}/${name}.js`);
  for (const file of await readdir(join(ROOT, 'examples/wit/wasi'))) {
    await take(`examples/wit/wasi/${file}`, `wit/deps/${file}`);
  }
  if (existsSync(join(ROOT, folder, `${name}.wit`))) {
    await take(`${folder}/${name}.wit`, 'wit/world.wit');
    await take('wit/mcp.wit', 'wit/deps/mcp.wit');
  } else await take('wit/mcp.wit', 'wit/world.wit');
  for (const kind of ['tools', 'policy']) {
    const sidecar = `${folder}/${name}.${kind}.yaml`;
    if (existsSync(join(ROOT, sidecar))) await take(sidecar, `${name}.${kind}.yaml`);
  }
  return sources;
}

function digestOf(sources: Sources): string {
  const hash = createHash('sha256').update(BUILD);
  for (const [name, text] of [...sources].sort()) hash.update(`\0${name}\0${text}`);
  return hash.digest('hex').slice(0, 16);
}

async function inScratch<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'witbox-build-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * While it takes its snapshot, the builder provides the WASI interfaces it knows and stubs for the rest, and interfaces
 * of the two kinds cannot share resources, as those of wasi:http and wasi:io do. So the component is built with WASI
 * under a stand-in name of the same length, and gets the real name afterwards.
 */
const REAL = 'wasi:';
const STAND_IN = 'wasx:';

function buildJs({ folder, name }: Example, sources: Sources): Promise<Uint8Array> {
  return inScratch(async (scratch) => {
    for (const [place, text] of sources) {
      const file = join(scratch, place);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text.replaceAll(REAL, STAND_IN));
    }
    const jsPath = join(scratch, folder, `${name}.js`);
    const { component } = await componentize({
      witPath: join(scratch, 'wit'),
      jsPath,
      jsSource: await readFile(jsPath, 'utf8'),
      moduleRoot: scratch,
      sync: true,
    });
    return Buffer.from(component.toString('latin1').replaceAll(STAND_IN, REAL), 'latin1');
  });
}

/** Other processes may build the same at the same time: the folder appears whole or not at all. */
async function publish(bytes: Uint8Array, { folder, name }: Example, target: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const scratch = await mkdtemp(join(CACHE, 'new-'));
  await writeFile(join(scratch, `${name}.wasm`), bytes);
  for (const kind of ['tools', 'policy']) {
    const sidecar = join(ROOT, folder, `${name}.${kind}.yaml`);
    if (existsSync(sidecar)) await copyFile(sidecar, join(scratch, `${name}.${kind}.yaml`));
  }
  try {
    await rename(scratch, dirname(target));
  } catch {
    await cp(scratch, dirname(target), { recursive: true });
    await rm(scratch, { recursive: true });
  }
}

async function buildWat(file: string): Promise<Uint8Array> {
  return (await importJco()).parse(await readFile(`${file}.wat`, 'utf8'));
}

/** Needs clang with the WebAssembly back end, wasm-ld and wasi-libc. */
function buildC(file: string): Promise<Uint8Array> {
  return inScratch(async (scratch) => {
    const core = join(scratch, 'core.wasm');
    const flags = [
      '--target=wasm32-wasi',
      '-mexec-model=reactor',
      '-O2',
      '-s',
      '-Wall',
      '-Wextra',
      '-Werror',
    ];
    await promisify(execFile)('clang', [...flags, '-o', core, `${file}.c`]);
    const jco = await importJco();
    const world = existsSync(`${file}.wit`) ? `${file}.wit` : join(ROOT, 'wit/mcp.wit');
    const embedded = await jco.componentEmbed({
      binary: await readFile(core),
      witSource: await readFile(world, 'utf8'),
    });
    const adapter = await readFile(jco.preview1AdapterReactorPath());
    return jco.componentNew(embedded, [['wasi_snapshot_preview1', adapter]]);
  });
}
