// The real command line, as a child process through the launcher.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const launcher = join(root, 'bin/witbox.cjs');
const fixtures = join(root, 'test/fixtures');
const temp = mkdtempSync(join(tmpdir(), 'witbox-cli-'));
after(() => rmSync(temp, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function witbox(...args: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [launcher, ...args], { cwd: fixtures, env: { PATH: '' } });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject).on('close', (status) => resolve({ status, stdout, stderr }));
  });
}

function temporary(name: string, content: string | Uint8Array): string {
  const file = join(temp, name);
  writeFileSync(file, content);
  return file;
}

const packageVersion: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

test('--version and --help answer on stdout', async () => {
  assert.deepEqual(await witbox('--version'), { status: 0, stdout: `${packageVersion}\n`, stderr: '' });
  const all = await witbox();
  assert.equal(all.status, 0);
  assert.match(all.stdout, /Usage: witbox COMMAND.*\n {2}component inspect {2}/s);
  const one = await witbox('component', 'inspect', '-h');
  assert.match(one.stdout, /Usage: witbox component inspect FILE \[FLAGS\].*--json.*-h, --help/s);
});

test('--version does not load the engine', () => {
  const script = `
    const { registerHooks } = require('node:module');
    registerHooks({ resolve(name, context, next) {
      if (/engine|wit\\//.test(name)) throw new Error('loaded ' + name);
      return next(name, context);
    } });
    process.argv[2] = '--version';
    require(${JSON.stringify(launcher)});
  `;
  const ended = spawnSync(process.execPath, ['-e', script, 'x', 'x'], { encoding: 'utf8' });
  assert.deepEqual([ended.stdout, ended.stderr], [`${packageVersion}\n`, '']);
});

test('a slip of the pen is one line on stderr, and exit status 2', async () => {
  assert.deepEqual(await witbox('component', 'inspect', 'x', '--jsn'), {
    status: 2,
    stdout: '',
    stderr: 'witbox: Unknown flag "--jsn" (did you mean "--json"?); see witbox component inspect --help\n',
  });
});

test('inspect shows tools, imports, permissions, size and digest', async () => {
  const { status, stdout, stderr } = await witbox('component', 'inspect', 'wat/documented.wasm');
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^wat\/documented\.wasm: component, \d+ bytes\n {2}digest +sha256:[0-9a-f]{64}\n/);
  assert.match(stdout, /made with +WAT 1\.0, by-hand\n/);
  assert.match(stdout, /Tools \(2\)\n {2}add\(left: s32, right: s32\) -> s32\n {6}Adds two numbers\n/);
  assert.match(stdout, /Permissions\n {2}none: it cannot reach files, network or environment\n/);
});

test('inspect --json has everything for programs', async () => {
  const ended = await witbox('component', 'inspect', '--json', '--wit', 'worlds/rich.wasm');
  const found = JSON.parse(ended.stdout);
  assert.equal(found.kind, 'component');
  assert.equal(found.unsupported, null);
  assert.equal(found.tools.length, 15);
  assert.deepEqual(found.tools[0].inputSchema.required, ['a', 'b']);
  assert.equal(found.leftovers.length, 1);
  assert.deepEqual(
    found.imports.map((one: { name: string }) => one.name),
    [
      'example:rich/shapes@1.2.0',
      'example:rich/logger@1.2.0',
      'example:rich/sinks@1.2.0',
      'clock',
      'host-fn',
    ],
  );
  assert.equal(found.wit, readFileSync(join(fixtures, 'worlds/rich.printed.wit'), 'utf8'));
});

test('inspect --schema and --wit print just these', async () => {
  const schema = await witbox('component', 'inspect', '--schema', 'wat/documented.wasm');
  assert.deepEqual(
    JSON.parse(schema.stdout).map((tool: { name: string }) => tool.name),
    ['add', 'negate'],
  );
  assert.match(
    (await witbox('component', 'inspect', '--wit', 'wat/documented.wasm')).stdout,
    /^package root:component;/,
  );
});

test('inspect reads a core module: its functions, and what WASI of old its imports mean', async () => {
  const wasm = temporary('core.wasm', coreModule());
  const found = JSON.parse((await witbox('component', 'inspect', '--json', wasm)).stdout);
  assert.equal(found.kind, 'module');
  assert.deepEqual(
    found.tools.map((tool: { name: string }) => tool.name),
    ['twice'],
  );
  assert.deepEqual(found.imports, [{ name: 'wasi_snapshot_preview1 path_open', meaning: 'storage' }]);
  assert.deepEqual(found.permissions, ['storage']);
});

test('inspect describes what needs WASI 0.3, and says that it cannot run yet', async () => {
  const { status, stdout } = await witbox('component', 'inspect', 'worlds/streaming.wasm');
  assert.equal(status, 0);
  assert.match(stdout, /\nComponent has .+: needs WASI 0\.3 async, not supported yet\n/);
  assert.match(stdout, /copy: uses a stream, a future or an error-context, which JSON cannot carry\n/);
  const inside = await witbox('component', 'inspect', 'wat/wasi03.wasm');
  assert.match(inside.stdout, /\nUses WASI 0\.3 inside: stream\.new\n/);
});

