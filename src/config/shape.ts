// What a value of the configuration is, said once: how it is read from YAML, how it is written back, and its JSON
// Schema. Everything else (the parser, the published schema, `config show`) comes from these.

import type { Json, JsonObject } from '../core/json.ts';
import type { Node } from '../policy/yaml.ts';

export interface Shape<T> {
  /** Without description and default, which belong to the place where the shape is used. */
  readonly schema: JsonObject;
  /** Throws what `place.fail` throws. */
  read(node: Node | null | undefined, place: Place): T;
  /** As a document would have it; undefined for what is left out there. */
  write(value: T): Json | undefined;
}

export type ValueOf<S> = S extends Shape<infer T> ? T : never;

/** Where in the document a value stands. */
export interface Place {
  /** `limits.caller.requests`, `components[0]`; empty for the document. */
  readonly path: string;
  /** What relative paths are relative to. */
  readonly directory: string;
  /** `anchor`: what to point at where there is no value. */
  at(step: string | number, anchor?: Node): Place;
  /** Ends the reading of this value, not of the document. */
  fail(node: Node | null | undefined, problem: string): never;
  /** What a part of the value is, or undefined if it failed: the others are still read. */
  attempt<T>(read: () => T): T | undefined;
  /** Remembers that the document itself says this. */
  written(node: Node): void;
}

/** One thing that is wrong with a document. */
export interface Problem {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

export interface Position {
  readonly line: number;
  readonly column: number;
}
