// Which system calls a cell may make: those that it needs, by a list of what is allowed. Everything else is refused
// with an error that Node can show, and what only injected machine code would ask for ends the process.
// Invariant: no new process, no socket, no signal to another process, no change of namespaces, mounts or identity.
// `execve` stays allowed, since Node itself is started behind the filter: the filter outlives it, and nothing but Node
// is there to be started.

import {
  assemble,
  give,
  IF_ANY_BIT,
  IF_AT_LEAST,
  IF_EQUAL,
  type Instruction,
  load,
  unless,
  when,
} from './program.ts';
import { DEADLY, LAST_NUMBER, LIMITED, NEEDED, type Numbers, UNKNOWN } from './system-calls.ts';

export const ALLOW = 0x7fff_0000;
export const KILL = 0x8000_0000;
/** SECCOMP_RET_ERRNO with EPERM and with ENOSYS. */
export const REFUSE = 0x0005_0001;
export const NOT_KNOWN = 0x0005_0026;

/** Where things stand in `struct seccomp_data`. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

const PROCESSORS = {
  x64: { audit: 0xc000_003e, column: 0 },
  arm64: { audit: 0xc000_00b7, column: 1 },
} as const;
export type Processor = keyof typeof PROCESSORS;

/** Calls of the x32 ABI have this bit: a second set of numbers for the same kernel, which nothing here uses. */
const X32 = 0x4000_0000;

const CLONE_THREAD = 0x0001_0000;
/** TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX */
const IOCTLS = [0x5401, 0x541b, 0x5421, 0x5450, 0x5451] as const;
/** PR_SET_NAME, PR_GET_NAME, PR_SET_VMA (names of threads and of memory) */
const PRCTLS = [15, 16, 0x5356_4d41] as const;

const allow = [give(ALLOW)];
const oneOf = (index: number, values: readonly number[]): Instruction[] => [
  load(argument(index)),
  ...values.flatMap((value) => when(IF_EQUAL, value, allow)),
  give(REFUSE),
];

/** What decides about a call that is needed with some arguments only. */
const BY_ARGUMENT: Readonly<Record<keyof typeof LIMITED, readonly Instruction[]>> = {
  // Threads share everything with their process; whatever is not a thread would be another process.
  clone: [load(argument(0)), ...when(IF_ANY_BIT, CLONE_THREAD, allow), give(REFUSE)],
  ioctl: oneOf(1, IOCTLS),
  prctl: oneOf(0, PRCTLS),
  prlimit64: oneOf(0, [0]),
};

export function isProcessor(name: string): name is Processor {
  return Object.hasOwn(PROCESSORS, name);
}

/** The filter for a processor, as bytes for the kernel. */
export function createFilter(processor: Processor): Uint8Array {
  const { audit, column } = PROCESSORS[processor];
  const rule = (numbers: Numbers, block: readonly Instruction[]): Instruction[] => {
    const number = numbers[column];
    return number === null ? [] : when(IF_EQUAL, number, block);
  };
  const rules = (group: Readonly<Record<string, Numbers>>, action: number): Instruction[] =>
    Object.values(group).flatMap((numbers) => rule(numbers, [give(action)]));
  return assemble([
    load(ARCHITECTURE),
    // 32-bit programs have other numbers for the same calls.
    ...unless(IF_EQUAL, audit, [give(KILL)]),
    load(NUMBER),
    ...when(IF_AT_LEAST, X32, [give(KILL)]),
    ...rules(NEEDED, ALLOW),
    ...Object.entries(BY_ARGUMENT).flatMap(([name, block]) =>
      rule(LIMITED[name as keyof typeof LIMITED], block),
    ),
    // The C library falls back to `clone`, whose flags can be seen; those of `clone3` lie in memory.
    ...rules(UNKNOWN, NOT_KNOWN),
    ...rules(DEADLY, KILL),
    ...when(IF_AT_LEAST, LAST_NUMBER + 1, [give(NOT_KNOWN)]),
    give(REFUSE),
  ]);
}
