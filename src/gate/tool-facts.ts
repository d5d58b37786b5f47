// What the gate has to know of a tool, found once per name and version of the list: the tool as it is shown, whose it
// is, which limits it has, and which rules for its arguments a view has. Only names that lead to a tool are kept.

import type { Catalog, Owner } from '../catalog/catalog.ts';
import type { Caller } from '../core/caller.ts';
import type { Tool } from '../core/mcp.ts';
import type { View } from './access/access.ts';
import type { ArgumentCheck } from './access/rule.ts';
import { spellingsOf, type Wanted, wantedOf } from './access/wanted.ts';
import type { CallLimits, ToolLimit } from './limits/call-limits.ts';

export interface ToolFacts {
  readonly tool: Tool;
  readonly owner: Owner;
  /** Under the name that it is shown by, whatever name it was asked for by. */
  readonly wanted: Wanted;
  readonly limits: readonly ToolLimit[];
  checks(view: View): readonly ArgumentCheck[];
}

export function createToolFacts(catalog: Catalog, limits: CallLimits) {
  const known = new Map<string, ToolFacts>();
  let version = '';
  let generation = limits.generation;
  return {
    find(caller: Caller, name: string): ToolFacts | undefined {
      const now = catalog.tools(caller).version;
      if (now !== version || generation !== limits.generation) {
        known.clear();
        version = now;
        generation = limits.generation;
      }
      const found = known.get(name);
      if (found !== undefined) return found;
      const tool = catalog.tool(caller, name);
      const owner = catalog.owner('tool', name);
      if (tool === undefined || owner === undefined) return undefined;
      const facts = describe(tool, owner, limits);
      known.set(name, facts);
      return facts;
    },
  };
}

function describe(tool: Tool, owner: Owner, limits: CallLimits): ToolFacts {
  const wanted = wantedOf('tool', tool.name, owner);
  const checks = new WeakMap<View, readonly ArgumentCheck[]>();
  return {
    tool,
    owner,
    wanted,
    limits: limits.forTool(spellingsOf(wanted).denied),
    checks(view) {
      let found = checks.get(view);
      if (found === undefined) {
        found = view.argumentChecks(wanted);
        checks.set(view, found);
      }
      return found;
    },
  };
}
