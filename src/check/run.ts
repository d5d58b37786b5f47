// The matrix: every transport the target offers, times every revision it speaks there, times every check that applies.
// A check that throws or runs out of time says so as a skip; nothing a server does ends the run.

import { type BenchOptions, createBench } from './bench.ts';
import { type Conversation, openConversation } from './conversation.ts';
import { type Address, openLink } from './link.ts';
import { resultOf } from './message.ts';
import {
  type Check,
  type Finding,
  isModern,
  REVISIONS,
  type Revision,
  skip,
  type Transport,
  type Verdict,
} from './model.ts';
import { CHECKS } from './registry.ts';

export interface RunOptions extends BenchOptions {
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** Only these revisions are checked, though all are probed. */
  readonly revisions?: readonly Revision[];
  readonly onFinding?: (finding: Finding, done: number, total: number) => void;
}

export interface Report {
  readonly reached: readonly { readonly transport: Transport; readonly revisions: readonly Revision[] }[];
  readonly unreached: readonly { readonly transport: Transport; readonly reason: string }[];
  readonly server: { readonly name: string; readonly version: string } | null;
  readonly findings: readonly Finding[];
}

const CHECK_LIMIT = 15_000;

export async function runChecks(addresses: readonly Address[], options: RunOptions): Promise<Report> {
  const reached: { address: Address; transport: Transport; revisions: Revision[] }[] = [];
  const unreached: { transport: Transport; reason: string }[] = [];
  let server: Report['server'] = null;
  const claimed = new Set<Revision>();

  for (const address of addresses) {
    const probe = await probeRevisions(address, options.milliseconds);
    for (const revision of [...probe.revisions, ...probe.named]) claimed.add(revision);
    server ??= probe.server;
    const { transport } = address;
    if (probe.revisions.length === 0) unreached.push({ transport, reason: probe.reason });
    else reached.push({ address, transport, revisions: probe.revisions });
  }

  const cells = reached.flatMap(({ address, revisions }) =>
    revisions
      .filter((revision) => options.revisions?.includes(revision) ?? true)
      .map((revision) => ({
        address,
        revision,
        supported: revisions,
        checks: applicable(address.transport, revision, options),
      })),
  );
  const total = cells.reduce((sum, cell) => sum + cell.checks.length, 0);
  const findings: Finding[] = [];
  for (const cell of cells) {
    await runCell(cell, [...claimed], options, (finding) => {
      findings.push(finding);
      options.onFinding?.(finding, findings.length, total);
    });
  }
  return {
    reached: reached.map(({ transport, revisions }) => ({ transport, revisions })),
    unreached,
    server,
    findings,
  };
}

interface MatrixCell {
  readonly address: Address;
  readonly revision: Revision;
  readonly supported: readonly Revision[];
  readonly checks: readonly Check[];
}

async function runCell(
  cell: MatrixCell,
  claimed: readonly Revision[],
  options: RunOptions,
  report: (finding: Finding) => void,
): Promise<void> {
  let conversation: Conversation | null = null;
  for (const check of cell.checks) {
    const started = performance.now();
    // A check may have ended the shared conversation; the next one gets a new one.
    if (conversation === null || conversation.link.inbox?.ended) {
      await conversation?.close();
      conversation = await open(cell.address, cell.revision, options.milliseconds);
    }
    const verdict =
      conversation === null
        ? skip('The server no longer opens a conversation at this revision')
        : await runCheck(check, cell, conversation, claimed, options);
    report({
      check,
      transport: cell.address.transport,
      revision: cell.revision,
      verdict,
      milliseconds: performance.now() - started,
    });
  }
  await conversation?.close();
}

async function runCheck(
  check: Check,
  cell: MatrixCell,
  conversation: Conversation,
  claimed: readonly Revision[],
  options: RunOptions,
): Promise<Verdict> {
  const bench = createBench(cell.address, conversation, { supported: cell.supported, claimed }, options);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Verdict>((resolve) => {
    timer = setTimeout(() => resolve(skip(`Not finished within ${CHECK_LIMIT / 1_000} s`)), CHECK_LIMIT);
  });
  try {
    return await Promise.race([check.run(bench), late]);
  } catch (error) {
    return skip(`The check could not be made: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
    await bench.close();
  }
}

function applicable(transport: Transport, revision: Revision, { only, skip: without }: RunOptions): Check[] {
  return CHECKS.filter(
    (check) =>
      check.transports.includes(transport) &&
      check.revisions.includes(revision) &&
      (only.length === 0 || only.includes(check.id)) &&
      !without.includes(check.id),
  );
}

async function open(
  address: Address,
  revision: Revision,
  milliseconds: number,
): Promise<Conversation | null> {
  const link = await openLink(address, milliseconds);
  const conversation = await openConversation(link, revision, { milliseconds });
  if (conversation === null) await link.close();
  return conversation;
}

async function probeRevisions(address: Address, milliseconds: number) {
  const revisions: Revision[] = [];
  const named = new Set<Revision>();
  let server: Report['server'] = null;
  let reason = 'no revision of MCP could be opened';
  for (const revision of REVISIONS) {
    const link = await openLink(address, milliseconds);
    const conversation = await openConversation(link, revision, { milliseconds });
    if (conversation === null) {
      reason = link.inbox?.ended ?? reason;
      await link.close();
      continue;
    }
    revisions.push(revision);
    const result = resultOf(conversation.opening.answer)!;
    server ??= identity(result.serverInfo);
    if (isModern(revision))
      for (const one of REVISIONS) if ((result.supportedVersions as unknown[]).includes(one)) named.add(one);
    await conversation.close();
  }
  return { revisions, named: [...named], server, reason };
}

function identity(info: unknown): Report['server'] {
  const { name, version } = (info ?? {}) as { name?: unknown; version?: unknown };
  return typeof name === 'string' && typeof version === 'string' ? { name, version } : null;
}
