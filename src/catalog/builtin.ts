// Built-in tools: how one is called, and how arguments that do not fit a schema are told.

import { WitboxError } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { describe } from '../core/json-schema/fault.ts';
import type { Schema } from '../core/json-schema/references.ts';
import { createValidator, type Validate } from '../core/json-schema/validate.ts';
import type { Tool } from '../core/mcp.ts';
import type { ToolComplete } from './catalog.ts';

export interface BuiltinTool {
  readonly tool: Tool;
  run(args: JsonObject): Promise<Json>;
}

/** A tool result that names the path and the rule; null if the arguments fit. */
export function misfitResult(check: Validate | null, args: JsonObject): ToolComplete | null {
  const fault = check?.(args) ?? null;
  return fault === null ? null : told(`Arguments do not fit: ${describe(fault)} (${fault.rule})`, true);
}

export async function runBuiltin({ tool, run }: BuiltinTool, args: JsonObject): Promise<ToolComplete> {
  const misfit = misfitResult(createValidator(tool.inputSchema as Schema), args);
  if (misfit !== null) return misfit;
  try {
    const result = await run(args);
    return { ...told(JSON.stringify(result, null, 2)), structured: result };
  } catch (error) {
    if (error instanceof WitboxError) return told(error.message, true);
    throw error;
  }
}

function told(text: string, isError = false): ToolComplete {
  const content = [{ type: 'text', text } as const];
  return isError ? { kind: 'complete', content, isError } : { kind: 'complete', content };
}
