// Random components that are valid: definitions are proposed at random, with an eye to what exists so far, and kept if
// the validator accepts the component with them. Components found valid are nested, instantiated, imported and handed
// on by later ones, so that resources and types travel in ways nobody would write down.

import type { ComponentAst, ExternTypeAst, Sort, TypeAst } from '../../src/engine/decode/ast.ts';
import type { ComponentPlan } from '../../src/engine/plan.ts';
import type { ComponentType, DefinedType, ExternType, InstanceType } from '../../src/wit/type.ts';
import type { Random } from '../random-types.ts';
import {
  alias,
  bag,
  borrow,
  component,
  componentType,
  coreAlias,
  coreInstance,
  type Decl,
  declare,
  exports,
  func,
  imports,
  instanceType,
  instantiate,
  is,
  lift,
  list,
  own,
  type Part,
  record,
  resource,
  type,
} from './component-ast.ts';

const NAMES = ['a', 'b', 'c', 'd'] as const;
const KINDS = [
  ...([
    'type',
    'type',
    'lift',
    'resource',
    'import',
    'export',
    'export',
    'component',
    'component',
    'component',
  ] as const),
  ...([
    'instantiate',
    'instantiate',
    'instantiate',
    'instantiate',
    'bag',
    'alias',
    'alias',
    'alias',
    'alias',
  ] as const),
];
const SORTS = ['type', 'func', 'instance', 'component'] as const;
type ItemSort = (typeof SORTS)[number];

/** Core functions to lift: () → (), (i32) → (), (i32) → i32, () → i32, all of which trap. */
const CORE: readonly Part[] = [
  {
    kind: 'core module',
    bytes: Buffer.from(
      'AGFzbQEAAAABEQRgAABgAX8AYAF/AX9gAAF/AwUEAAECAwcVBAJmMAAAAmYxAAECZjIAAgJmMwADChEEAwAACwMAAAsDAAALAwAACw==',
      'base64',
    ),
  },
  coreInstance(0),
  ...['f0', 'f1', 'f2', 'f3'].map((name) => coreAlias('func', 0, name)),
];

export interface Making {
  readonly random: Random;
  /** The plan of a component, or null if it is refused. */
  readonly validate: (ast: ComponentAst) => ComponentPlan | null;
  /** Valid components to nest. */
  readonly pool: readonly ComponentAst[];
}

/** What the component has so far, by index. */
interface Known {
  readonly instances: InstanceType[];
  readonly components: ComponentType[];
  readonly types: TypeKind[];
  readonly counts: Record<ItemSort, number>;
}

type TypeKind = DefinedType['kind'];

export function randomComponent(making: Making): ComponentAst {
  const { random, validate } = making;
  let parts: Part[] = [...CORE];
  let known = knownFrom(null, []);
  for (let wanted = 6 + random.below(20); wanted > 0; wanted--) {
    // The kind is chosen once: otherwise what always succeeds would crowd out what rarely does.
    const kind = random.pick(KINDS);
    for (let tries = 25; tries > 0; tries--) {
      const part = propose(kind, making, known);
      const plan = part && validate(component(...parts, part));
      if (!plan) continue;
      parts = [...parts, part];
      known = knownFrom(plan, parts);
      break;
    }
  }
  return component(...parts);
}

/** The plan's steps push onto the index spaces in order; types leave no steps and are followed in the parts. */
function knownFrom(plan: ComponentPlan | null, parts: readonly Part[]): Known {
  const instances: InstanceType[] = [];
  const components: ComponentType[] = [];
  let funcs = 0;
  const push = (item: ExternType | undefined) => {
    if (item?.kind === 'instance') instances.push(item.type);
    if (item?.kind === 'component') components.push(item.type);
    if (item?.kind === 'func') funcs++;
  };
  for (const step of plan?.steps ?? []) {
    if (step.op === 'import' || step.op === 'export') push(step.type);
    else if (step.op === 'lift') funcs++;
    else if (step.op === 'instantiate') instances.push(step.type);
    else if (step.op === 'component') components.push(step.plan.type);
    else if (step.op === 'alias') push(instances[step.instance]?.exports.get(step.name));
    else if (step.op === 'exports') {
      instances.push({ exports: new Map(step.exports.map((one) => [one.name, one.type])), fresh: [] });
    }
  }
  const types: TypeKind[] = [];
  for (const part of parts) types.push(...introducedType(part, types, instances));
  return {
    instances,
    components,
    types,
    counts: { type: types.length, func: funcs, instance: instances.length, component: components.length },
  };
}

