// `npm run fixtures [name …]`: builds test fixtures from their sources. `wat` assembles every .wat below
// test/fixtures; the other names are guests of test/toolchain/guests.ts. Without names: `wat` and `c`, whose
// results are committed. A toolchain that is missing is named, and the build goes on to the next.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { GUEST_LIST } from '../test/toolchain/guests.ts';
import { importJco } from '../test/toolchain/npm-tools.ts';

const FIXTURES = new URL('../test/fixtures/', import.meta.url);

const wanted = process.argv.length > 2 ? process.argv.slice(2) : ['wat', 'c'];
for (const name of wanted) {
  try {
    await build(name);
  } catch (error) {
    console.error(`Cannot build "${name}": ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

async function build(name: string): Promise<void> {
  if (name === 'wat') return assemble();
  const guest = GUEST_LIST.find((candidate) => candidate.name === name);
  if (guest === undefined) {
    throw new Error(`no such fixture, known are wat, ${GUEST_LIST.map((known) => known.name).join(', ')}`);
  }
  write(guest.file, await guest.build());
}

async function assemble(): Promise<void> {
  const { parse } = await importJco();
  for (const name of readdirSync(FIXTURES, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.wat')) continue;
    const text = readFileSync(new URL(name, FIXTURES), 'utf8');
    write(new URL(name.replace(/\.wat$/, '.wasm'), FIXTURES), await parse(text));
  }
}

function write(file: URL, bytes: Uint8Array): void {
  mkdirSync(new URL('./', file), { recursive: true });
  writeFileSync(file, bytes);
  console.log(`${file.pathname.split('/').slice(-2).join('/')}: ${bytes.length} bytes`);
}
