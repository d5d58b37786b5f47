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
  const lastNumbers = new Map<string, number>();
  const all = components.flatMap((component) =>
    component.tools().map((tool) => {
      const full = `${component.spec.id}.${tool.wanted}`.slice(0, MAX_NAME);
      return { component, tool, full };
    }),
  );
  const owners = new Map(all.map(({ full, component }) => [full, component]));

  /** The qualified name of another component's tool is never free, shown or not. */
  const isFree = (name: string, component: Component): boolean =>
    !reserved.has(name) && !byName.has(name) && (owners.get(name) ?? component) === component;

  /** Only cut names and tools that share a name within a component need a number. */
  function numbered(full: string, component: Component): string {
    let number = lastNumbers.get(full) ?? 1;
    let name = full;
    while (!isFree(name, component)) name = `${full.slice(0, MAX_NAME - 6)}_${++number}`;
    lastNumbers.set(full, number);
    return name;
  }

  for (const { component, tool, full } of all) {
    const name = isFree(tool.wanted, component) ? tool.wanted : numbered(full, component);
    const named = { name, component, tool };
    byName.set(name, named);
    if (!qualified.has(full)) qualified.set(full, named);
    shown.push(named);
  }
  return { shown, find: (name) => byName.get(name) ?? qualified.get(name) };
}
