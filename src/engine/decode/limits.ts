// How much a binary may ask for before decoding gives up. The defaults follow the limits that WebAssembly engines
// agree on (JS API, "Implementation-defined limits") and what component toolchains accept.
// Counts marked "whole file" are summed over all nested components; the others hold for one vector.

export interface DecodeLimits {
  /** Bytes of the whole file. */
  readonly fileBytes: number;
  /** Components within components and types within types. */
  readonly depth: number;
  /** Bytes of one name. */
  readonly nameBytes: number;
  /** Core modules, whole file. */
  readonly modules: number;
  /** Components, whole file. */
  readonly components: number;
  /** Core instances and instances, whole file. */
  readonly instances: number;
  /** Types, core types and declarators, whole file; also the types of one core module. */
  readonly types: number;
  /** Sections and entries of vectors altogether, whole file: what the decoded tree may weigh. */
  readonly items: number;
  /** Imports, exports, aliases, canonical functions: entries of one section or one instance. */
  readonly entries: number;
  /** Parameters of one function, and results of one core function. */
  readonly params: number;
  /** Fields, cases, tuple items, enum names. */
  readonly fields: number;
  readonly flags: number;
  readonly tables: number;
  readonly memories: number;
}

export const DEFAULT_DECODE_LIMITS: DecodeLimits = Object.freeze({
  fileBytes: 1 << 30,
  depth: 100,
  nameBytes: 100_000,
  modules: 1_000,
  components: 1_000,
  instances: 10_000,
  types: 1_000_000,
  items: 2_000_000,
  entries: 1_000_000,
  params: 1_000,
  fields: 10_000,
  flags: 1_000,
  tables: 100,
  memories: 100,
});
