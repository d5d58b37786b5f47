// Random components that are valid: definitions are proposed at random and kept if the validator accepts the component
// so far. Components found valid are nested, instantiated, imported and handed on by later ones, so that resources and
// types travel in ways nobody would write down.

import type { ComponentAst, ExternTypeAst, Sort, TypeAst } from '../../src/engine/decode/ast.ts';
import type { Random } from '../random-types.ts';
import {
  alias,
  bag,
  borrow,
  component,
  componentType,
  type Decl,
  declare,
  exports,
  func,
  imports,
  instanceType,
  instantiate,
  is,
  list,
  own,
  type Part,
  record,
  resource,
  type,
} from './component-ast.ts';

const NAMES = ['a', 'b', 'c', 'd'] as const;
const KINDS = [
  ...(['type', 'type', 'resource', 'import', 'import', 'export', 'export', 'component'] as const),
  ...(['instantiate', 'instantiate', 'bag', 'alias', 'alias', 'alias'] as const),
];
const SORTS: readonly Sort[] = ['type', 'type', 'type', 'func', 'instance', 'component'];

export interface Proposal {
  readonly random: Random;
  readonly accepts: (ast: ComponentAst) => boolean;
  /** Valid components to nest; the result is one more of them. */
  readonly pool: readonly ComponentAst[];
}

export function randomComponent({ random, accepts, pool }: Proposal): ComponentAst {
  let parts: Part[] = [];
  const add = (part: Part): boolean => {
    const next = [...parts, part];
    if (!accepts(component(...next))) return false;
    parts = next;
    return true;
  };
  for (let wanted = 4 + random.below(14); wanted > 0; wanted--) {
    // The kind is chosen once: otherwise what always succeeds would crowd out what rarely does.
    const kind = random.pick(KINDS);
    for (let tries = 25; tries > 0; tries--) {
      if (add(proposal(kind, random, pool, accepts))) break;
    }
  }
  return component(...parts);
}

/** Small indices are the likely ones to exist. */
const index = (random: Random) => random.below(1 + random.below(9));
const name = (random: Random) => random.pick(NAMES);
const valType = (random: Random) => (random.chance(0.3) ? ('u8' as const) : index(random));

function proposal(
  kind: (typeof KINDS)[number],
  random: Random,
  pool: readonly ComponentAst[],
  accepts: Proposal['accepts'],
): Part {
  switch (kind) {
    case 'type':
      return type(randomType(random, accepts));
    case 'resource':
      return type(resource());
    case 'import':
      return imports(name(random), externType(random));
    case 'export':
      return exports(name(random), random.pick(SORTS), index(random));
    case 'component':
      return { kind: 'component', component: pool.length > 0 ? random.pick(pool) : component() };
    case 'instantiate':
      return instantiate(index(random), items(random));
    case 'bag':
      return bag(items(random));
    case 'alias':
      return alias(random.pick(SORTS), index(random), name(random));
  }
}

function items(random: Random): Record<string, [Sort, number]> {
  const chosen = NAMES.filter(() => random.chance(0.6));
  return Object.fromEntries(chosen.map((one) => [one, [random.pick(SORTS), index(random)]]));
}

function randomType(random: Random, accepts: Proposal['accepts']): TypeAst {
  switch (random.below(7)) {
    case 0:
      return own(index(random));
    case 1:
      return borrow(index(random));
    case 2:
      return record({ x: valType(random) });
    case 3:
      return list(valType(random));
    case 4:
      return func({ x: valType(random) }, random.chance(0.5) ? valType(random) : null);
    case 5:
      return declaredType(random, accepts, instanceType);
    default:
      return declaredType(random, accepts, componentType);
  }
}

/** A component or instance type, found the same way. */
function declaredType(
  random: Random,
  accepts: Proposal['accepts'],
  make: typeof instanceType | typeof componentType,
): TypeAst {
  let decls: Decl[] = [];
  for (let wanted = random.below(7); wanted > 0; wanted--) {
    const next = [...decls, declaration(random, make === componentType)];
    if (accepts(component(type(make(...next))))) decls = next;
  }
  // A way for the type to mention what the component around it knows; refused later if there is nothing there.
  if (random.chance(0.3)) decls = [...decls, declare.outer(1, index(random))];
  return make(...decls);
}

function declaration(random: Random, mayImport: boolean): Decl {
  const choice = random.below(6);
  if (choice === 0) return declare.type(own(index(random)));
  if (choice === 1) return declare.type(func({ x: valType(random) }));
  if (choice === 2) return declare.type(instanceType(declare.export('a', is.resource)));
  if (choice === 3) return declare.alias('type', index(random), name(random));
  if (choice === 4 && mayImport) return declare.import(name(random), externType(random));
  return declare.export(name(random), externType(random));
}

function externType(random: Random): ExternTypeAst {
  const make = [is.func, is.instance, is.component, is.type];
  return random.chance(0.35) ? is.resource : random.pick(make)(index(random));
}
