// Everything that hostile clients do, one after the other against one server, while an honest client goes on calling.
// Gives what happened and what was wrong; `npm run abuse` runs it whole, `npm test` in small. Loopback only, Linux only.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Tally, Target } from './attack.ts';
import { type Honest, startHonest } from './honest.ts';
import { type AbusedServer, startServer } from './server.ts';

export interface AbuseSize {
  readonly connections: number;
  readonly sessions: number;
  readonly slow: number;
  readonly readers: number;
  readonly streams: number;
  readonly floodMs: number;
  readonly requestMs: number;
  readonly residentMb: number;
}

export const WHOLE: AbuseSize = {
  connections: 5_000,
  sessions: 1_000,
  slow: 500,
  readers: 150,
  streams: 300,
  floodMs: 5_000,
  requestMs: 2_000,
  residentMb: 700,
};
export const SMALL: AbuseSize = {
  connections: 400,
  sessions: 100,
  slow: 40,
  readers: 9,
  streams: 30,
  floodMs: 500,
  requestMs: 1_000,
  residentMb: 500,
};

export interface PhaseReport {
  readonly attack: string;
  readonly tally: Tally;
  readonly calls: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly mostMs: number;
  readonly residentMb: number;
  readonly seconds: number;
}

export interface AbuseReport {
  readonly phases: readonly PhaseReport[];
  readonly problems: readonly string[];
}

interface Phase {
  readonly attack: string;
  readonly count: number;
  /** While it is held; says what is wrong. */
  readonly during?: (server: AbusedServer, attacker: Attacker) => Promise<string | null>;
  readonly end?: 'release' | 'kill';
}

interface Attacker {
  readonly pid: number;
  tally(): Promise<Tally>;
  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL'): void;
}

const ROOM = { connections: 200, sessions: 20 };
const maxConnections = ({ connections }: AbuseSize): number =>
  connections + Math.ceil(connections / 10) + ROOM.connections;

function phases(size: AbuseSize): readonly Phase[] {
  const beyond = 100;
  return [
    {
      attack: 'idle',
      count: size.connections,
      async during(server, attacker) {
        const open = await server.figure('witbox_connections');
        if (open < size.connections) return `only ${open} connections are open`;
        return expectTally(attacker, 'mute closed', Math.ceil(size.connections / 10), 15_000);
      },
    },
    {
      attack: 'idle',
      count: maxConnections(size) + beyond,
      async during(_, attacker) {
        const { refused = 0 } = await attacker.tally();
        return refused >= beyond ? null : `only ${refused} connections were refused`;
      },
    },
    {
      attack: 'sessions',
      count: size.sessions,
      async during(server) {
        const open = await server.figure('witbox_sessions');
        return open >= size.sessions ? null : `only ${open} sessions are open`;
      },
    },
    {
      attack: 'sessions',
      count: ROOM.sessions + beyond,
      during: async (_, attacker) =>
        ((await attacker.tally())['status 503'] ?? 0) > 0 ? null : 'no session was refused',
    },
    {
      attack: 'slow-writers',
      count: size.slow,
      during: (_, attacker) => expectTally(attacker, 'ended', size.slow, 15_000),
    },
    { attack: 'slow-readers', count: size.readers, during: () => sleep(size.floodMs, null) },
    {
      attack: 'half-open',
      count: size.streams,
      end: 'kill',
      async during(server, attacker) {
        attacker.signal('SIGSTOP');
        await sleep(size.floodMs);
        return (await server.figure('witbox_connections')) > 0 ? null : 'nothing was held';
      },
    },
    {
      attack: 'bad-tokens',
      count: 0,
      async during(_, attacker) {
        await sleep(size.floodMs);
        const tally = await attacker.tally();
        const wrong = Object.keys(tally).filter((what) => !/^status 4(01|29)$|^closed$/.test(what));
        return wrong.length === 0 ? null : `bad tokens got ${wrong.join(', ')}`;
      },
    },
    {
      attack: 'malformed',
      count: 0,
      async during(_, attacker) {
        await sleep(size.floodMs);
        const wrong = Object.keys(await attacker.tally()).filter((what) => /^status [5]/.test(what));
        return wrong.length === 0 ? null : `malformed messages got ${wrong.join(', ')}`;
      },
    },
  ];
}

export async function abuse(
  size: AbuseSize,
  onPhase: (report: PhaseReport) => void = () => {},
): Promise<AbuseReport> {
  const server = await startServer({
    maxConnections: maxConnections(size),
    maxSessions: size.sessions + ROOM.sessions,
    requestMs: size.requestMs,
  });
  const problems: string[] = [];
  const reports: PhaseReport[] = [];
  let honest: Honest | null = null;
  try {
    honest = startHonest(server.port, server.honestKey);
    await sleep(500);
    const before = await figuresOf(server);
    honest.take();
    for (const phase of phases(size)) {
      const report = await runPhase(phase, server, honest, problems);
      reports.push(report);
      onPhase(report);
      if (!server.alive) break;
    }
    if (server.alive) problems.push(...(await backToIdle(server, before)));
    const peak = Math.max(...reports.map(({ residentMb }) => residentMb));
    if (peak > size.residentMb) problems.push(`The broker had ${peak.toFixed(0)} MiB`);
    await honest.stop();
    problems.push(...honest.faults.slice(0, 10));
  } finally {
    const log = server.log();
    const code = await server.close();
    if (code !== 0 || problems.length > 0) problems.push(`The server ended with ${code}: ${log}`);
  }
  return { phases: reports, problems };
}

