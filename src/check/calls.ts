// Calls each harmless tool once, with a progress token, and keeps what came back: many checks look at the same answers.
// Bounded in number and in time, since a tool may take as long as it likes.

import type { Callable } from './bench.ts';
import type { Conversation } from './conversation.ts';
import type { Exchange } from './link.ts';

export interface ToolCall extends Callable {
  readonly token: string;
  readonly exchange: Exchange;
  readonly milliseconds: number;
}

const MAX_TOOLS = 20;
const BUDGET = 6_000;

export async function callTools(
  conversation: Conversation,
  tools: readonly Callable[],
  milliseconds: number,
): Promise<readonly ToolCall[]> {
  const calls: ToolCall[] = [];
  const started = performance.now();
  for (const tool of tools.slice(0, MAX_TOOLS)) {
    const left = BUDGET - (performance.now() - started);
    if (left <= 0) break;
    const token = `witbox-check-${calls.length + 1}`;
    const before = performance.now();
    const exchange = await conversation.request(
      'tools/call',
      { name: tool.name, arguments: tool.arguments, _meta: { progressToken: token } },
      { milliseconds: Math.min(milliseconds, Math.max(left, 1_000)), headers: tool.headers },
    );
    const ended = exchange.answer?.at ?? performance.now();
    calls.push({ ...tool, token, exchange, milliseconds: ended - before });
    if (exchange.answer === null && conversation.link.inbox?.ended) break;
  }
  return calls;
}
