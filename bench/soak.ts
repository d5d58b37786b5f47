// A soak of cells: many calls over several components, with guests that trap, exit, wait, loop into their deadline or
// are cancelled, and with cells killed from outside. Fails if an answer is lost or wrong, a process stays, or memory
// grows. Runs the built code if there is any: `node bench/soak.ts [--calls 200000] [--callers 24] [--kills 200]`.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { CallHost } from '../src/cell/active-call.ts';
import type { createCells, Loaded } from '../src/cell/cells.ts';
import type { Outcome } from '../src/cell/outcome.ts';
import { isAlive, until } from '../test/support/cells.ts';

export interface SoakOptions {
  readonly calls: number;
  readonly callers: number;
  /** Cells killed from outside on the way. */
  readonly kills: number;
  readonly onProgress?: (done: number, residentMb: number) => void;
}

export interface SoakResult {
  readonly outcomes: Readonly<Record<string, number>>;
  /** Answers that were not what they should have been. */
  readonly wrong: readonly string[];
  /** Resident memory of the broker after a tenth of the calls, and at the end. */
  readonly earlyMb: number;
  readonly lateMb: number;
  readonly openHosts: number;
  readonly pids: readonly number[];
}

interface Kind {
  readonly share: number;
  readonly component: 'add' | 'ask' | 'misbehave';
  readonly path: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What may come besides being interrupted by the fate of another. */
  readonly right: (outcome: Outcome) => boolean;
  readonly cancelAfterMs?: number;
  readonly wallMs?: number;
}

const isJson = (json: string) => (outcome: Outcome) => outcome.kind === 'ok' && outcome.json === json;
const ends = (kind: Outcome['kind']) => (outcome: Outcome) => outcome.kind === kind;

const KINDS: readonly Kind[] = [
  { share: 700, component: 'add', path: 'add', args: { a: 20, b: 22 }, right: isJson('42') },
  { share: 150, component: 'ask', path: 'ask', args: {}, right: isJson('1') },
  { share: 50, component: 'ask', path: 'count', args: {}, right: isJson('1') },
  { share: 40, component: 'misbehave', path: 'trap', args: {}, right: ends('trap') },
  { share: 20, component: 'misbehave', path: 'count', args: {}, right: isJson('1') },
  { share: 20, component: 'ask', path: 'quit', args: { failed: true }, right: ends('exit') },
  { share: 10, component: 'add', path: 'add', args: { a: 'x', b: 1 }, right: ends('misfit') },
  {
    share: 9,
    component: 'ask',
    path: 'ask',
    args: {},
    cancelAfterMs: 0,
    right: (outcome) => outcome.kind === 'cancelled' || outcome.kind === 'ok',
  },
  { share: 1, component: 'misbehave', path: 'loop', args: {}, wallMs: 50, right: ends('timeout') },
];
const SHARES = KINDS.reduce((sum, { share }) => sum + share, 0);

function kindAt(place: number): Kind {
  let rest = place;
  for (const kind of KINDS) {
    if (rest < kind.share) return kind;
    rest -= kind.share;
  }
  throw new RangeError(`no kind at ${place}`);
}

/** What may happen to a call through no fault of its own. */
const FATE: ReadonlySet<string> = new Set(['interrupted', 'crashed']);

const fixture = (name: string): Uint8Array =>
  readFileSync(join(import.meta.dirname, '..', 'test', 'fixtures', 'cell', `${name}.wasm`));
const residentMb = (): number => process.memoryUsage().rss / (1 << 20);

export async function soak(
  create: typeof createCells,
  { calls, callers, kills, onProgress }: SoakOptions,
): Promise<SoakResult> {
  const cells = await create();
  const pids = new Set<number>();
  const loaded: Record<Kind['component'], Loaded> = {
    add: await cells.load({ id: 'add', bytes: fixture('add') }),
    ask: await cells.load({ id: 'ask', bytes: fixture('ask') }),
    misbehave: await cells.load({ id: 'misbehave', bytes: fixture('misbehave') }),
  };
  const outcomes: Record<string, number> = {};
  const wrong: string[] = [];
  let openHosts = 0;
  let done = 0;
  let given = 0;
  let earlyMb = 0;

  const host = (): CallHost => {
    openHosts++;
    return {
      handle: () => new Promise((resolve) => setImmediate(resolve, [[['A', 'b']], [], [], []])),
      async close() {
        openHosts--;
      },
    };
  };

  const one = async (kind: Kind): Promise<void> => {
    const signal = kind.cancelAfterMs === undefined ? undefined : AbortSignal.timeout(kind.cancelAfterMs);
    const outcome = await loaded[kind.component].call([kind.path], kind.args, {
      host,
      ...(signal === undefined ? {} : { signal }),
      ...(kind.wallMs === undefined ? {} : { limits: { wallMs: kind.wallMs } }),
    });
    outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1;
    if (!kind.right(outcome) && !FATE.has(outcome.kind) && wrong.length < 20) {
      wrong.push(`${kind.path}: ${JSON.stringify(outcome)}`);
    }
  };

  const killOne = (): void => {
    const running = cells.stats().pids;
    for (const pid of running) pids.add(pid);
    const victim = running[done % Math.max(1, running.length)];
    if (victim !== undefined) process.kill(victim, 'SIGKILL');
  };

  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (given < calls) {
        // Spread evenly and the same in every run.
        const kind = kindAt((given++ * 617) % SHARES);
        await one(kind);
        done++;
        if (kills > 0 && done % Math.ceil(calls / kills) === 0) killOne();
        if (done === Math.ceil(calls / 10)) earlyMb = residentMb();
        if (done % 10_000 === 0) onProgress?.(done, residentMb());
      }
    }),
  );
  const lateMb = residentMb();
  for (const pid of cells.stats().pids) pids.add(pid);
  await cells.close();
  await until(() => ![...pids].some(isAlive), 'all cells are gone');
  return { outcomes, wrong, earlyMb, lateMb, openHosts, pids: [...pids] };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      calls: { type: 'string', default: '200000' },
      callers: { type: 'string', default: '24' },
      kills: { type: 'string', default: '200' },
      code: { type: 'string', default: join(import.meta.dirname, '..', 'dist') },
    },
  });
  const built = join(values.code, 'cell', 'cells.js');
  const code = existsSync(built) ? built : join(import.meta.dirname, '..', 'src', 'cell', 'cells.ts');
  const { createCells: create } = (await import(code)) as typeof import('../src/cell/cells.ts');
  const started = performance.now();
  const result = await soak(create, {
    calls: Number(values.calls),
    callers: Number(values.callers),
    kills: Number(values.kills),
    onProgress: (done, mb) => console.log(`${done} calls, broker ${mb.toFixed(0)} MiB`),
  });
  console.log(JSON.stringify({ ...result, pids: result.pids.length }, null, 2));
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (result.wrong.length > 0 || result.openHosts !== 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
