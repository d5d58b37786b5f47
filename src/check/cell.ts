// One cell of the matrix: the checks of one transport at one revision, one after the other, over one conversation that
// is replaced when it breaks. A check that throws or runs out of time says so as a skip; nothing a server does ends it.

import { type BenchOptions, createBench, type Known } from './bench.ts';
import { type Conversation, openConversation } from './conversation.ts';
import { type Address, openLink } from './link.ts';
import { type Check, type Finding, type Revision, skip, type Verdict } from './model.ts';

export interface MatrixCell {
  readonly address: Address;
  readonly revision: Revision;
  readonly checks: readonly Check[];
  readonly known: Known;
}

const CHECK_LIMIT = 15_000;
/** A server that had to be opened anew this often is not worth more of anybody's time. */
const MAX_DEATHS = 4;

/** Takes over the conversation and closes it in the end. */
export async function runCell(
  cell: MatrixCell,
  first: Conversation | null,
  options: BenchOptions & { readonly signal?: AbortSignal },
  report: (finding: Finding) => void,
): Promise<void> {
  const isOver = () => options.signal?.aborted === true;
  let conversation = first ?? (isOver() ? null : await reopen(cell, options));
  let deaths = 0;
  const owned =
    conversation === null ? null : createBench(cell.address, () => conversation!, cell.known, options);

  for (const check of cell.checks) {
    if (isOver()) break;
    const started = performance.now();
    if (conversation?.link.inbox?.ended) {
      deaths++;
      await conversation.close();
      conversation = null;
    }
    if (conversation === null && deaths < MAX_DEATHS) conversation = await reopen(cell, options);
    let verdict: Verdict;
    if (conversation === null || owned === null) {
      verdict = skip('The server has stopped answering at this revision');
    } else {
      verdict = await runCheck(check, owned.bench, options);
      const slow = performance.now() - started > options.milliseconds;
      if (slow && verdict.status !== 'pass' && (await isDead(conversation))) {
        deaths++;
        await conversation.close();
        conversation = null;
      }
      await owned.sweep(verdict.status !== 'pass');
    }
    report({
      check,
      transport: cell.address.transport,
      revision: cell.revision,
      verdict,
      milliseconds: performance.now() - started,
    });
  }
  await owned?.close();
  await conversation?.close();
}

async function isDead(conversation: Conversation): Promise<boolean> {
  return (await conversation.fence()).answer === null;
}

async function runCheck(
  check: Check,
  bench: Parameters<Check['run']>[0],
  { milliseconds, signal }: BenchOptions & { readonly signal?: AbortSignal },
): Promise<Verdict> {
  const limit = Math.max(CHECK_LIMIT, 3 * milliseconds);
  const { promise: late, resolve } = Promise.withResolvers<Verdict>();
  const timer = setTimeout(() => resolve(skip(`Not finished within ${limit / 1_000} s`)), limit);
  const end = () => resolve(skip('The run was ended'));
  signal?.addEventListener('abort', end);
  try {
    return await Promise.race([check.run(bench), late]);
  } catch (error) {
    return skip(`The check could not be made: ${(error as Error).message}`);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

async function reopen(
  { address, revision, known: { opening } }: MatrixCell,
  { milliseconds }: BenchOptions,
): Promise<Conversation | null> {
  const link = await openLink(address, opening);
  const conversation = await openConversation(link, revision, { milliseconds, opening });
  if (conversation === null) await link.close();
  return conversation;
}