async function runPhase(
  { attack, count, during, end }: Phase,
  server: AbusedServer,
  honest: Honest,
  problems: string[],
): Promise<PhaseReport> {
  const target: Target = { port: server.port, count, key: server.attackerKey };
  const started = performance.now();
  const child = fork(join(import.meta.dirname, 'attacker.ts'), [attack, JSON.stringify(target)]);
  let residentMb = 0;
  const sampler = setInterval(() => {
    if (server.alive) residentMb = Math.max(residentMb, server.usage().residentMb);
  }, 100);
  const attacker: Attacker = {
    pid: child.pid!,
    async tally() {
      child.send('tally');
      const [tally] = (await once(child, 'message')) as [Tally];
      return tally;
    },
    signal: (name) => void child.kill(name),
  };
  const exited = once(child, 'exit');
  await Promise.race([once(child, 'message'), exited]);
  const problem = await during?.(server, attacker);
  if (problem) problems.push(`${attack} of ${count}: ${problem}`);
  const tally = end === 'kill' ? {} : await attacker.tally();
  if (end === 'kill') attacker.signal('SIGKILL');
  else child.send('end');
  await exited;
  clearInterval(sampler);
  if (!server.alive) problems.push(`${attack} of ${count}: the server is gone`);
  const latencies = honest.take();
  if (latencies.length === 0) problems.push(`${attack} of ${count}: no call was answered meanwhile`);
  const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? Number.NaN;
  return {
    attack: count > 0 ? `${attack} ${count}` : attack,
    tally,
    calls: latencies.length,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    mostMs: latencies.at(-1) ?? Number.NaN,
    residentMb,
    seconds: Math.round((performance.now() - started) / 100) / 10,
  };
}

async function expectTally(
  attacker: Attacker,
  what: string,
  least: number,
  withinMs: number,
): Promise<string | null> {
  let seen = 0;
  for (const end = Date.now() + withinMs; Date.now() < end; await sleep(200)) {
    seen = (await attacker.tally())[what] ?? 0;
    if (seen >= least) return null;
  }
  return `${what}: ${seen}, not ${least}`;
}

interface Figures {
  readonly sessions: number;
  readonly connections: number;
  readonly descriptors: number;
  /** Of objects and buffers; what the process once got from the system it may keep. */
  readonly usedMb: number;
}

/** What may be left: a connection of whoever asks, what the collector has not got to. */
const SLACK: Figures = { sessions: 0, connections: 4, descriptors: 8, usedMb: 128 };

async function figuresOf(server: AbusedServer): Promise<Figures> {
  const heap = await server.figure('nodejs_heap_size_used_bytes');
  const buffers = await server.figure('nodejs_external_memory_bytes');
  return {
    sessions: await server.figure('witbox_sessions'),
    connections: await server.figure('witbox_connections'),
    descriptors: server.usage().descriptors,
    usedMb: Math.round((heap + buffers) / (1 << 20)),
  };
}

/** Sessions end by being idle, sockets by being closed; memory comes back when the collector gets to it. */
async function backToIdle(server: AbusedServer, before: Figures): Promise<string[]> {
  let left: string[] = [];
  for (const end = Date.now() + 30_000; Date.now() < end; await sleep(250)) {
    // What nobody holds any more is collected only when there is need.
    await server.press();
    const now = await figuresOf(server);
    const names = Object.keys(SLACK) as (keyof Figures)[];
    left = names
      .filter((name) => now[name] > before[name] + SLACK[name])
      .map((name) => `${name}: ${now[name]} are left, ${before[name]} before`);
    if (left.length === 0) return [];
  }
  return left;
}

async function main(): Promise<void> {
  const started = performance.now();
  const { phases: rows, problems } = await abuse(
    process.argv.includes('--small') ? SMALL : WHOLE,
    ({ attack, tally }) => console.log(attack, JSON.stringify(tally)),
  );
  console.table(
    rows.map(({ tally: _, medianMs, p99Ms, mostMs, residentMb, ...row }) => ({
      ...row,
      'median ms': medianMs.toFixed(1),
      'p99 ms': p99Ms.toFixed(1),
      'most ms': mostMs.toFixed(0),
      'broker MiB': residentMb.toFixed(0),
    })),
  );
  console.log(`${((performance.now() - started) / 1_000).toFixed(0)} s`);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
