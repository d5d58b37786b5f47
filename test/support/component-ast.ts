// Components written as trees, for tests of the validator: short names for the definitions, so that a rule can be shown
// in a few lines, once kept and once broken. Core functions and memories come from an imported module of the wanted type.

import type {
  CanonAst,
  CanonOptionsAst,
  ComponentAst,
  CoreExternTypeAst,
  CoreModuleDecl,
  CoreSort,
  CoreValTypeAst,
  Declarator,
  Definition,
  ExternName,
  ExternTypeAst,
  InstanceExpr,
  LabelAst,
  Sort,
  TypeAst,
  ValTypeAst,
} from '../../src/engine/decode/ast.ts';

type Unplaced<T> = T extends unknown ? Omit<T, 'at'> : never;
export type Part = Unplaced<Definition>;

/** A component of these definitions, each at the byte of its position. */
export function component(...parts: readonly (Part | readonly Part[])[]): ComponentAst {
  const definitions = parts.flat().map((part, at) => ({ ...part, at }) as Definition);
  return { definitions, customs: [], start: 0, end: definitions.length };
}

export const nested = (...parts: readonly (Part | readonly Part[])[]): Part => ({
  kind: 'component',
  component: component(...parts),
});

// ---- types ----

export const type = (ast: TypeAst): Part => ({ kind: 'type', type: ast });

export const func = (
  params: Readonly<Record<string, ValTypeAst>> = {},
  result: ValTypeAst | null = null,
  async = false,
): TypeAst => ({ kind: 'func', params: labels(params), result, async });

export const record = (fields: Readonly<Record<string, ValTypeAst>>): TypeAst => ({
  kind: 'record',
  fields: labels(fields),
});

export const resource = (rep = 'i32', dtor: number | null = null): TypeAst => ({
  kind: 'resource',
  rep,
  dtor,
});
export const own = (index: number): TypeAst => ({ kind: 'own', resource: index });
export const borrow = (index: number): TypeAst => ({ kind: 'borrow', resource: index });
export const list = (element: ValTypeAst): TypeAst => ({ kind: 'list', element });

function labels(entries: Readonly<Record<string, ValTypeAst>>): LabelAst[] {
  return Object.entries(entries).map(([name, of]) => ({ name, type: of }));
}

export type Decl = Unplaced<Declarator>;
const declarators = (decls: readonly Decl[]) => decls.map((decl, at) => ({ ...decl, at }) as Declarator);

export const instanceType = (...decls: readonly Decl[]): TypeAst => ({
  kind: 'instance',
  decls: declarators(decls),
});
export const componentType = (...decls: readonly Decl[]): TypeAst => ({
  kind: 'component',
  decls: declarators(decls),
});

/** A declaration within a component or instance type. */
export const declare = {
  type: (ast: TypeAst): Decl => ({ kind: 'type', type: ast }),
  import: (name: string, of: ExternTypeAst): Decl => ({ kind: 'import', name: { name }, type: of }),
  export: (name: string, of: ExternTypeAst): Decl => ({ kind: 'export', name: { name }, type: of }),
  outer: (count: number, index: number, sort: Sort = 'type'): Decl => ({
    kind: 'alias',
    alias: { kind: 'outer', sort, count, index },
  }),
  alias: (sort: Sort, instance: number, name: string): Decl => ({
    kind: 'alias',
    alias: { kind: 'export', sort, instance, name },
  }),
};

/** What an import or export is. */
export const is = {
  func: (index: number): ExternTypeAst => ({ kind: 'func', type: index }),
  instance: (index: number): ExternTypeAst => ({ kind: 'instance', type: index }),
  component: (index: number): ExternTypeAst => ({ kind: 'component', type: index }),
  module: (index: number): ExternTypeAst => ({ kind: 'core module', type: index }),
  type: (index: number): ExternTypeAst => ({ kind: 'type eq', type: index }),
  resource: { kind: 'type sub resource' } as ExternTypeAst,
};

// ---- imports, exports, instances, aliases ----

const named = (name: string | ExternName): ExternName => (typeof name === 'string' ? { name } : name);

export const imports = (name: string | ExternName, of: ExternTypeAst): Part => ({
  kind: 'import',
  name: named(name),
  type: of,
});

export const exports = (
  name: string | ExternName,
  sort: Sort,
  index: number,
  of: ExternTypeAst | null = null,
): Part => ({ kind: 'export', name: named(name), item: { sort, index }, type: of });

export const instantiate = (index: number, args: Readonly<Record<string, [Sort, number]>> = {}): Part => ({
  kind: 'instance',
  expr: {
    kind: 'instantiate',
    component: index,
    args: Object.entries(args).map(([name, [sort, at]]) => ({ name, item: { sort, index: at } })),
  },
});

