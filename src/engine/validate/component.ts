// The validator: from a decoded component to the plan that the linker runs, everything checked that the specification
// asks for and every type resolved. It looks at each definition once, in order, and never outside of core modules'
// outlines: V8 checks their code when it compiles them.

import type { ComponentAst, Definition } from '../decode/ast.ts';
import { decodeCoreModule } from '../decode/core-module.ts';
import type { ComponentPlan } from '../plan.ts';
import { addAlias } from './aliases.ts';
import { addCanon } from './canon.ts';
import { coreModuleType } from './core-modules.ts';
import { addExport, addImport } from './externs.ts';
import { finishComponentType } from './finish.ts';
import { addCoreInstance, addInstance } from './instances.ts';
import { DEFAULT_LIMITS, type ValidationLimits } from './limits.ts';
import { refuse } from './refuse.ts';
import { createScope, createSession, pushTo, type Scope, type Session } from './scope.ts';
import { addCoreType, addType } from './type-definitions.ts';

/** Throws WitboxError `component-invalid` with the offset of the definition and the reason. */
export function validateComponent(ast: ComponentAst, limits: Partial<ValidationLimits> = {}): ComponentPlan {
  return plan(ast, null, createSession({ ...DEFAULT_LIMITS, ...limits }));
}

function plan(ast: ComponentAst, parent: Scope | null, session: Session): ComponentPlan {
  const scope = createScope('component', parent, session, ast.start);
  for (const definition of ast.definitions) define(scope, definition);
  const type = finishComponentType(scope, ast.start);
  return { type, steps: scope.steps, resourceSlots: scope.slots };
}

function define(scope: Scope, definition: Definition): void {
  const { at } = definition;
  switch (definition.kind) {
    case 'core module':
      addModule(scope, definition.bytes, at);
      break;
    case 'core instance':
      addCoreInstance(scope, definition.expr, at);
      break;
    case 'core type':
      addCoreType(scope, definition.type, at);
      break;
    case 'component': {
      const inner = plan(definition.component, scope, scope.session);
      pushTo(scope, scope.components, inner.type, at);
      scope.steps.push({ op: 'component', plan: inner });
      break;
    }
    case 'instance':
      addInstance(scope, definition.expr, at);
      break;
    case 'alias':
      addAlias(scope, definition.alias, at);
      break;
    case 'type':
      addType(scope, definition.type, at);
      break;
    case 'canon':
      addCanon(scope, definition.canon, at);
      break;
    case 'import':
      addImport(scope, definition.name, definition.type, at);
      break;
    case 'export':
      addExport(scope, definition.name, definition.item, definition.type, at);
      break;
    case 'start':
    case 'value':
      refuse(at, 'component values and start definitions are not accepted');
  }
}

function addModule(scope: Scope, bytes: Uint8Array, at: number): void {
  const type = coreModuleType(decodeCoreModule(bytes, undefined, at), at);
  scope.session.weights.set(type, { size: 1 + type.imports.length + type.exports.length, depth: 1 });
  pushTo(scope, scope.modules, type, at);
  scope.steps.push({ op: 'module', module: { bytes, type, ordinal: scope.session.modules++ } });
}
