// The matrix: every transport the target offers, times every revision it speaks there, times every check that applies.
// Cells run side by side, each in conversations of its own; what disturbs others runs last and alone.

import type { BenchOptions, Known } from './bench.ts';
import { type MatrixCell, runCell } from './cell.ts';
import type { Conversation } from './conversation.ts';
import type { Address } from './link.ts';
import { type Check, type Finding, levelOf, REVISIONS, type Revision, type Transport } from './model.ts';
import { type Probe, probe, type ServerName } from './probe.ts';
import { CHECKS } from './registry.ts';

export interface RunOptions extends BenchOptions {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Leave out what is good practice beyond the text. */
  readonly noPractice?: boolean;
  /** Only these revisions are tried; without it, all. */
  readonly revisions?: readonly Revision[];
  /** Ends the run early; what was found until then is reported. */
  readonly signal?: AbortSignal;
  /** How long a server may take to start; four times the time for an answer without it. */
  readonly starting?: number;
  /** Cells that run side by side. */
  readonly concurrency?: number;
  readonly onFinding?: (finding: Finding, done: number, total: number) => void;
}

export interface Report {
  readonly reached: readonly { readonly transport: Transport; readonly revisions: readonly Revision[] }[];
  readonly unreached: readonly { readonly transport: Transport; readonly reason: string }[];
  readonly server: ServerName | null;
  readonly findings: readonly Finding[];
  /** Which checker made it, and when. */
  readonly made?: { readonly by: string; readonly on: string };
}

const CONCURRENCY = 4;

interface Reached {
  readonly address: Address;
  readonly probe: Probe;
  readonly known: Known;
}

export async function runChecks(addresses: readonly Address[], options: RunOptions): Promise<Report> {
  const revisions = options.revisions ?? REVISIONS;
  const probes = await Promise.all(
    addresses.map(async (address) => ({
      address,
      probe: await probe(address, revisions, options),
    })),
  );
  const reached = know(probes.filter((one) => one.probe.open.size > 0));
  const cells = reached.flatMap((one) => matrixCells(one, options));
  const last = reached.flatMap((one) => finalCells(one, 'once', options));
  const alone = reached.flatMap((one) => finalCells(one, 'alone', options));

  const total = [...cells, ...last, ...alone].reduce((sum, { checks }) => sum + checks.length, 0);
  const findings: Finding[] = [];
  const report = (finding: Finding) => {
    findings.push(finding);
    options.onFinding?.(finding, findings.length, total);
  };
  const conversations = new Map(
    reached.flatMap((one) => [...one.probe.open.values()].map((open) => [keyOf(one.address, open), open])),
  );
  const run = (cell: MatrixCell): Promise<void> => {
    const key = `${addresses.indexOf(cell.address)} ${cell.revision}`;
    const conversation = conversations.get(key) ?? null;
    conversations.delete(key);
    return runCell(cell, conversation, options, report);
  };
  const width = options.concurrency ?? CONCURRENCY;
  await inParallel([...cells, ...last], width, run);
  await inParallel(alone, 1, run);
  await Promise.all([...conversations.values()].map((left) => left.close()));

  return {
    reached: reached.map((one) => ({
      transport: one.address.transport,
      revisions: [...one.probe.open.keys()],
    })),
    unreached: probes
      .filter((one) => one.probe.open.size === 0)
      .map((one) => ({ transport: one.address.transport, reason: one.probe.reason })),
    server: probes.find((one) => one.probe.server !== null)?.probe.server ?? null,
    findings: findings.sort(byPlace(addresses)),
  };

  function keyOf(address: Address, { revision }: Conversation): string {
    return `${addresses.indexOf(address)} ${revision}`;
  }
}

/** What one transport shows, the others are measured by. */
function know(probes: readonly { readonly address: Address; readonly probe: Probe }[]): Reached[] {
  const claimed = new Set(probes.flatMap((one) => [...one.probe.open.keys(), ...one.probe.named]));
  const seen: Known['seen'] = new Map();
  const transports = probes.map((one) => one.address.transport);
  return probes.map((one) => ({
    ...one,
    known: {
      supported: [...one.probe.open.keys()],
      probed: one.probe.probed,
      claimed: [...claimed],
      seen,
      transports,
      opening: one.probe.opening,
    },
  }));
}

function matrixCells({ address, probe: { open }, known }: Reached, options: RunOptions): MatrixCell[] {
  return [...open.keys()].map((revision) => ({
    address,
    revision,
    known,
    checks: chosen(address.transport, options).filter(
      (check) => (check.scope ?? 'cell') === 'cell' && applies(check, revision, options),
    ),
  }));
}

/** The checks of this scope, each at the newest revision it applies to. */
function finalCells(
  { address, probe: { open }, known }: Reached,
  scope: 'once' | 'alone',
  options: RunOptions,
): MatrixCell[] {
  const newest = [...open.keys()].reverse();
  const groups = Map.groupBy(
    chosen(address.transport, options).filter((check) => check.scope === scope),
    (check) => newest.find((revision) => applies(check, revision, options)),
  );
  return [...groups]
    .filter((group): group is [Revision, Check[]] => group[0] !== undefined)
    .map(([revision, checks]) => ({ address, revision, known, checks }));
}

function chosen(transport: Transport, { only, skip }: RunOptions): Check[] {
  return CHECKS.filter(
    (check) =>
      check.transports.includes(transport) &&
      (only.length === 0 || only.includes(check.id)) &&
      !skip.includes(check.id),
  );
}

function applies(check: Check, revision: Revision, { noPractice = false }: RunOptions): boolean {
  return check.revisions.includes(revision) && !(noPractice && levelOf(check, revision) === 'practice');
}

async function inParallel<T>(
  items: readonly T[],
  width: number,
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, width) }, worker));
}

function byPlace(addresses: readonly Address[]): (a: Finding, b: Finding) => number {
  const place = ({ transport, revision, check }: Finding): number =>
    (addresses.findIndex((one) => one.transport === transport) * REVISIONS.length +
      REVISIONS.indexOf(revision)) *
      CHECKS.length +
    CHECKS.indexOf(check);
  return (a, b) => place(a) - place(b);
}
