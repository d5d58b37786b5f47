// Measures cells: one trivial call, many callers, files and HTTP beside Node itself, cold first calls, memory. Prints a
// table and, with --json, numbers. Runs the built code if there is any (that is what users run), else the source:
// `node bench/cell.ts [--json] [--js COMPONENT.wasm] [--rust COMPONENT.wasm] [--calls N] [--layers namespaces|none]`.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent, createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CallHost } from '../src/cell/active-call.ts';
import type { Cells, Loaded } from '../src/cell/cells.ts';
import type { Layers } from '../src/cell/layers.ts';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    js: { type: 'string', default: '.cache/fixtures/starling.wasm' },
    rust: { type: 'string', default: '.cache/fixtures/rust-large.wasm' },
    calls: { type: 'string', default: '20000' },
    code: { type: 'string', default: join(import.meta.dirname, '..', 'dist') },
    layers: { type: 'string', default: 'strongest' },
  },
});
const built = join(flags.code, 'cell', 'cells.js');
const source = join(import.meta.dirname, '..', 'src', 'cell', 'cells.ts');
const { createCells } = (await import(
  existsSync(built) ? built : source
)) as typeof import('../src/cell/cells.ts');
const fixture = (name: string): Uint8Array =>
  readFileSync(join(import.meta.dirname, '..', 'test', 'fixtures', 'cell', name));

const host = (): CallHost => ({ handle: async () => null, close: async () => {} });
const results: Record<string, number> = {};
const report = (name: string, value: number, unit: string): void => {
  results[name] = value;
  if (!flags.json)
    console.log(`${name.padEnd(34)} ${value.toFixed(value < 10 ? 3 : 0).padStart(10)} ${unit}`);
};

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.floor((sorted.length - 1) * q)] ?? 0;

async function oneCaller(add: Loaded, calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < calls; i++) {
    const before = performance.now();
    const outcome = await add.call(['add'], { a: i, b: 1 }, { host });
    times.push(performance.now() - before);
    if (outcome.kind !== 'ok' || outcome.json !== `${i + 1}`) throw new Error(JSON.stringify(outcome));
  }
  return times.sort((a, b) => a - b);
}

async function callers(add: Loaded, count: number, calls: number): Promise<number> {
  let left = calls;
  const before = performance.now();
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (left-- > 0) {
        const outcome = await add.call(['add'], { a: 1, b: 2 }, { host });
        if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
      }
    }),
  );
  return calls / ((performance.now() - before) / 1000);
}

/** From `load` to the first answer, with an empty cell waiting, as it does in a server. */
async function coldFirstCall(cells: Cells, bytes: Uint8Array, id: string): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const before = performance.now();
  const loaded = await cells.load({ id, bytes });
  const [func] = loaded.description.functions;
  const args = Object.fromEntries(
    (func?.type.params ?? []).map(({ name, type }) => [name, type.kind === 'string' ? 'x' : 1]),
  );
  await loaded.call(func?.path ?? [], args, { host });
  const took = performance.now() - before;
  loaded.unload();
  return took;
}

/** The processes of cells themselves: with layers, the last in a line behind what was started. */
function cellPids(): number[] {
  return cells.stats().pids.map(function last(pid): number {
    const inner = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    return inner === '' ? pid : last(Number(inner));
  });
}

function cpuOfCells(): number {
  return cellPids().reduce((sum, pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return sum + (Number(fields[11]) + Number(fields[12])) * 10;
  }, 0);
}

function resident(pid: number): number {
  const line = readFileSync(`/proc/${pid}/status`, 'latin1').match(/VmRSS:\s+(\d+)/);
  return Number(line?.[1] ?? 0) / 1024;
}

type Load = <T>(path: string) => Promise<T>;

/** The same thing done by a guest through WASI and by Node itself, in turns; the first quarter warms up. */
async function beside(
  what: string,
  times: number,
  guest: () => Promise<void>,
  node: () => Promise<void>,
): Promise<void> {
  const [through, direct]: [number[], number[]] = [[], []];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await guest();
    const middle = performance.now();
    await node();
    through.push(middle - start);
    direct.push(performance.now() - middle);
  }
  const median = (list: number[]): number =>
    quantile(
      list.slice(times / 4).sort((a, b) => a - b),
      0.5,
    );
  report(`${what} through WASI, median`, median(through), 'ms');
  report(`${what} by Node itself, median`, median(direct), 'ms');
  report('  ratio', median(through) / median(direct), '×');
}

async function hostFor(load: Load, permissions: string) {
  const { createHost } = await load<typeof import('../src/host/host.ts')>('host/host');
  const { grantsOf } = await load<typeof import('../src/host/grants.ts')>('host/grants');
  const { parsePolicy } = await load<typeof import('../src/policy/parse.ts')>('policy/parse');
  const { createAgents } = await load<typeof import('../src/host/http/agents.ts')>('host/http/agents');
  const grants = grantsOf(parsePolicy(`version: "1.0"\npermissions: ${permissions}\n`));
  const agents = createAgents();
  return { host: () => createHost({ componentId: 'bench', grants, agents }), close: () => agents.close() };
}

