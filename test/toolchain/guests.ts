// The guests of test/fixtures/guests, one interface in several languages, each built by the toolchain that people use
// for it. Small ones are committed beside their source; large ones are built into .cache/fixtures on demand.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CACHE, importComponentizeJs, importComponentizeQjs, importJco } from './npm-tools.ts';

const GUESTS = new URL('../fixtures/guests/', import.meta.url);
const run = promisify(execFile);

export interface Guest {
  readonly name: string;
  /** Where the component is, or will be once built. */
  readonly file: URL;
  readonly build: () => Promise<Uint8Array>;
}

export const GUEST_LIST: readonly Guest[] = [
  { name: 'c', file: new URL('c/guest.wasm', GUESTS), build: buildC },
  { name: 'qjs', file: new URL('fixtures/qjs.wasm', CACHE), build: buildQjs },
  { name: 'rust', file: new URL('fixtures/rust.wasm', CACHE), build: () => buildRust('rust', 'guest') },
  {
    name: 'rust-large',
    file: new URL('fixtures/rust-large.wasm', CACHE),
    build: () => buildRust('rust-large', 'large'),
  },
  { name: 'starling', file: new URL('fixtures/starling.wasm', CACHE), build: buildStarling },
];

/** The component's bytes, or null where it is not built: say so and leave the test out. */
export function readGuest(name: string): Uint8Array | null {
  const guest = GUEST_LIST.find((candidate) => candidate.name === name);
  return guest && existsSync(guest.file) ? new Uint8Array(readFileSync(guest.file)) : null;
}

/** For `skip` of node:test. */
export function missingGuest(name: string): string | false {
  return readGuest(name) === null && `the ${name} guest is not built, run "npm run fixtures ${name}"`;
}

/** Needs clang with the WebAssembly back end, wasm-ld and wasi-libc. */
async function buildC(): Promise<Uint8Array> {
  const jco = await importJco();
  const folder = await mkdtemp(join(tmpdir(), 'witbox-c-'));
  try {
    const out = join(folder, 'core.wasm');
    const flags = [
      '--target=wasm32-wasi',
      '-mexec-model=reactor',
      '-O2',
      '-s',
      '-Wall',
      '-Wextra',
      '-Werror',
    ];
    await run('clang', [...flags, '-o', out, fileURLToPath(new URL('c/guest.c', GUESTS))]);
    const embedded = await jco.componentEmbed({ binary: await readFile(out), witSource: readWit() });
    const adapter = await readFile(jco.preview1AdapterReactorPath());
    return await jco.componentNew(embedded, [['wasi_snapshot_preview1', adapter]]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function buildQjs(): Promise<Uint8Array> {
  const { componentize } = await importComponentizeQjs();
  const witPath = fileURLToPath(new URL('guest.wit', GUESTS));
  const jsSource = await readFile(new URL('js/guest.js', GUESTS), 'utf8');
  return (await componentize({ witPath, jsSource, sync: true, optSize: false })).component;
}

async function buildStarling(): Promise<Uint8Array> {
  const { componentize } = await importComponentizeJs();
  const { component } = await componentize({
    sourcePath: fileURLToPath(new URL('js/guest.js', GUESTS)),
    witPath: fileURLToPath(new URL('guest.wit', GUESTS)),
    worldName: 'guest',
    disableFeatures: [],
  });
  return component;
}

/** Needs cargo with the target wasm32-wasip2, and the network for crates. */
async function buildRust(folder: string, crate: string): Promise<Uint8Array> {
  const target = fileURLToPath(new URL('rust-target/', CACHE));
  const manifest = fileURLToPath(new URL(`${folder}/Cargo.toml`, GUESTS));
  const flags = ['--release', '--locked', '--target', 'wasm32-wasip2', '--target-dir', target];
  await run('cargo', ['build', '--quiet', ...flags, '--manifest-path', manifest]);
  return readFile(join(target, 'wasm32-wasip2', 'release', `${crate}.wasm`));
}

function readWit(): string {
  return readFileSync(new URL('guest.wit', GUESTS), 'utf8');
}
