// What can be told about a loaded component: for lists, for the metadata resource, for troubleshooting.

import type { JsonObject } from '../core/json.ts';
import type { Component } from './component.ts';

/** Where a component came from, without the folders of this machine. */
export function shownSource(source: string): string {
  return source.startsWith('file:') ? `file:${source.slice(source.lastIndexOf('/') + 1)}` : source;
}

/** Short, for lists. */
export function describeComponent({ spec, tools }: Component): JsonObject {
  return {
    id: spec.id,
    digest: spec.digest,
    source: shownSource(spec.source),
    tools: tools().map(({ wanted }) => wanted),
  };
}

export function componentConfig({ spec }: Component): JsonObject {
  return {
    id: spec.id,
    source: shownSource(spec.source),
    instance: spec.instance,
    sidecar: spec.sidecar ?? null,
  };
}

export function componentMetadata({ spec, tools, leftovers, imports, log }: Component): JsonObject {
  const { memory, time, cpu, output } = spec.policy().limits;
  const { calls, failures, denials, milliseconds } = log.counters;
  return {
    id: spec.id,
    digest: spec.digest,
    size: spec.size,
    source: shownSource(spec.source),
    imports,
    tools: tools().map(({ wanted, tool }) => ({
      name: wanted,
      ...(tool.description === undefined ? {} : { description: tool.description }),
    })),
    notTools: leftovers.map(({ path, reason }) => ({ function: path.join('/'), reason })),
    limits: { memoryBytes: memory, timeMs: time, cpuMs: cpu, outputBytes: output },
    counters: { calls, failures, denials, milliseconds: Math.round(milliseconds) },
  };
}
