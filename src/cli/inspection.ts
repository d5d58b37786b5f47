// Everything there is to know about a component or core module before running it, as plain data. Nothing of the guest
// runs. A component that this version cannot run (WASI 0.3) is described all the same.

import { createHash } from 'node:crypto';
import { WitboxError } from '../core/errors.ts';
import type { ComponentAst, CustomSection } from '../engine/decode/ast.ts';
import { decodeComponent } from '../engine/decode/component.ts';
import { type Producer, readComponentName, readCoreNames, readProducers } from '../engine/decode/names.ts';
import { sniff } from '../engine/decode/sniff.ts';
import { type Compiled, compile } from '../engine/engine.ts';
import type { ComponentPlan } from '../engine/plan.ts';
import { validateComponent } from '../engine/validate/component.ts';
import { type PackageDocs, parsePackageDocs } from '../wit/docs.ts';
import type { Schema } from '../wit/schema.ts';
import { createSignatures } from '../wit/signature.ts';
import { cleanText } from '../wit/text.ts';
import { type Leftover, listTools } from '../wit/tools.ts';
import type { ComponentType, CoreExternType, CoreImport } from '../wit/type.ts';
import { coreMeaningOf, type Meaning, meaningOf } from './meaning.ts';

interface InspectedTool {
  readonly name: string;
  readonly path: readonly string[];
  readonly signature: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema | null;
  readonly stateful: boolean;
}

export interface Inspection {
  readonly kind: 'component' | 'module';
  readonly name: string | null;
  readonly docs: string | null;
  readonly bytes: number;
  readonly digest: string;
  readonly coreModules: { readonly count: number; readonly bytes: number };
  readonly producers: readonly Producer[];
  /** Why this version cannot run it, or null. */
  readonly unsupported: string | null;
  /** Built-ins of WASI 0.3 that it has inside; a call that reaches one may fail. */
  readonly asyncBuiltins: readonly string[];
  readonly tools: readonly InspectedTool[];
  readonly leftovers: readonly Leftover[];
  readonly imports: readonly { readonly name: string; readonly meaning: Meaning }[];
  /** What must be granted for all of it to work. */
  readonly permissions: readonly Meaning[];
}

/** What the file is, told apart from how it is shown. */
interface Opened {
  readonly kind: 'component' | 'module';
  readonly type: ComponentType;
  readonly sections: readonly CustomSection[];
  readonly unsupported: string | null;
  readonly asyncBuiltins: readonly string[];
  readonly coreImports: readonly CoreImport[];
  readonly coreExports: readonly { readonly name: string; readonly type: CoreExternType }[];
  readonly modules: readonly Uint8Array[];
}

export interface Inspected {
  readonly inspection: Inspection;
  readonly type: ComponentType;
  readonly docs: PackageDocs | null;
}

export async function inspect(bytes: Uint8Array): Promise<Inspected> {
  const opened = await open(bytes);
  const { kind, type, sections } = opened;
  const section = sections.find(({ name }) => name === 'package-docs');
  const docs = section ? parsePackageDocs(section.bytes) : null;
  const signature = createSignatures(type);
  const { tools, leftovers } = listTools(type, { docs });
  const imports = importsOf(opened);
  const inspection: Inspection = {
    kind,
    name: nameOf(kind, sections),
    docs: docs?.docs ?? null,
    bytes: bytes.length,
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
    coreModules: {
      count: opened.modules.length,
      bytes: opened.modules.reduce((sum, module) => sum + module.length, 0),
    },
    producers: (readProducers(sections) ?? []).map((one) => ({
      role: cleanText(one.role, 100),
      name: cleanText(one.name, 100),
      version: cleanText(one.version, 100),
    })),
    unsupported: opened.unsupported,
    asyncBuiltins: opened.asyncBuiltins,
    tools: tools.map((tool) => ({
      name: tool.name,
      path: tool.path,
      signature: signature(tool.func),
      ...(tool.docs.title !== undefined && { title: tool.docs.title }),
      ...(tool.docs.description !== undefined && { description: tool.docs.description }),
      inputSchema: tool.inputSchema,
      outputSchema: tool.outputSchema,
      stateful: tool.stateful,
    })),
    leftovers: [...leftovers, ...unfitCoreExports(opened)],
    imports,
    permissions: (['network', 'storage', 'environment', 'keyvalue'] as const).filter((meaning) =>
      imports.some((one) => one.meaning === meaning),
    ),
  };
  return { inspection, type, docs };
}

async function open(bytes: Uint8Array): Promise<Opened> {
  if (sniff(bytes) === 'module') return openModule(await compile(bytes), bytes);
  const ast = decodeComponent(bytes);
  const plan = validateComponent(ast);
  return {
    kind: 'component',
    type: plan.type,
    sections: ast.customs,
    unsupported: await whyNotRunnable(bytes),
    asyncBuiltins: [...new Set(builtinsOf(plan))].sort(),
    coreImports: [],
    coreExports: [],
    modules: modulesOf(ast),
  };
}

function openModule(compiled: Compiled, bytes: Uint8Array): Opened {
  const { kind, type, sections } = compiled;
  const isModule = compiled.kind === 'module';
  return {
    kind,
    type,
    sections,
    unsupported: null,
    asyncBuiltins: [],
    coreImports: isModule ? compiled.coreImports : [],
    coreExports: isModule ? (compiled.value.type?.exports ?? []) : [],
    modules: [bytes],
  };
}

/** Compiles it as for running, which also lets V8 check the core modules. */
async function whyNotRunnable(bytes: Uint8Array): Promise<string | null> {
  try {
    await compile(bytes);
    return null;
  } catch (error) {
    if (error instanceof WitboxError && error.code === 'needs-async') return error.message;
    throw error;
  }
}

function builtinsOf(plan: ComponentPlan): string[] {
  return plan.steps.flatMap((step) => {
    if (step.op === 'builtin') return [step.canon.name];
    return step.op === 'component' ? builtinsOf(step.plan) : [];
  });
}

function modulesOf(ast: ComponentAst): Uint8Array[] {
  return ast.definitions.flatMap((one) =>
    one.kind === 'core module' ? [one.bytes] : one.kind === 'component' ? modulesOf(one.component) : [],
  );
}

function nameOf(kind: Opened['kind'], sections: readonly CustomSection[]): string | null {
  const name =
    kind === 'component'
      ? readComponentName(sections)
      : (readCoreNames(sections, () => false)?.module ?? null);
  return name && cleanText(name, 200);
}

function importsOf({ type, coreImports }: Opened): Inspection['imports'] {
  const names = [...type.imports].filter(([, item]) => item.kind !== 'type').map(([name]) => name);
  return [
    ...names.map((name) => ({ name, meaning: meaningOf(name) })),
    ...coreImports.map(({ module, name }) => ({
      name: cleanText(`${module} ${name}`, 200),
      meaning: coreMeaningOf(module, name),
    })),
  ];
}

/** Functions of a core module on other things than numbers. */
function unfitCoreExports({ type, coreExports }: Opened): Leftover[] {
  return coreExports.flatMap(({ name, type: item }) => {
    if (item.kind !== 'func' || type.exports.has(name)) return [];
    const { params, results } = item.type;
    const spelt = cleanText(`(${params.join(', ')}) -> (${results.join(', ')})`, 200);
    return [
      { path: [name], reason: `is ${spelt}: only i32, i64, f32, f64 and one result at most can be passed` },
    ];
  });
}
