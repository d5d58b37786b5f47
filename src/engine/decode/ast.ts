// A component binary as it is written: sections turned into definitions, indices left as indices. The decoder makes
// it, the validator resolves it. It says nothing about whether the indices mean anything. Every definition carries
// the byte offset where it starts, for error messages.

export interface ComponentAst {
  readonly definitions: readonly Definition[];
  readonly customs: readonly CustomSection[];
  /** Byte range within the whole file. */
  readonly start: number;
  readonly end: number;
}

export interface CustomSection {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type CoreSort = 'func' | 'table' | 'memory' | 'global' | 'tag' | 'type' | 'module' | 'instance';
export type Sort = 'func' | 'value' | 'type' | 'component' | 'instance' | `core ${CoreSort}`;

export interface SortIndex {
  readonly sort: Sort;
  readonly index: number;
}

export type Definition = { readonly at: number } & (
  | { readonly kind: 'core module'; readonly bytes: Uint8Array }
  | { readonly kind: 'core instance'; readonly expr: CoreInstanceExpr }
  | { readonly kind: 'core type'; readonly type: CoreTypeAst }
  | { readonly kind: 'component'; readonly component: ComponentAst }
  | { readonly kind: 'instance'; readonly expr: InstanceExpr }
  | { readonly kind: 'alias'; readonly alias: AliasAst }
  | { readonly kind: 'type'; readonly type: TypeAst }
  | { readonly kind: 'canon'; readonly canon: CanonAst }
  | {
      readonly kind: 'start';
      readonly func: number;
      readonly args: readonly number[];
      readonly results: number;
    }
  | { readonly kind: 'import'; readonly name: ExternName; readonly type: ExternTypeAst }
  | {
      readonly kind: 'export';
      readonly name: ExternName;
      readonly item: SortIndex;
      readonly type: ExternTypeAst | null;
    }
  | { readonly kind: 'value'; readonly type: ValTypeAst; readonly bytes: Uint8Array }
);

/** An import or export name with its attributes, undigested: the validator parses the grammar of `name`. */
export interface ExternName {
  readonly name: string;
  readonly implements?: string;
  readonly versionSuffix?: string;
  readonly externalId?: string;
}

export type CoreInstanceExpr =
  | {
      readonly kind: 'instantiate';
      readonly module: number;
      readonly args: readonly { readonly name: string; readonly instance: number }[];
    }
  | {
      readonly kind: 'exports';
      readonly exports: readonly { readonly name: string; readonly sort: CoreSort; readonly index: number }[];
    };

export type InstanceExpr =
  | {
      readonly kind: 'instantiate';
      readonly component: number;
      readonly args: readonly { readonly name: string; readonly item: SortIndex }[];
    }
  | {
      readonly kind: 'exports';
      readonly exports: readonly { readonly name: ExternName; readonly item: SortIndex }[];
    };

export type AliasAst =
  | { readonly kind: 'export'; readonly sort: Sort; readonly instance: number; readonly name: string }
  | {
      readonly kind: 'core export';
      readonly sort: CoreSort;
      readonly instance: number;
      readonly name: string;
    }
  | { readonly kind: 'outer'; readonly sort: Sort; readonly count: number; readonly index: number };

// ---- component types ----

export type PrimitiveAst = import('../../wit/type.ts').PrimitiveKind;
/** A primitive, or the index of a defined type. */
export type ValTypeAst = PrimitiveAst | number;

export interface LabelAst {
  readonly name: string;
  readonly type: ValTypeAst;
}

export type TypeAst =
  | { readonly kind: 'primitive'; readonly type: PrimitiveAst }
  | { readonly kind: 'record'; readonly fields: readonly LabelAst[] }
  | {
      readonly kind: 'variant';
      readonly cases: readonly { readonly name: string; readonly type: ValTypeAst | null }[];
    }
  | { readonly kind: 'list'; readonly element: ValTypeAst }
  | { readonly kind: 'fixed-list'; readonly element: ValTypeAst; readonly length: number }
  | { readonly kind: 'tuple'; readonly items: readonly ValTypeAst[] }
  | { readonly kind: 'flags'; readonly names: readonly string[] }
  | { readonly kind: 'enum'; readonly names: readonly string[] }
  | { readonly kind: 'option'; readonly some: ValTypeAst }
  | { readonly kind: 'result'; readonly ok: ValTypeAst | null; readonly err: ValTypeAst | null }
  | { readonly kind: 'map'; readonly key: ValTypeAst; readonly value: ValTypeAst }
  | { readonly kind: 'own'; readonly resource: number }
  | { readonly kind: 'borrow'; readonly resource: number }
  | { readonly kind: 'stream'; readonly element: ValTypeAst | null }
  | { readonly kind: 'future'; readonly element: ValTypeAst | null }
  | { readonly kind: 'resource'; readonly rep: string; readonly dtor: number | null }
  | {
      readonly kind: 'func';
      readonly params: readonly LabelAst[];
      readonly result: ValTypeAst | null;
      readonly async: boolean;
    }
  | { readonly kind: 'component'; readonly decls: readonly Declarator[] }
  | { readonly kind: 'instance'; readonly decls: readonly Declarator[] };

/** A member of a component or instance type; `import` only occurs in component types. */
export type Declarator = { readonly at: number } & (
  | { readonly kind: 'core type'; readonly type: CoreTypeAst }
  | { readonly kind: 'type'; readonly type: TypeAst }
  | { readonly kind: 'alias'; readonly alias: AliasAst }
  | { readonly kind: 'import'; readonly name: ExternName; readonly type: ExternTypeAst }
  | { readonly kind: 'export'; readonly name: ExternName; readonly type: ExternTypeAst }
);

export type ExternTypeAst =
  | { readonly kind: 'core module'; readonly type: number }
  | { readonly kind: 'func'; readonly type: number }
  | { readonly kind: 'value eq'; readonly value: number }
  | { readonly kind: 'value'; readonly type: ValTypeAst }
  | { readonly kind: 'type eq'; readonly type: number }
  | { readonly kind: 'type sub resource' }
  | { readonly kind: 'component'; readonly type: number }
  | { readonly kind: 'instance'; readonly type: number };

// ---- core types ----

/** References to other types of the same rec group or index space are indices; the validator resolves them. */
export type CoreTypeAst =
  | { readonly kind: 'rec'; readonly types: readonly CoreSubTypeAst[] }
  | { readonly kind: 'module'; readonly decls: readonly CoreModuleDecl[] };

export interface CoreSubTypeAst {
  readonly final: boolean;
  readonly supers: readonly number[];
  readonly shared: boolean;
  readonly type: CoreCompositeAst;
}

export type CoreCompositeAst =
  | {
      readonly kind: 'func';
      readonly params: readonly CoreValTypeAst[];
      readonly results: readonly CoreValTypeAst[];
    }
  | { readonly kind: 'array'; readonly field: CoreFieldAst }
  | { readonly kind: 'struct'; readonly fields: readonly CoreFieldAst[] }
  | { readonly kind: 'cont'; readonly type: number };

export interface CoreFieldAst {
  readonly type: CoreValTypeAst | 'i8' | 'i16';
  readonly mutable: boolean;
}

export type CoreValTypeAst =
  | 'i32'
  | 'i64'
  | 'f32'
  | 'f64'
  | 'v128'
  | { readonly nullable: boolean; readonly shared: boolean; readonly heap: string | number };

export type CoreModuleDecl =
  | {
      readonly kind: 'import';
      readonly module: string;
      readonly name: string;
      readonly type: CoreExternTypeAst;
    }
  | { readonly kind: 'type'; readonly type: CoreTypeAst }
  | { readonly kind: 'outer alias'; readonly count: number; readonly index: number }
  | { readonly kind: 'export'; readonly name: string; readonly type: CoreExternTypeAst };

export type CoreExternTypeAst =
  | { readonly kind: 'func'; readonly type: number }
  | { readonly kind: 'table'; readonly element: CoreValTypeAst; readonly limits: CoreLimitsAst }
  | { readonly kind: 'memory'; readonly limits: CoreLimitsAst; readonly pageSizeLog2: number }
  | { readonly kind: 'global'; readonly type: CoreValTypeAst; readonly mutable: boolean }
  | { readonly kind: 'tag'; readonly type: number };

export type CoreLimitsAst = import('../../wit/type.ts').CoreLimits;

/** The parts of a core module that linking, inspection and limits need; made by `decode/core-module.ts`. */
export interface CoreModuleAst {
  readonly types: readonly CoreTypeAst[];
  readonly imports: readonly {
    readonly module: string;
    readonly name: string;
    readonly type: CoreExternTypeAst;
  }[];
  /** Type index of every function, imported ones first. */
  readonly functions: readonly number[];
  readonly tables: readonly Extract<CoreExternTypeAst, { kind: 'table' }>[];
  readonly memories: readonly Extract<CoreExternTypeAst, { kind: 'memory' }>[];
  readonly globals: readonly Extract<CoreExternTypeAst, { kind: 'global' }>[];
  readonly tags: readonly Extract<CoreExternTypeAst, { kind: 'tag' }>[];
  readonly exports: readonly {
    readonly name: string;
    readonly kind: 'func' | 'table' | 'memory' | 'global' | 'tag';
    readonly index: number;
  }[];
  readonly start: number | null;
  readonly customs: readonly CustomSection[];
}

// ---- canonical definitions ----

export type StringEncoding = 'utf8' | 'utf16' | 'latin1+utf16';

export interface CanonOptionsAst {
  readonly encoding: StringEncoding | null;
  readonly memory: number | null;
  readonly realloc: number | null;
  readonly postReturn: number | null;
  readonly async: boolean;
  readonly callback: number | null;
  /** Options of the GC proposal, by opcode; the validator refuses them. */
  readonly gc: boolean;
  readonly coreType: number | null;
}

export type CanonAst =
  | { readonly kind: 'lift'; readonly func: number; readonly options: CanonOptionsAst; readonly type: number }
  | { readonly kind: 'lower'; readonly func: number; readonly options: CanonOptionsAst }
  | { readonly kind: 'resource.new'; readonly type: number }
  | { readonly kind: 'resource.drop'; readonly type: number; readonly async: boolean }
  | { readonly kind: 'resource.rep'; readonly type: number }
  /** Everything of WASI 0.3 (tasks, streams, futures, waitables, threads, error-context). */
  | {
      readonly kind: 'builtin';
      readonly name: string;
      readonly type: number | null;
      readonly result: ValTypeAst | null;
      readonly options: CanonOptionsAst | null;
      readonly immediates: readonly (number | boolean | string)[];
    };
