// From bytes to something that can be instantiated any number of times: decode, validate, cap, let V8 compile all core
// modules at once, and turn the plan into closures. Nothing of the guest has run when this is done.

import { WitboxError } from '../../core/errors.ts';
import type { ComponentType, CoreImport } from '../../wit/type.ts';
import type { CustomSection } from '../decode/ast.ts';
import { decodeComponent } from '../decode/component.ts';
import { decodeCoreModule } from '../decode/core-module.ts';
import { rewriteModule } from '../decode/rewrite-module.ts';
import { sniff } from '../decode/sniff.ts';
import { completeLimits, type Limits } from '../limits.ts';
import type { ComponentPlan, ModulePlan } from '../plan.ts';
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
  const plan = validateComponent(ast, limits);
  const what = needsAsync(plan.type);
  if (what !== null) throw new WitboxError('needs-async', { what });
  const modules = await Promise.all(modulesOf(plan).map((module) => compileModule(module, bytes, limits)));
  const value: ComponentValue = { plan: compilePlan(plan, modules), outer: null };
  return { kind: 'component', type: plan.type, sections: ast.customs, limits, value };
}

/** All core modules of the file, in the order of their ordinals. */
function modulesOf(plan: ComponentPlan, found: ModulePlan[] = []): ModulePlan[] {
  for (const step of plan.steps) {
    if (step.op === 'module') found[step.module.ordinal] = step.module;
    else if (step.op === 'component') modulesOf(step.plan, found);
  }
  return found;
}

async function loadModule(bytes: Uint8Array, limits: Limits): Promise<LoadedModule> {
  const ast = decodeCoreModule(bytes, limits);
  const type = coreModuleType(ast);
  const value = await compileModule({ bytes, type, ordinal: 0 }, bytes, limits);
  return {
    kind: 'module',
    type: synthesiseType(ast, type),
    sections: ast.customs,
    limits,
    value,
    coreImports: type.imports,
  };
}

async function compileModule(module: ModulePlan, file: Uint8Array, limits: Limits): Promise<ModuleValue> {
  const at = module.bytes.byteOffset - file.byteOffset;
  if (module.bytes.length > limits.moduleBytes) {
    throw new WitboxError('wasm-limit', {
      section: 'core module',
      offset: at,
      count: module.bytes.length,
      what: 'bytes',
      limit: limits.moduleBytes,
    });
  }
  const { memoryBytes, tableElements } = limits;
  const { bytes, start } = rewriteModule(module.bytes, { memoryBytes, tableElements, exportStart: true });
  try {
    return { module: await WebAssembly.compile(bytes), type: module.type, start };
  } catch (error) {
    if (!(error instanceof WebAssembly.CompileError)) throw error;
    throw new WitboxError('component-invalid', { at, reason: error.message }, error);
  }
}
