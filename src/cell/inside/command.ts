// Programs with a `main`: core modules with `_start`, components that export `wasi:cli/run`. As a tool such a program
// takes arguments and standard input and gives standard output; a status other than 0 is its error. Standard error
// goes to the log of the call. A program runs once: it never shares an instance.

import type { Compiled, Instance } from '../../engine/engine.ts';
import type { WasiOptions } from '../../wasi/wasi.ts';
import type { FuncType, ValType } from '../../wit/type.ts';
import type { Value } from '../../wit/value.ts';
import type { FuncDescription } from '../description.ts';
import { exitOf } from './failure.ts';

const STRING: ValType = { kind: 'string' };

const TYPE: FuncType = {
  params: [
    { name: 'args', type: { kind: 'option', some: { kind: 'list', element: STRING } } },
    { name: 'stdin', type: { kind: 'option', some: STRING } },
  ],
  result: {
    kind: 'result',
    ok: STRING,
    err: {
      kind: 'record',
      fields: [
        { name: 'status', type: { kind: 'u32' } },
        { name: 'stdout', type: STRING },
      ],
    },
  },
  async: false,
};

const PROGRAM_NAME = 'main';

export interface Program {
  /** What the world looks like to this run. */
  readonly wasi: WasiOptions;
  run(instance: Instance): Promise<Value>;
}

export interface Command {
  readonly description: FuncDescription;
  begin(args: readonly Value[], mostOutput: number): Program;
}

/** The `main` of a compiled program, if it has one. */
export function commandOf(compiled: Compiled): Command | null {
  const entry = entryOf(compiled);
  if (entry === null) return null;
  return {
    description: { path: compiled.kind === 'module' ? [PROGRAM_NAME] : entry, type: TYPE },
    begin([args, stdin], mostOutput) {
      const output: Uint8Array[] = [];
      let room = mostOutput + 1;
      return {
        wasi: {
          args: [PROGRAM_NAME, ...((args as string[] | undefined) ?? [])],
          stdin: Buffer.from((stdin as string | undefined) ?? ''),
          onStdout(bytes) {
            // One byte more than may be given is enough to know that it was too much.
            const kept = bytes.slice(0, room);
            room -= kept.byteLength;
            if (kept.byteLength > 0) output.push(kept);
          },
        },
        async run(instance) {
          const status = await statusOf(instance, entry);
          const stdout = Buffer.concat(output).toString('utf8');
          return status === 0 ? { tag: 'ok', val: stdout } : { tag: 'err', val: { status, stdout } };
        },
      };
    },
  };
}

function entryOf(compiled: Compiled): readonly string[] | null {
  const { exports } = compiled.type;
  if (compiled.kind === 'module') {
    const start = exports.get('_start');
    return start?.kind === 'func' && start.type.params.length === 0 ? ['_start'] : null;
  }
  for (const [name, extern] of exports) {
    if (name.startsWith('wasi:cli/run@0.2.') && extern.kind === 'instance') return [name, 'run'];
  }
  return null;
}

async function statusOf(instance: Instance, entry: readonly string[]): Promise<number> {
  try {
    const result = (await instance.call(entry, [])) as { readonly tag?: string } | undefined;
    return result?.tag === 'err' ? 1 : 0;
  } catch (error) {
    const exit = exitOf(error);
    if (exit === null) throw error;
    return exit.code;
  }
}
