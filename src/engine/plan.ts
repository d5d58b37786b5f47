// What the validator hands to the linker: a component definition as a list of steps, everything checked, every type
// resolved. Running the steps in order, each pushing onto the index space of its sort, is instantiation.
// The linker never looks at the binary or its AST again; nothing in a plan depends on one instance.

import type {
  ComponentType,
  CoreFuncType,
  CoreModuleType,
  ExternType,
  FuncType,
  InstanceType,
  ValType,
} from '../wit/type.ts';
import type { CanonAst, CoreSort, StringEncoding } from './decode/ast.ts';

export interface ComponentPlan {
  readonly type: ComponentType;
  readonly steps: readonly Step[];
  /** How many resource types an instance of this component knows: slots 0 … resourceSlots - 1. */
  readonly resourceSlots: number;
}

/** A core module found in the component: where its bytes are, and its place in the list that is compiled. */
export interface ModulePlan {
  readonly bytes: Uint8Array;
  readonly type: CoreModuleType;
  /** Position in the whole file's list of core modules, in order of appearance, nested components included. */
  readonly ordinal: number;
}

/** After an import or an instantiation: put the resource found at `path` below the new item into `slot`. */
export interface ResourceBinding {
  readonly slot: number;
  readonly path: readonly string[];
}

/** A definition of this component that is exported, or given to an instantiation. */
export type ItemRef =
  | { readonly sort: 'module' | 'func' | 'instance' | 'component'; readonly index: number }
  /** `slot` is null for a type that is not a resource: such a type exists at validation only. */
  | { readonly sort: 'type'; readonly slot: number | null };

export interface CanonOptions {
  readonly encoding: StringEncoding;
  readonly memory: number | null;
  /** The memory has 64-bit addresses. */
  readonly memory64: boolean;
  readonly realloc: number | null;
  readonly postReturn: number | null;
  readonly async: boolean;
  readonly callback: number | null;
}

export type Step =
  | { readonly op: 'module'; readonly module: ModulePlan }
  | {
      readonly op: 'core instantiate';
      readonly module: number;
      readonly args: readonly { readonly name: string; readonly instance: number }[];
    }
  | {
      readonly op: 'core exports';
      readonly exports: readonly { readonly name: string; readonly sort: CoreSort; readonly index: number }[];
    }
  | { readonly op: 'core alias'; readonly sort: CoreSort; readonly instance: number; readonly name: string }
  | { readonly op: 'component'; readonly plan: ComponentPlan }
  | {
      readonly op: 'instantiate';
      readonly component: number;
      readonly args: readonly { readonly name: string; readonly item: ItemRef }[];
      readonly type: InstanceType;
      readonly bind: readonly ResourceBinding[];
    }
  | {
      readonly op: 'exports';
      readonly exports: readonly {
        readonly name: string;
        readonly item: ItemRef;
        readonly type: ExternType;
      }[];
    }
  | {
      readonly op: 'alias';
      readonly sort: 'module' | 'func' | 'instance' | 'component';
      readonly instance: number;
      readonly name: string;
    }
  | {
      readonly op: 'outer alias';
      readonly sort: 'module' | 'component';
      readonly count: number;
      readonly index: number;
    }
  | { readonly op: 'resource'; readonly slot: number; readonly dtor: number | null }
  | {
      readonly op: 'lift';
      readonly func: number;
      readonly type: FuncType;
      readonly core: CoreFuncType;
      readonly options: CanonOptions;
    }
  | {
      readonly op: 'lower';
      readonly func: number;
      readonly type: FuncType;
      readonly core: CoreFuncType;
      readonly options: CanonOptions;
    }
  | { readonly op: 'resource.new' | 'resource.drop' | 'resource.rep'; readonly slot: number }
  /** WASI 0.3: kept whole, refused when compiled for running. */
  | {
      readonly op: 'builtin';
      readonly canon: Extract<CanonAst, { kind: 'builtin' }>;
      readonly element: ValType | null;
    }
  | {
      readonly op: 'import';
      readonly name: string;
      readonly type: ExternType;
      readonly bind: readonly ResourceBinding[];
    }
  /** Adds to the instance's exports, and pushes the item once more onto the index space of its sort. */
  | { readonly op: 'export'; readonly name: string; readonly item: ItemRef; readonly type: ExternType };
