// Yes or no, with the rule, for a permission written as a person writes it. What `witbox policy explain` prints.

import { type Decision, decide } from './decide.ts';
import { parsePermission } from './permission.ts';
import type { Policy } from './policy.ts';

/** One decision, or two for a storage permission that does not say whether to read or to write. */
export function explain(policy: Policy, permission: string): readonly Decision[] {
  return parsePermission(permission).map((request) => decide(policy, request));
}