/** The kind of the type that a definition adds to the index space, if it adds one. */
function introducedType(
  part: Part | Decl,
  types: readonly TypeKind[],
  instances: readonly InstanceType[],
): TypeKind[] {
  switch (part.kind) {
    case 'type': {
      const { kind } = part.type;
      return [
        kind === 'func' || kind === 'resource' || kind === 'instance' || kind === 'component'
          ? kind
          : 'value',
      ];
    }
    case 'import':
      return externKind(part.type, types);
    case 'export':
      if ('item' in part) return part.item.sort === 'type' ? [types[part.item.index]!] : [];
      return externKind(part.type, types);
    case 'alias': {
      const { alias: of } = part;
      if (of.sort !== 'type' || of.kind !== 'export') return of.sort === 'type' ? ['value'] : [];
      const found = instances[of.instance]?.exports.get(of.name);
      return [found?.kind === 'type' ? found.type.kind : 'resource'];
    }
    default:
      return [];
  }
}

function externKind(of: ExternTypeAst | null, types: readonly TypeKind[]): TypeKind[] {
  if (of?.kind === 'type sub resource') return ['resource'];
  return of?.kind === 'type eq' ? [types[of.type] ?? 'value'] : [];
}

/** The index of a type of this kind, or of any type if there is none. */
function typeOf(random: Random, types: readonly TypeKind[], kind: TypeKind): number {
  const fitting = [...types.keys()].filter((index) => types[index] === kind);
  return fitting.length > 0 ? random.pick(fitting) : random.below(types.length || 1);
}

function propose(kind: (typeof KINDS)[number], making: Making, known: Known): Part | null {
  const { random, pool } = making;
  const { counts, types } = known;
  switch (kind) {
    case 'type':
      return type(randomType(making, types));
    case 'resource':
      return type(resource());
    case 'import':
      return imports(random.pick(NAMES), externType(random, types));
    case 'export': {
      const item = anyItem(random, counts);
      return item && exports(random.pick(NAMES), ...item);
    }
    case 'lift':
      return lift(random.below(4), typeOf(random, types, 'func'));
    case 'component':
      return { kind: 'component', component: pool.length > 0 ? random.pick(pool) : component() };
    case 'instantiate': {
      const index = random.below(counts.component);
      const asked = known.components[index];
      return asked ? instantiate(index, argumentsFor(random, asked, counts)) : null;
    }
    case 'bag': {
      const names = NAMES.filter(() => random.chance(0.5));
      const items = names.map((name) => [name, anyItem(random, counts)] as const);
      return bag(Object.fromEntries(items.flatMap(([name, item]) => (item ? [[name, item]] : []))));
    }
    case 'alias': {
      const index = random.below(counts.instance);
      const entries = [...(known.instances[index]?.exports ?? [])];
      if (entries.length === 0) return null;
      const [name, item] = random.pick(entries);
      return item.kind === 'module' ? null : alias(item.kind, index, name);
    }
  }
}

function anyItem(random: Random, counts: Known['counts']): [Sort, number] | null {
  const sorts = SORTS.filter((sort) => counts[sort] > 0);
  if (sorts.length === 0) return null;
  const sort = random.pick(sorts);
  return [sort, random.below(counts[sort])];
}

/** An item of the right sort for each import. */
function argumentsFor(
  random: Random,
  asked: ComponentType,
  counts: Known['counts'],
): Record<string, [Sort, number]> {
  const args = [...asked.imports].map(([name, { kind }]) => {
    const sort = kind === 'module' ? 'type' : kind;
    return [name, [sort, random.below(counts[sort] || 1)]] as const;
  });
  return Object.fromEntries(args) as Record<string, [Sort, number]>;
}

