// The codecs as the rest of Witbox uses them: for one type, and for a function as a tool (arguments by name in, JSON or
// an error out). Compile once, use for every call. Errors are WitboxErrors that name place, rule and value.

import { compileReader, fieldsReader, type ReaderMemo } from './from-json.ts';
import { type HandleTable, NO_HANDLES } from './handle.ts';
import { asWitboxError } from './misfit.ts';
import { compileWriter, type Json } from './to-json.ts';
import type { FuncType, ValType } from './type.ts';
import type { Value } from './value.ts';

export interface Codec {
  fromJson(json: unknown): Value;
  toJson(value: Value): Json;
}

/** A call's outcome in JSON. A function without a result gives null; the err of a `result` is a failure. */
type Outcome = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: Json };

export interface FuncCodec {
  /** Arguments by name → values in the order of the parameters. */
  args(json: unknown): Value[];
  outcome(result: Value): Outcome;
}

export function createCodec(type: ValType, handles: HandleTable = NO_HANDLES): Codec {
  return {
    fromJson: telling(compileReader(type, handles)),
    toJson: telling(compileWriter(type, handles)),
  };
}

export function createFuncCodec(func: FuncType, handles: HandleTable = NO_HANDLES): FuncCodec {
  const memo: ReaderMemo = new Map();
  const args = fieldsReader(func.params, (type) => compileReader(type, handles, memo));
  return { args: telling(args), outcome: telling(compileOutcome(func.result, handles)) };
}

function compileOutcome(type: ValType | null, handles: HandleTable): (value: Value) => Outcome {
  if (type === null) return () => ({ ok: true, value: null });
  const write = compileWriter(type, handles);
  if (type.kind !== 'result') return (value) => ({ ok: true, value: write(value) });
  return (value) => {
    const json = write(value) as { readonly ok: Json } | { readonly err: Json };
    return 'ok' in json ? { ok: true, value: json.ok } : { ok: false, error: json.err };
  };
}

function telling<A, R>(run: (input: A) => R): (input: A) => R {
  return (input) => {
    try {
      return run(input);
    } catch (error) {
      throw asWitboxError(error);
    }
  };
}
