// Arguments and results of functions against their types, on this side of a cell: arguments before a cell sees them,
// results before a client does. The cell reads and writes by the same types; a cell that was taken over might not.

import type { FuncDescription } from '../cell/description.ts';
import { failure, type Outcome } from '../cell/outcome.ts';
import { WitboxError } from '../core/errors.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { type Codec, createCodec, createFuncCodec, type FuncCodec } from '../wit/codec.ts';
import type { HandleTable } from '../wit/handle.ts';
import type { FuncType } from '../wit/type.ts';

/** Only the cell knows which handles live: any text may be one. */
const ANY_HANDLE: HandleTable = { give: () => '', take: () => 0 };

export interface FunctionTypes {
  /** The outcome that these arguments come to without being passed on; null if they fit. */
  misfit(path: readonly string[], args: JsonObject): Outcome | null;
  /** What is wrong with a result, in words; null if it fits. */
  resultFault(path: readonly string[], result: Json): string | null;
}

interface Codecs {
  readonly type: FuncType;
  args: FuncCodec | null;
  result: Codec | null;
}

export function createFunctionTypes(functions: readonly FuncDescription[]): FunctionTypes {
  const known = new Map<string, Codecs>(
    functions.map(({ path, type }) => [path.join('\n'), { type, args: null, result: null }]),
  );
  return {
    misfit(path, args) {
      const found = known.get(path.join('\n'));
      if (found === undefined) return null;
      found.args ??= createFuncCodec(found.type, ANY_HANDLE);
      const { args: codec } = found;
      const problem = problemOf(() => codec.args(args));
      return problem === null ? null : { ...failure('misfit', problem), denials: [], wallMs: 0 };
    },
    resultFault(path, result) {
      const found = known.get(path.join('\n'));
      const type = found?.type.result;
      const value = type?.kind === 'result' ? type.ok : type;
      if (found === undefined || value === null || value === undefined) return null;
      found.result ??= createCodec(value, ANY_HANDLE);
      const { result: codec } = found;
      return problemOf(() => codec.fromJson(result));
    },
  };
}

function problemOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    if (error instanceof WitboxError && error.code === 'value-misfit') return error.message;
    throw error;
  }
}