const valType = (random: Random, types: readonly TypeKind[]) =>
  types.length === 0 || random.chance(0.2) ? ('u8' as const) : typeOf(random, types, 'value');

function randomType(making: Making, types: readonly TypeKind[]): TypeAst {
  const { random } = making;
  switch (random.below(7)) {
    case 0:
      return own(typeOf(random, types, 'resource'));
    case 1:
      return borrow(typeOf(random, types, 'resource'));
    case 2:
      return record({ x: valType(random, types) });
    case 3:
      return list(valType(random, types));
    case 4:
      return func({ x: valType(random, types) }, random.chance(0.5) ? valType(random, types) : null);
    case 5:
      return declaredType(making, types, instanceType);
    default:
      return declaredType(making, types, componentType);
  }
}

/** A component or instance type, found the same way. */
function declaredType(
  { random, validate }: Making,
  types: readonly TypeKind[],
  make: typeof instanceType | typeof componentType,
): TypeAst {
  let decls: Decl[] = [];
  const inner: TypeKind[] = [];
  for (let wanted = random.below(8); wanted > 0; wanted--) {
    const decl = declaration(random, inner, make === componentType);
    const next = [...decls, decl];
    if (!validate(component(type(make(...next))))) continue;
    decls = next;
    inner.push(...introducedType(decl, inner, []));
  }
  // A way for the type to mention what the component around it knows.
  if (types.length > 0 && random.chance(0.3)) {
    const outer = declare.outer(1, random.below(types.length));
    decls = [...decls, outer, declare.export('d', is.type(inner.length))];
  }
  return make(...decls);
}

function declaration(random: Random, types: readonly TypeKind[], mayImport: boolean): Decl {
  const name = random.pick(['a', 'b', 'c']);
  const choice = random.below(7);
  if (choice === 0) return declare.type(own(typeOf(random, types, 'resource')));
  if (choice === 1) return declare.type(func({ x: valType(random, types) }));
  if (choice === 2) return declare.type(instanceType(declare.export('a', is.resource)));
  if (choice === 3) return declare.type(componentType(declare.export('a', is.resource)));
  if (choice === 4) return declare.alias('type', random.below(3), name);
  if (choice === 5 && mayImport) return declare.import(name, externType(random, types));
  return declare.export(name, externType(random, types));
}

function externType(random: Random, types: readonly TypeKind[]): ExternTypeAst {
  switch (random.below(6)) {
    case 0:
      return is.func(typeOf(random, types, 'func'));
    case 1:
      return is.instance(typeOf(random, types, 'instance'));
    case 2:
      return is.component(typeOf(random, types, 'component'));
    case 3:
      return is.type(random.below(types.length || 1));
    default:
      return is.resource;
  }
}

/** Components to start from: each passes resources on in one of the basic ways. */
export const SEEDS: readonly ComponentAst[] = [
  component(type(resource()), exports('a', 'type', 0)),
  component(imports('a', is.resource), exports('b', 'type', 0)),
  component(imports('a', is.resource), imports('b', is.type(0)), exports('a', 'type', 1)),
  component(
    type(componentType(declare.export('a', is.resource))),
    imports('c', is.component(0)),
    exports('c', 'component', 0),
  ),
  component(
    type(componentType(declare.import('a', is.resource), declare.export('b', is.type(0)))),
    imports('c', is.component(0)),
    type(resource()),
    exports('a', 'type', 1),
    instantiate(0, { a: ['type', 2] }),
    exports('b', 'instance', 0),
  ),
  component(
    type(instanceType(declare.export('a', is.resource))),
    imports('a', is.instance(0)),
    exports('b', 'instance', 0),
  ),
  component(
    ...CORE,
    type(resource()),
    exports('a', 'type', 0),
    type(own(1)),
    type(func({ x: 2 }, 2)),
    lift(2, 3),
    exports('b', 'func', 0),
  ),
  component(
    imports('a', is.resource),
    type(own(0)),
    type(func({ x: 1 }, 1)),
    imports('b', is.func(2)),
    exports('a', 'type', 0),
    exports('b', 'func', 0),
  ),
];
