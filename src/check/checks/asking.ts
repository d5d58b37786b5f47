// Finds a tool that asks its client for input at 2026-07-28, where the client says that it can give everything.

import { type Bench, type Callable, callParams } from '../bench.ts';
import type { Exchange } from '../link.ts';
import { type JsonObject, resultOf } from '../message.ts';

export const ALL_INPUT = { elicitation: {}, sampling: {}, roots: {} };
const MOST_TOOLS = 10;

export interface Asking {
  readonly tool: Callable;
  readonly result: JsonObject;
  readonly exchange: Exchange;
}

export async function askingTool(bench: Bench): Promise<Asking | null> {
  for (const tool of (await bench.callables()).slice(0, MOST_TOOLS)) {
    const exchange = await bench.conversation.request('tools/call', callParams(tool), {
      capabilities: ALL_INPUT,
      headers: tool.headers,
    });
    const result = resultOf(exchange.answer);
    if (result?.resultType === 'input_required') return { tool, result, exchange };
  }
  return null;
}
