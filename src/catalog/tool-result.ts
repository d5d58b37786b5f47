// How a call ended in its cell → what the client is told. A denial that made a call fail is an error of its own; all
// else that a guest does wrong is a tool result with `isError`, in words that say what happened and what can be done.

import type { Failure, Outcome } from '../cell/outcome.ts';
import { WitboxError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import type { ToolComplete } from './catalog.ts';

export interface Callee {
  readonly component: string;
  readonly func: string;
  readonly kind: 'component' | 'module';
}

const ADVICE: Partial<Record<Failure, string>> = {
  timeout: 'Ask for less at once, or raise the time limit of this component',
  cpu: 'Ask for less at once, or raise the cpu limit of this component',
  memory: 'Ask for less at once, or raise the memory limit of this component',
  output: 'Ask for less at once, or raise the output limit of this component',
  interrupted: 'Call it again',
  crashed: 'Call it again',
  shutdown: 'Call it again',
};

/** Throws `permission-denied` when the call failed and something was denied in it. */
export function toolResult(outcome: Outcome, callee: Callee): ToolComplete {
  if (outcome.kind === 'ok') return success(outcome.json, callee);
  const [denial] = outcome.denials;
  if (denial !== undefined && outcome.kind !== 'misfit') {
    throw new WitboxError('permission-denied', {
      component_id: callee.component,
      permission: denial.permission,
      reason: denial.reason,
    });
  }
  if (outcome.kind === 'err') {
    // Without structure: the output schema that clients hold results against describes success alone.
    const { content } = success(outcome.json, { ...callee, kind: 'component' });
    return { kind: 'complete', content, isError: true };
  }
  const advice = ADVICE[outcome.kind];
  return text(advice === undefined ? outcome.message : `${outcome.message}. ${advice}`, true);
}

function success(json: string, { component, func, kind }: Callee): ToolComplete {
  if (json === '') return text(kind === 'module' ? `WASM call finished (from ${component}::${func})` : '');
  const structured = JSON.parse(json) as Json;
  // Core modules know numbers only, so their results say where they come from.
  const words =
    kind === 'module'
      ? `WASM calculation result: ${json} (from ${component}::${func})`
      : plain(structured, json);
  return { ...text(words), structured };
}

const plain = (value: Json, json: string): string => (typeof value === 'string' ? value : json);

function text(words: string, isError = false): ToolComplete {
  const content = [{ type: 'text', text: words } as const];
  return isError ? { kind: 'complete', content, isError } : { kind: 'complete', content };
}