async function fileRead(cells: Cells, load: Load): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'witbox-bench-'));
  writeFileSync(join(folder, 'note'), 'x'.repeat(2000));
  const { host, close } = await hostFor(
    load,
    `{storage: {allow: [{uri: "fs://${folder}/**", access: [read]}]}}`,
  );
  const guest = await cells.load({ id: 'read', bytes: fixture('read-file.wasm') });
  const read = async (): Promise<void> => {
    const outcome = await guest.call(['read'], {}, { host });
    if (outcome.kind !== 'ok' || outcome.json !== '2000') throw new Error(JSON.stringify(outcome));
  };
  await beside('file read', 2000, read, async () => void (await readFile(join(folder, 'note'))));
  guest.unload();
  close();
  rmSync(folder, { recursive: true });
}

async function httpGet(cells: Cells, load: Load): Promise<void> {
  const server = createServer((_, response) => void response.end('x'.repeat(2000)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { host, close } = await hostFor(load, `{network: {allow: [{host: "127.0.0.1:${port}"}]}}`);
  const bytes = readFileSync(join(import.meta.dirname, '..', 'test', 'fixtures', 'wasi', 'net.wasm'));
  const guest = await cells.load({ id: 'get', bytes });
  const request = {
    method: 'GET',
    https: false,
    authority: `127.0.0.1:${port}`,
    path: '/',
    headers: [],
    chunks: 0,
    'chunk-size': 0,
    trailer: false,
  };
  const get = async (): Promise<void> => {
    const outcome = await guest.call(['fetch'], { request }, { host });
    if (outcome.kind !== 'ok') throw new Error(JSON.stringify(outcome));
  };
  const agent = new Agent({ keepAlive: true });
  const direct = (): Promise<void> =>
    new Promise((resolve, reject) => {
      httpRequest({ agent, port, host: '127.0.0.1' }, (response) => response.resume().on('end', resolve))
        .on('error', reject)
        .end();
    });
  await beside('HTTP GET', 800, get, direct);
  guest.unload();
  close();
  agent.destroy();
  server.close();
}

/** To see what a layer costs: the strongest that the system has, or a weaker one. */
async function chosenLayers(load: Load): Promise<Layers> {
  const { findLayers, findNamespaces, NO_LAYERS } =
    await load<typeof import('../src/cell/layers.ts')>('cell/layers');
  if (flags.layers === 'none') return NO_LAYERS;
  return (flags.layers === 'namespaces' ? await findNamespaces() : await findLayers()) ?? NO_LAYERS;
}

const calls = Number(flags.calls);
const load: Load = (path) =>
  import(
    existsSync(built) ? join(flags.code, `${path}.js`) : join(import.meta.dirname, '..', 'src', `${path}.ts`)
  );
const cells = await createCells({ layers: await chosenLayers(load) });
const startup = performance.now();
const first = await cells.load({ id: 'first', bytes: fixture('add.wasm') });
report('start of a cell and load, nothing warm', performance.now() - startup, 'ms');
await oneCaller(first, 2000);
const times = await oneCaller(first, Math.min(calls, 5000));
report('one caller, median', quantile(times, 0.5), 'ms');
report('one caller, p99', quantile(times, 0.99), 'ms');
for (const count of [1, 8, 32]) {
  await callers(first, count, calls / 4);
  const [own, theirs] = [process.cpuUsage(), cpuOfCells()];
  report(`${count} callers`, await callers(first, count, calls), 'calls/s');
  const spent = process.cpuUsage(own);
  report('  broker, processor time per call', (spent.user + spent.system) / calls, 'µs');
  report('  cells, processor time per call', ((cpuOfCells() - theirs) * 1000) / calls, 'µs');
}
report('cell, resident', resident(cellPids()[0] ?? 0), 'MiB');
report('broker, resident', resident(process.pid), 'MiB');
first.unload();
await fileRead(cells, load);
await httpGet(cells, load);
report('cold first call, tiny', await coldFirstCall(cells, fixture('add.wasm'), 'tiny'), 'ms');
for (const [name, file] of [
  ['Rust', flags.rust],
  ['JavaScript', flags.js],
] as const) {
  if (existsSync(file))
    report(`cold first call, ${name}`, await coldFirstCall(cells, readFileSync(file), name), 'ms');
  else
    console.error(
      `Left out: cold first call of ${name}, there is no ${file} (npm run fixtures rust-large starling)`,
    );
}
await cells.close();
if (flags.json) console.log(JSON.stringify(results));
