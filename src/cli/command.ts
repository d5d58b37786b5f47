// What a command is: its words for the help, its flags, and what it does. A command file in commands/ exports one,
// made with `defineCommand`; the table in commands.ts names it. Commands get everything through `io`: they never touch
// argv, the environment or the exit status themselves.

import type { Redactor } from '../core/redact.ts';

export interface Flag {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly multiple?: boolean;
  /** What stands for the value in the help: `FILE`, `HOST`. For strings only. */
  readonly value?: string;
  readonly summary: string;
}

export interface Flags {
  readonly [name: string]: Flag;
}

type FlagValues<F extends Flags> = {
  readonly [K in keyof F]?: F[K] extends { type: 'boolean' }
    ? boolean
    : F[K] extends { multiple: true }
      ? readonly string[]
      : string;
};

export interface Io {
  /** Rejects nothing: a reader who went away ends the process quietly. */
  out(text: string): void;
  err(text: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  /** Standard output is a terminal. */
  readonly isTerminal: boolean;
  readonly version: string;
  /** Knows the secrets of this process: for all that is logged. */
  readonly redactor: Redactor;
  /** Aborted by the first interrupt or termination; from the call on, the process no longer ends by itself on these. */
  stopSignal(): AbortSignal;
  /** Calls the listener whenever the process is told to read its configuration again. */
  onReload?(listener: () => void): void;
}

export interface Input<F extends Flags> {
  readonly args: readonly string[];
  /** The words after `--`, for commands that take a program there. */
  readonly program: readonly string[];
  readonly flags: FlagValues<F>;
}

export interface Command<F extends Flags = Flags> {
  /** What stands after the command's name: `FILE`, `TARGET [ARGS]`. */
  readonly args: string;
  /** How many arguments it takes. */
  readonly arity: readonly [least: number, most: number];
  /** What stands after `--` is a program to start, and no argument. */
  readonly takesProgram?: boolean;
  /** What the help says beyond the summary in the table: a few lines, with examples. */
  readonly help: string;
  readonly flags: F;
  /** A number is the exit status; nothing means success. */
  run(input: Input<F>, io: Io): Promise<number | undefined> | number | undefined;
}

export function defineCommand<const F extends Flags>(command: Command<F>): Command<F> {
  return command;
}