export const bag = (items: Readonly<Record<string, [Sort, number]>>): Part => ({
  kind: 'instance',
  expr: {
    kind: 'exports',
    exports: Object.entries(items).map(([name, [sort, index]]) => ({
      name: { name },
      item: { sort, index },
    })),
  } satisfies InstanceExpr,
});

export const alias = (sort: Sort, instance: number, name: string): Part => ({
  kind: 'alias',
  alias: { kind: 'export', sort, instance, name },
});

export const outer = (sort: Sort, count: number, index: number): Part => ({
  kind: 'alias',
  alias: { kind: 'outer', sort, count, index },
});

// ---- core ----

export const coreFunc = (params: readonly CoreValTypeAst[], results: readonly CoreValTypeAst[] = []) =>
  ({
    kind: 'rec',
    types: [{ final: true, supers: [], shared: false, type: { kind: 'func', params, results } }],
  }) as const;

type Signature = readonly [params: readonly CoreValTypeAst[], results?: readonly CoreValTypeAst[]];
type CoreItem = Signature | Exclude<CoreExternTypeAst, { kind: 'func' }>;
type CoreItems = Readonly<Record<string, CoreItem>>;

export const memory = (
  limits: Partial<{ is64: boolean; shared: boolean; min: bigint; max: bigint | null }> = {},
): CoreItem => ({
  kind: 'memory',
  limits: { min: 1n, max: null, is64: false, shared: false, ...limits },
  pageSizeLog2: 16,
});

/** The declarations of a module type with these imports (from the module "m") and exports. */
export function moduleDecls(given: CoreItems, made: CoreItems): CoreModuleDecl[] {
  const decls: CoreModuleDecl[] = [];
  let types = 0;
  const add = (item: CoreItem): CoreExternTypeAst => {
    if ('kind' in item) return item;
    decls.push({ kind: 'type', type: coreFunc(item[0], item[1]) });
    return { kind: 'func', type: types++ };
  };
  for (const [name, item] of Object.entries(given)) {
    decls.push({ kind: 'import', module: 'm', name, type: add(item) });
  }
  for (const [name, item] of Object.entries(made)) decls.push({ kind: 'export', name, type: add(item) });
  return decls;
}

/** An imported module of this type, as core type and module of the given index. */
export const moduleImport = (index: number, given: CoreItems, made: CoreItems): Part[] => [
  { kind: 'core type', type: { kind: 'module', decls: moduleDecls(given, made) } },
  imports(`module-${index}`, is.module(index)),
];

export const coreInstance = (module: number, args: Readonly<Record<string, number>> = {}): Part => ({
  kind: 'core instance',
  expr: {
    kind: 'instantiate',
    module,
    args: Object.entries(args).map(([name, instance]) => ({ name, instance })),
  },
});

export const coreBag = (items: readonly [name: string, sort: CoreSort, index: number][]): Part => ({
  kind: 'core instance',
  expr: { kind: 'exports', exports: items.map(([name, sort, index]) => ({ name, sort, index })) },
});

export const coreAlias = (sort: CoreSort, instance: number, name: string): Part => ({
  kind: 'alias',
  alias: { kind: 'core export', sort, instance, name },
});

/** Core functions, memories and so on for a component: each takes the next index of its sort, in this order. */
export function coreItems(items: CoreItems): Part[] {
  const aliases = Object.entries(items).map(([name, item]) =>
    coreAlias('kind' in item ? item.kind : 'func', 0, name),
  );
  return [...moduleImport(0, {}, items), coreInstance(0), ...aliases];
}

// ---- canonical definitions ----

export const options = (some: Partial<CanonOptionsAst> = {}): CanonOptionsAst => ({
  encoding: null,
  memory: null,
  realloc: null,
  postReturn: null,
  async: false,
  callback: null,
  gc: false,
  coreType: null,
  ...some,
});

export const canon = (of: CanonAst): Part => ({ kind: 'canon', canon: of });

export const lift = (core: number, of: number, some: Partial<CanonOptionsAst> = {}): Part =>
  canon({ kind: 'lift', func: core, type: of, options: options(some) });

export const lower = (index: number, some: Partial<CanonOptionsAst> = {}): Part =>
  canon({ kind: 'lower', func: index, options: options(some) });

export const builtin = (
  name: string,
  more: Partial<Omit<CanonAst & { kind: 'builtin' }, 'kind' | 'name'>> = {},
): Part => canon({ kind: 'builtin', name, type: null, result: null, options: null, immediates: [], ...more });
