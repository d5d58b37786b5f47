// From bytes to something that can be instantiated any number of times: decode, validate, cap, let V8 compile all core
// modules at once, and turn the plan into closures. Nothing of the guest has run when this is done.

import { WitboxError } from '../../core/errors.ts';
import type { ComponentType, CoreImport, CoreModuleType } from '../../wit/type.ts';
import type { ComponentAst, CustomSection } from '../decode/ast.ts';
import { decodeComponent } from '../decode/component.ts';
import { decodeCoreModule } from '../decode/core-module.ts';
import { rewriteModule } from '../decode/rewrite-module.ts';
import { sniff } from '../decode/sniff.ts';
import { completeLimits, type Limits } from '../limits.ts';
import type { ComponentPlan } from '../plan.ts';
import { validateComponent } from '../validate/component.ts';
import { coreModuleType } from '../validate/core-modules.ts';
import { synthesiseType } from './core-module.ts';
import type { ComponentValue, ModuleValue } from './extern.ts';
import { needsAsync } from './needs-async.ts';
import { compilePlan } from './steps.ts';

interface Loaded {
  readonly type: ComponentType;
  readonly sections: readonly CustomSection[];
  readonly limits: Limits;
}

export interface LoadedComponent extends Loaded {
  readonly kind: 'component';
  readonly value: ComponentValue;
}

export interface LoadedModule extends Loaded {
  readonly kind: 'module';
  readonly value: ModuleValue;
  readonly coreImports: readonly CoreImport[];
}

export async function load(
  bytes: Uint8Array,
  given?: Partial<Limits>,
): Promise<LoadedComponent | LoadedModule> {
  const limits = completeLimits(given);
  return sniff(bytes) === 'module' ? loadModule(bytes, limits) : loadComponent(bytes, limits);
}

async function loadComponent(bytes: Uint8Array, limits: Limits): Promise<LoadedComponent> {
  const ast = decodeComponent(bytes, limits);
  // V8 compiles on other threads while this one validates. What validation refuses is never looked at again.
  const compiling = moduleBytesOf(ast).map((module) => compileModule(module, bytes, limits));
  for (const one of compiling) one.catch(() => {});
  const plan = validateComponent(ast, limits);
  const what = needsAsync(plan.type);
  if (what !== null) throw new WitboxError('needs-async', { what });
  const compiled = await Promise.all(compiling);
  const types = moduleTypesOf(plan);
  const modules = compiled.map((module, i): ModuleValue => ({ ...module, type: types[i]! }));
  const value: ComponentValue = { plan: compilePlan(plan, modules), outer: null };
  return { kind: 'component', type: plan.type, sections: ast.customs, limits, value };
}

/** All core modules of the file in order of appearance, which is the order of their ordinals. */
function moduleBytesOf(ast: ComponentAst, found: Uint8Array[] = []): Uint8Array[] {
  for (const definition of ast.definitions) {
    if (definition.kind === 'core module') found.push(definition.bytes);
    else if (definition.kind === 'component') moduleBytesOf(definition.component, found);
  }
  return found;
}

function moduleTypesOf(plan: ComponentPlan, found: CoreModuleType[] = []): CoreModuleType[] {
  for (const step of plan.steps) {
    if (step.op === 'module') found[step.module.ordinal] = step.module.type;
    else if (step.op === 'component') moduleTypesOf(step.plan, found);
  }
  return found;
}

async function loadModule(bytes: Uint8Array, limits: Limits): Promise<LoadedModule> {
  const ast = decodeCoreModule(bytes, limits);
  const type = coreModuleType(ast);
  const value = { ...(await compileModule(bytes, bytes, limits)), type };
  return {
    kind: 'module',
    type: synthesiseType(ast, type),
    sections: ast.customs,
    limits,
    value,
    coreImports: type.imports,
  };
}

async function compileModule(
  given: Uint8Array,
  file: Uint8Array,
  limits: Limits,
): Promise<Omit<ModuleValue, 'type'>> {
  const at = given.byteOffset - file.byteOffset;
  if (given.length > limits.moduleBytes) {
    throw new WitboxError('wasm-limit', {
      section: 'core module',
      offset: at,
      count: given.length,
      what: 'bytes',
      limit: limits.moduleBytes,
    });
  }
  const { memoryBytes, tableElements } = limits;
  const { bytes, start } = rewriteModule(given, { memoryBytes, tableElements, exportStart: true });
  try {
    return { module: await WebAssembly.compile(bytes), start };
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new WitboxError('component-invalid', { at, reason: error.message }, error);
  }
}
