// Measures cells: one trivial call, many callers, cold first calls, memory. Prints a table and, with --json, numbers.
// Runs the built code if there is any (that is what users run), else the source: `node bench/cell.ts [--json]
// [--js COMPONENT.wasm] [--calls N]`.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CallHost } from '../src/cell/active-call.ts';
import type { Cells, Loaded } from '../src/cell/cells.ts';

const { values: flags } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    js: { type: 'string' },
    calls: { type: 'string', default: '20000' },
    code: { type: 'string', default: join(import.meta.dirname, '..', 'dist') },
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

/** The processes of cells themselves: with namespaces, what was started is their parent. */
function cellPids(): number[] {
  return cells.stats().pids.map((pid) => {
    const inner = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
    return Number(inner || pid);
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

/** A small file, opened, read and closed: by a guest through WASI, and by Node itself. */
async function fileRead(cells: Cells, code: string): Promise<void> {
  const load = (path: string) => import(join(code, existsSync(built) ? `${path}.js` : `${path}.ts`));
  const { createHost } = (await load('host/host')) as typeof import('../src/host/host.ts');
  const { grantsOf } = (await load('host/grants')) as typeof import('../src/host/grants.ts');
  const { parsePolicy } = (await load('policy/parse')) as typeof import('../src/policy/parse.ts');
  const folder = mkdtempSync(join(tmpdir(), 'witbox-bench-'));
  writeFileSync(join(folder, 'note'), 'x'.repeat(2000));
  const policy = parsePolicy(
    `version: "1.0"\npermissions:\n  storage:\n    allow:\n      - uri: fs://${folder}/**\n        access: [read]\n`,
  );
  const grants = grantsOf(policy);
  const guest = await cells.load({ id: 'read', bytes: fixture('read-file.wasm') });
  const [through, direct]: [number[], number[]] = [[], []];
  for (let i = 0; i < 2000; i++) {
    const before = performance.now();
    const outcome = await guest.call(
      ['read'],
      {},
      { host: () => createHost({ componentId: 'read', grants }) },
    );
    through.push(performance.now() - before);
    if (outcome.kind !== 'ok' || outcome.json !== '2000') throw new Error(JSON.stringify(outcome));
    const start = performance.now();
    await readFile(join(folder, 'note'));
    direct.push(performance.now() - start);
  }
  rmSync(folder, { recursive: true });
  report(
    'file read through WASI, median',
    quantile(
      through.slice(500).sort((a, b) => a - b),
      0.5,
    ),
    'ms',
  );
  report(
    'file read by Node itself, median',
    quantile(
      direct.slice(500).sort((a, b) => a - b),
      0.5,
    ),
    'ms',
  );
}

const calls = Number(flags.calls);
const cells = await createCells();
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
await fileRead(cells, existsSync(built) ? flags.code : join(import.meta.dirname, '..', 'src'));
report('cold first call, tiny', await coldFirstCall(cells, fixture('add.wasm'), 'tiny'), 'ms');
if (flags.js !== undefined) {
  report('cold first call, JavaScript', await coldFirstCall(cells, readFileSync(flags.js), 'js'), 'ms');
}
await cells.close();
if (flags.json) console.log(JSON.stringify(results));