test('bad input is one clear error each', async () => {
  const component = readFileSync(join(fixtures, 'wat/documented.wasm'));
  mkdirSync(join(temp, 'folder'));
  const cases: [file: string, message: RegExp][] = [
    ['missing.wasm', /^witbox: Cannot read "missing\.wasm": no such file\n$/],
    [join(temp, 'folder'), /^witbox: Cannot read ".+folder": it is a directory\n$/],
    ['/dev/null', /^witbox: Cannot read "\/dev\/null": it is not a regular file\n$/],
    [
      temporary('empty.wasm', ''),
      /^witbox: Cannot inspect ".+": Expected a component, found an empty file\n$/,
    ],
    [temporary('page.wasm', '<!DOCTYPE html><html>'), /found an HTML or XML page/],
    [temporary('text.wasm', '(component)'), /found WebAssembly text \(assemble it first/],
    [temporary('start.wasm', component.subarray(0, 6)), /found a truncated file/],
    [temporary('cut.wasm', component.subarray(0, 300)), /Malformed WebAssembly in .+ at byte \d+/],
    [temporary('noise.wasm', 'hello there'), /found something that is not WebAssembly/],
    [
      temporary('simd.wasm', simdModule()),
      /no function can be a tool: "f" is \(v128\) -> \(\): only i32, i64, f32, f64/,
    ],
  ];
  const ends = await Promise.all(cases.map(([file]) => witbox('component', 'inspect', file)));
  for (const [i, [, message]] of cases.entries()) {
    const { status, stdout, stderr } = ends[i]!;
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, message);
    assert.match(stderr, /^witbox: [^\n]+\n$/);
  }
});

test('names in a file cannot reach the terminal as control codes', async () => {
  const name = '\u001b]0;owned\u0007';
  const file = temporary('escape.wasm', coreModule(name));
  const { stdout } = await witbox('component', 'inspect', file);
  assert.match(stdout, /_]?0/);
  assert.ok(!stdout.includes('\u001b') && !stdout.includes('\u0007'));
});

test('a reader who goes away is no error', async () => {
  const child = spawn(process.execPath, [launcher, 'component', 'inspect', '--json', 'worlds/rich.wasm'], {
    cwd: fixtures,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  assert.deepEqual([status, stderr], [0, '']);
});

const complaint: (version: string) => string | null = createRequire(import.meta.url)(
  join(root, 'bin/node-version.cjs'),
);

test('the launcher takes Node 24.15 and newer, and tells older ones in one line', () => {
  for (const version of ['24.15.0', '24.20.1', '25.0.0', '26.1.0', '100.0.0']) {
    assert.equal(complaint(version), null);
  }
  for (const version of ['0.10.48', '18.20.0', '20.19.5', '24.14.9']) {
    assert.match(
      complaint(version)!,
      new RegExp(`^witbox needs Node 24\\.15 or newer, this is ${version}\\. [^\\n]+\\n$`),
    );
  }
});

test('an old Node that is installed here says so itself', (t) => {
  const old = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter(existsSync)
    .find((node) => {
      const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout?.trim().slice(1);
      return version && complaint(version);
    });
  if (!old) return t.skip('every Node on the PATH is new enough');
  const { status, stdout, stderr } = spawnSync(old, [launcher, '--version'], { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^witbox needs Node 24\.15 or newer, this is [\d.]+\. [^\n]+\n$/);
});

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

function sectionOf(id: number, ...bytes: number[]): number[] {
  return [id, bytes.length, ...bytes];
}

function text(value: string): number[] {
  const bytes = [...Buffer.from(value)];
  return [bytes.length, ...bytes];
}

/** Exports a function i32 → i32 and imports `path_open` of WASI preview 1. */
function coreModule(name = 'twice'): Uint8Array {
  return Uint8Array.from([
    ...HEADER,
    ...sectionOf(1, 1, 0x60, 1, 0x7f, 1, 0x7f),
    ...sectionOf(2, 1, ...text('wasi_snapshot_preview1'), ...text('path_open'), 0, 0),
    ...sectionOf(3, 1, 0),
    ...sectionOf(7, 1, ...text(name), 0, 1),
    ...sectionOf(10, 1, 7, 0, 0x20, 0, 0x20, 0, 0x6a, 0x0b),
  ]);
}

/** Exports `f`, which takes a vector. */
function simdModule(): Uint8Array {
  return Uint8Array.from([
    ...HEADER,
    ...sectionOf(1, 1, 0x60, 1, 0x7b, 0),
    ...sectionOf(3, 1, 0),
    ...sectionOf(7, 1, ...text('f'), 0, 0),
    ...sectionOf(10, 1, 2, 0, 0x0b),
  ]);
}
