// The part of the WebAssembly JavaScript API that the engine uses, with JSPI, as Node has it. TypeScript only knows it
// together with the whole browser. Types only: WebAssembly JS API §5, JavaScript Promise Integration.

declare namespace WebAssembly {
  type Bytes = ArrayBuffer | ArrayBufferView;
  // biome-ignore lint/suspicious/noExplicitAny: core functions take and give numbers, bigints and references
  type CoreFunction = (...args: any[]) => any;
  type ExportValue = CoreFunction | Global | Memory | Table | Tag;
  type ImportValue = ExportValue | Suspending | number | bigint;
  type Imports = Record<string, Record<string, ImportValue>>;
  type Exports = Record<string, ExportValue>;
  type ExternKind = 'function' | 'global' | 'memory' | 'table' | 'tag';

  interface CompileOptions {
    builtins?: string[];
  }

  function compile(bytes: Bytes, options?: CompileOptions): Promise<Module>;
  function validate(bytes: Bytes, options?: CompileOptions): boolean;
  function promising(fn: CoreFunction): (...args: unknown[]) => Promise<unknown>;

  class Module {
    constructor(bytes: Bytes, options?: CompileOptions);
    static imports(module: Module): { module: string; name: string; kind: ExternKind }[];
    static exports(module: Module): { name: string; kind: ExternKind }[];
    static customSections(module: Module, name: string): ArrayBuffer[];
  }

  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Exports;
  }

  class Memory {
    constructor(type: { initial: number; maximum?: number; shared?: boolean });
    constructor(type: { initial: bigint; maximum?: bigint; shared?: boolean; address: 'i64' });
    readonly buffer: ArrayBuffer;
    grow(delta: number): number;
  }

  class Table {
    constructor(
      type: { element: 'anyfunc' | 'externref'; initial: number; maximum?: number },
      value?: unknown,
    );
    readonly length: number;
    get(index: number): unknown;
    set(index: number, value?: unknown): void;
    grow(delta: number, value?: unknown): number;
  }

  class Global {
    constructor(type: { value: string; mutable?: boolean }, value?: unknown);
    // biome-ignore lint/suspicious/noExplicitAny: as core functions
    value: any;
  }

  class Tag {
    constructor(type: { parameters: string[] });
  }

  class Exception extends Error {
    constructor(tag: Tag, payload: unknown[]);
    is(tag: Tag): boolean;
    getArg(tag: Tag, index: number): unknown;
  }

  class Suspending {
    constructor(fn: CoreFunction);
  }

  class SuspendError extends Error {}
  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}
}
