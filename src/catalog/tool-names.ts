// Names among components: a tool keeps its own name if it is free, a newcomer whose name is taken is shown as
// `component.function`, and the qualified name can always be called. Pure; the order of components decides.

import type { Component, ComponentTool } from './component.ts';

export interface NamedTool {
  readonly name: string;
  readonly component: Component;
  readonly tool: ComponentTool;
}

export interface ToolNames {
  /** As listed, in stable order. */
  readonly shown: readonly NamedTool[];
  /** Also by qualified name. */
  find(name: string): NamedTool | undefined;
}

const MAX_NAME = 128;

export function nameTools(components: readonly Component[], reserved: ReadonlySet<string>): ToolNames {
  const shown: NamedTool[] = [];
  const byName = new Map<string, NamedTool>();
  const qualified = new Map<string, NamedTool>();
  for (const component of components) {
    for (const tool of component.tools()) {
      const full = `${component.spec.id}.${tool.wanted}`.slice(0, MAX_NAME);
      const own = !reserved.has(tool.wanted) && !byName.has(tool.wanted);
      const name = own ? tool.wanted : free(full, byName, reserved);
      const named = { name, component, tool };
      byName.set(name, named);
      if (!qualified.has(full)) qualified.set(full, named);
      shown.push(named);
    }
  }
  return { shown, find: (name) => byName.get(name) ?? qualified.get(name) };
}

/** Only cut names can still collide. */
function free(wanted: string, taken: ReadonlyMap<string, unknown>, reserved: ReadonlySet<string>): string {
  let name = wanted;
  for (let n = 2; taken.has(name) || reserved.has(name); n++) name = `${wanted.slice(0, MAX_NAME - 6)}_${n}`;
  return name;
}
