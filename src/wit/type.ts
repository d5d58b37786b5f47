// The type language of WebAssembly components, resolved: no indices, no names to look up. The engine's validator
// makes these objects, the canonical ABI compiles them, the schema, codec and printer read them.
// Invariant: a ValType is acyclic and immutable once made; identity of resources is identity of ResourceType objects.

export type PrimitiveKind =
  | 'bool'
  | 's8'
  | 'u8'
  | 's16'
  | 'u16'
  | 's32'
  | 'u32'
  | 's64'
  | 'u64'
  | 'f32'
  | 'f64'
  | 'char'
  | 'string'
  | 'error-context';

export interface Field {
  readonly name: string;
  readonly type: ValType;
}

export interface Case {
  readonly name: string;
  readonly type: ValType | null;
}

export type ValType =
  | { readonly kind: PrimitiveKind }
  | { readonly kind: 'record'; readonly fields: readonly Field[] }
  | { readonly kind: 'variant'; readonly cases: readonly Case[] }
  | { readonly kind: 'list'; readonly element: ValType }
  | { readonly kind: 'fixed-list'; readonly element: ValType; readonly length: number }
  | { readonly kind: 'tuple'; readonly items: readonly ValType[] }
  | { readonly kind: 'flags'; readonly names: readonly string[] }
  | { readonly kind: 'enum'; readonly names: readonly string[] }
  | { readonly kind: 'option'; readonly some: ValType }
  | { readonly kind: 'result'; readonly ok: ValType | null; readonly err: ValType | null }
  | { readonly kind: 'map'; readonly key: ValType; readonly value: ValType }
  | { readonly kind: 'own'; readonly resource: ResourceType }
  | { readonly kind: 'borrow'; readonly resource: ResourceType }
  | { readonly kind: 'stream'; readonly element: ValType | null }
  | { readonly kind: 'future'; readonly element: ValType | null };

/**
 * A resource as seen inside one component definition. Two handles are of one type exactly if they share this object.
 * `slot` is where an instance of that component keeps the resource's run-time identity.
 */
export interface ResourceType {
  readonly slot: number;
  /** For people only: the name under which it was first imported or exported. */
  name?: string;
}

export interface FuncType {
  readonly params: readonly Field[];
  readonly result: ValType | null;
  /** The function may block (`async` function types of WASI 0.3). */
  readonly async: boolean;
}

/** What an import asks for or an export gives. */
export type ExternType =
  | { readonly kind: 'module'; readonly type: CoreModuleType }
  | { readonly kind: 'func'; readonly type: FuncType }
  | { readonly kind: 'type'; readonly type: DefinedType }
  | { readonly kind: 'instance'; readonly type: InstanceType }
  | { readonly kind: 'component'; readonly type: ComponentType };

/** What a type index can stand for. */
export type DefinedType =
  | { readonly kind: 'value'; readonly type: ValType }
  | { readonly kind: 'func'; readonly type: FuncType }
  | { readonly kind: 'resource'; readonly type: ResourceType }
  | { readonly kind: 'instance'; readonly type: InstanceType }
  | { readonly kind: 'component'; readonly type: ComponentType };

export interface InstanceType {
  readonly exports: ReadonlyMap<string, ExternType>;
  /** Resources that come into being with each instance of this type (validator's business; empty for readers). */
  readonly fresh: readonly ResourceType[];
}

export interface ComponentType {
  readonly imports: ReadonlyMap<string, ExternType>;
  readonly exports: ReadonlyMap<string, ExternType>;
  readonly importedResources: readonly ResourceType[];
  readonly definedResources: readonly ResourceType[];
}

// ---- core WebAssembly, as far as linking needs it ----

export interface CoreModuleType {
  readonly imports: readonly CoreImport[];
  readonly exports: readonly CoreExport[];
}

export interface CoreImport {
  readonly module: string;
  readonly name: string;
  readonly type: CoreExternType;
}

export interface CoreExport {
  readonly name: string;
  readonly type: CoreExternType;
}

/**
 * Core value types are strings in one canonical spelling: `i32`, `i64`, `f32`, `f64`, `v128`, and for references
 * `(ref null? heap)`, where a heap type is a keyword (`func`, `extern`, …) or a structural spelling of the type.
 */
export type CoreValType = string;

export interface CoreFuncType {
  readonly params: readonly CoreValType[];
  readonly results: readonly CoreValType[];
  /**
   * For function types that are more than parameters and results (open to subtypes, declared as a subtype, or part of
   * a recursion group): the spelling of the type itself first, then of its supertypes, nearest first.
   */
  readonly lineage?: readonly string[];
}

export interface CoreLimits {
  readonly min: bigint;
  readonly max: bigint | null;
  readonly is64: boolean;
  readonly shared: boolean;
}

export type CoreExternType =
  | { readonly kind: 'func'; readonly type: CoreFuncType }
  | { readonly kind: 'table'; readonly element: CoreValType; readonly limits: CoreLimits }
  | { readonly kind: 'memory'; readonly limits: CoreLimits; readonly pageSizeLog2: number }
  | { readonly kind: 'global'; readonly type: CoreValType; readonly mutable: boolean }
  | { readonly kind: 'tag'; readonly type: CoreFuncType };
