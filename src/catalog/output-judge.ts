// Results against the schema that a tool was shown with, before the client sees them.

import { describe } from '../core/json-schema/fault.ts';
import type { Schema } from '../core/json-schema/references.ts';
import { createValidator } from '../core/json-schema/validate.ts';
import type { Tool } from '../core/mcp.ts';
import type { ToolOutcome } from './catalog.ts';

/** What is wrong with an outcome, in words; null if it fits. */
export type OutputJudge = (outcome: ToolOutcome) => string | null;

/** A client believes the schema it was shown. */
export function outputJudge({ name, outputSchema }: Tool): OutputJudge | null {
  if (outputSchema === undefined) return null;
  const validate = createValidator(outputSchema as Schema);
  return (outcome) => {
    if (outcome.kind !== 'complete' || outcome.isError) return null;
    if (outcome.structured === undefined)
      return `"${name}" has an output schema and gave no structured result`;
    const fault = validate(outcome.structured);
    return fault === null
      ? null
      : `the result of "${name}" does not fit its output schema: ${describe(fault)}`;
  };
}
