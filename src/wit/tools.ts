// Which tools a component offers: every exported function, by itself or in an exported interface, with a name that MCP
// allows, its schemas and its docs, in the order of the binary. What cannot be a tool is told with the reason.
// Names here are unique within the component; the catalog makes them unique among components.

import { WitboxError } from '../core/errors.ts';
import { funcDocs, mergeToolDocs, type PackageDocs, type ToolDocs } from './docs.ts';
import { nominalKey, parseFuncName, parseInterfaceName } from './name.ts';
import { inputSchema, outputSchema, type Schema, type TypeDocs } from './schema.ts';
import { createTypeSearch } from './search.ts';
import type { ComponentType, FuncType, ValType } from './type.ts';

const MAX_NAME = 128;

export interface Tool {
  readonly name: string;
  /** Where the function is: its export name, or interface and function. */
  readonly path: readonly string[];
  readonly func: FuncType;
  readonly inputSchema: Schema;
  /** Null if a call gives nothing. */
  readonly outputSchema: Schema | null;
  readonly docs: ToolDocs;
  /** Gives or takes handles, which live only as long as their instance: needs `instance: session`. */
  readonly stateful: boolean;
}

/** An exported function that cannot be a tool. */
export interface Leftover {
  readonly path: readonly string[];
  readonly reason: string;
}

export interface ToolOptions {
  readonly docs?: PackageDocs | null;
  /** Words from beside the component, which win over those in it. */
  override?(path: readonly string[]): ToolDocs | undefined;
}

export interface ToolList {
  readonly tools: readonly Tool[];
  readonly leftovers: readonly Leftover[];
}

export function listTools(type: ComponentType, options: ToolOptions = {}): ToolList {
  const search = createTypeSearch();
  const describe = typeDescriber(type, options.docs ?? null);
  const imported = new Set(type.importedResources);
  const taken = new Set<string>();
  const tools: Tool[] = [];
  const leftovers: Leftover[] = [];
  for (const { path, func } of exportedFuncs(type)) {
    const types = [...func.params.map((param) => param.type), ...(func.result ? [func.result] : [])];
    const handles = search.resources(types);
    if (isInternal(path.at(-1)!, func)) {
      leftovers.push({ path, reason: 'is for the toolchain, not for callers' });
    } else if (search.needsAsync(types)) {
      leftovers.push({
        path,
        reason: 'uses a stream, a future or an error-context, which JSON cannot carry',
      });
    } else if ([...handles].some((resource) => imported.has(resource))) {
      leftovers.push({ path, reason: 'uses handles of resources that only the host could make' });
    } else {
      try {
        const interfaceName = path.length > 1 ? path[0]! : null;
        const written = funcDocs(options.docs?.func(interfaceName, path.at(-1)!), func);
        const docs = mergeToolDocs(written, options.override?.(path));
        const schemas = {
          inputSchema: inputSchema(func, { describe }, docs.params),
          outputSchema: outputSchema(func, { describe }),
        };
        tools.push({ name: toolName(path, taken), path, func, ...schemas, docs, stateful: handles.size > 0 });
      } catch (error) {
        if (!(error instanceof WitboxError)) throw error;
        leftovers.push({ path, reason: error.message });
      }
    }
  }
  return { tools, leftovers };
}

function* exportedFuncs(type: ComponentType): Generator<{ path: readonly string[]; func: FuncType }> {
  for (const [name, item] of type.exports) {
    if (item.kind === 'func') yield { path: [name], func: item.type };
    if (item.kind !== 'instance') continue;
    for (const [inner, member] of item.type.exports) {
      if (member.kind === 'func') yield { path: [name, inner], func: member.type };
    }
  }
}

/**
 * Names with underscores occur in core modules only, where linkers export start-up and allocation code. JavaScript
 * components on QuickJS still export the function that took their script in when they were built.
 */
function isInternal(name: string, { params }: FuncType): boolean {
  if (name === 'init') return params[0]?.name === 'shim' && params[1]?.name === 'script';
  return name.startsWith('__') || name === '_initialize' || name.startsWith('cabi_');
}

/** The shortest name that is free: the function's own, then with its interface, package, namespace, version. */
function toolName(path: readonly string[], taken: Set<string>): string {
  const { resource, name } = parseFuncName(path.at(-1)!);
  const own = resource === null ? name : `${resource}.${name}`;
  const outer = path.length > 1 ? qualifiers(path[0]!) : [];
  const candidates = [own, ...outer.map((_, i) => [...outer.slice(0, i + 1).reverse(), own].join('.'))];
  for (const candidate of candidates.map(allowed)) {
    if (taken.has(candidate)) continue;
    taken.add(candidate);
    return candidate;
  }
  const last = allowed(candidates.at(-1)!);
  for (let n = 2; ; n++) {
    const numbered = `${last.slice(0, MAX_NAME - 8)}_${n}`;
    if (taken.has(numbered)) continue;
    taken.add(numbered);
    return numbered;
  }
}

/** Innermost first: `b:c/d@1.0.0` gives d, c, b, and the version last. */
function qualifiers(interfaceName: string): string[] {
  const parsed = parseInterfaceName(interfaceName);
  if (!parsed) return [interfaceName];
  const [namespace, name] = parsed.package.split(':');
  return [parsed.interface, name!, namespace!, ...(parsed.version === null ? [] : [parsed.version])];
}

function allowed(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]/gu, '_').slice(0, MAX_NAME) || '_';
}

/** Finds the docs of a type wherever it is mentioned, by the interface that introduced it. */
function typeDescriber(
  type: ComponentType,
  docs: PackageDocs | null,
): (type: ValType) => TypeDocs | undefined {
  const known = new Map<object, TypeDocs>();
  const note = (interfaceName: string | null, name: string, defined: ValType): void => {
    const key = nominalKey(defined);
    const words = docs?.type(interfaceName, name);
    if (key && words && !known.has(key)) known.set(key, words);
  };
  for (const [name, item] of docs === null ? [] : [...type.imports, ...type.exports]) {
    if (item.kind === 'type' && item.type.kind === 'value') note(null, name, item.type.type);
    if (item.kind !== 'instance') continue;
    for (const [inner, member] of item.type.exports) {
      if (member.kind === 'type' && member.type.kind === 'value') note(name, inner, member.type.type);
    }
  }
  return (mentioned) => {
    const key = nominalKey(mentioned);
    return key ? known.get(key) : undefined;
  };
}
