// The few instructions of classic BPF that a filter of system calls is made of, and their bytes as the kernel takes
// them (`struct sock_filter`, little-endian). A condition always guards the block behind it, so there are no labels.

export interface Instruction {
  readonly code: number;
  /** Instructions to skip if the condition holds, and if it does not. */
  readonly jt: number;
  readonly jf: number;
  readonly k: number;
}

/** BPF_LD | BPF_W | BPF_ABS, BPF_JMP with BPF_JEQ, BPF_JGE and BPF_JSET, BPF_RET, all with a constant. */
export const LOAD = 0x20;
export const IF_EQUAL = 0x15;
export const IF_AT_LEAST = 0x35;
export const IF_ANY_BIT = 0x45;
export const RETURN = 0x06;

type Condition = typeof IF_EQUAL | typeof IF_AT_LEAST | typeof IF_ANY_BIT;

const SIZE = 8;
/** The kernel's BPF_MAXINSNS, and what fits into a jump. */
const MOST_INSTRUCTIONS = 4096;
const FARTHEST = 255;

export const load = (offset: number): Instruction => ({ code: LOAD, jt: 0, jf: 0, k: offset });

export const give = (action: number): Instruction => ({ code: RETURN, jt: 0, jf: 0, k: action });

/** Runs the block if the condition holds for what was loaded last, else goes on behind it. */
export const when = (condition: Condition, k: number, block: readonly Instruction[]): Instruction[] => [
  { code: condition, jt: 0, jf: distance(block), k },
  ...block,
];

/** Runs the block if the condition does not hold. */
export const unless = (condition: Condition, k: number, block: readonly Instruction[]): Instruction[] => [
  { code: condition, jt: distance(block), jf: 0, k },
  ...block,
];

function distance({ length }: readonly Instruction[]): number {
  if (length > FARTHEST) throw new RangeError('A block of a filter is too long');
  return length;
}

export function assemble(program: readonly Instruction[]): Uint8Array {
  if (program.length > MOST_INSTRUCTIONS) throw new RangeError('A filter is too long');
  const bytes = new Uint8Array(program.length * SIZE);
  const view = new DataView(bytes.buffer);
  program.forEach(({ code, jt, jf, k }, index) => {
    view.setUint16(index * SIZE, code, true);
    view.setUint8(index * SIZE + 2, jt);
    view.setUint8(index * SIZE + 3, jf);
    view.setUint32(index * SIZE + 4, k, true);
  });
  return bytes;
}
