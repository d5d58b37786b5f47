// The filter as the kernel would run it, for both processors. What the kernel of this machine does with it is shown by
// an attacker in test/escape/sealed-cell.test.ts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ALLOW, createFilter, isProcessor, KILL, NOT_KNOWN, type Processor, REFUSE } from './filter.ts';
import { IF_ANY_BIT, IF_AT_LEAST, IF_EQUAL, LOAD, RETURN } from './program.ts';
import { DEADLY, LIMITED, NEEDED, UNKNOWN } from './system-calls.ts';

const AUDIT = { x64: 0xc000_003e, arm64: 0xc000_00b7 };
const I386 = 0x4000_0003;

/** What the filter says to a call; throws where the kernel would refuse the program. */
function ask(
  processor: Processor,
  number: number,
  args: readonly number[] = [],
  audit = AUDIT[processor],
): number {
  const program = createFilter(processor);
  const view = new DataView(program.buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, audit, true);
  args.forEach((value, index) => void data.setBigUint64(16 + 8 * index, BigInt(value), true));
  let loaded = 0;
  for (let at = 0; at < program.byteLength; at += 8) {
    const k = view.getUint32(at + 4, true);
    const branch = (holds: boolean): number => 8 * view.getUint8(at + (holds ? 2 : 3));
    switch (view.getUint16(at, true)) {
      case LOAD:
        loaded = data.getUint32(k, true);
        break;
      case IF_EQUAL:
        at += branch(loaded === k);
        break;
      case IF_AT_LEAST:
        at += branch(loaded >= k);
        break;
      case IF_ANY_BIT:
        at += branch((loaded & k) !== 0);
        break;
      case RETURN:
        return k;
      default:
        assert.fail(`an unknown instruction at ${at}`);
    }
  }
  return assert.fail('the program ends without an answer');
}

for (const [processor, column] of [
  ['x64', 0],
  ['arm64', 1],
] as const) {
  const numbers = (group: object): number[] =>
    Object.values(group as Record<string, readonly (number | null)[]>).flatMap((row) => row[column] ?? []);

  test(`${processor}: what is needed is allowed, what is deadly ends the process`, () => {
    for (const number of numbers(NEEDED)) assert.equal(ask(processor, number), ALLOW, `${number}`);
    for (const number of numbers(DEADLY)) assert.equal(ask(processor, number), KILL, `${number}`);
    for (const number of numbers(UNKNOWN)) assert.equal(ask(processor, number), NOT_KNOWN, `${number}`);
  });

  test(`${processor}: whatever stands in no list is refused, whatever is newer is unknown`, () => {
    const listed = new Set([NEEDED, LIMITED, UNKNOWN, DEADLY].flatMap(numbers));
    for (let number = 0; number <= 450; number++) {
      if (!listed.has(number)) assert.equal(ask(processor, number), REFUSE, `${number}`);
    }
    for (const number of [451, 462, 5000]) assert.equal(ask(processor, number), NOT_KNOWN);
  });

  test(`${processor}: no number stands in two lists`, () => {
    const all = [NEEDED, LIMITED, UNKNOWN, DEADLY].flatMap(numbers);
    assert.equal(new Set(all).size, all.length);
  });

  test(`${processor}: calls of another processor or of the x32 ABI end the process`, () => {
    const [read = 0] = numbers({ read: NEEDED.read });
    assert.equal(ask(processor, read, [], I386), KILL);
    assert.equal(ask(processor, read, [], AUDIT[processor === 'x64' ? 'arm64' : 'x64']), KILL);
    assert.equal(ask(processor, 0x4000_0000 + read), KILL);
    assert.equal(ask(processor, 0xffff_ffff), KILL);
  });

  test(`${processor}: threads are allowed and processes are not`, () => {
    const [clone = 0] = numbers({ clone: LIMITED.clone });
    // What pthread_create, fork and vfork say.
    assert.equal(ask(processor, clone, [0x003d_0f00]), ALLOW);
    assert.equal(ask(processor, clone, [0x0120_0011]), REFUSE);
    assert.equal(ask(processor, clone, [0x0000_4111]), REFUSE);
    assert.equal(ask(processor, clone, [0x1000_0011]), REFUSE);
  });

  test(`${processor}: only what is harmless may be asked of devices and of the process itself`, () => {
    const [ioctl = 0, prctl = 0, prlimit = 0] = numbers({
      ioctl: LIMITED.ioctl,
      prctl: LIMITED.prctl,
      prlimit64: LIMITED.prlimit64,
    });
    assert.equal(ask(processor, ioctl, [3, 0x5421]), ALLOW);
    // TIOCSTI types into the terminal; PR_SET_DUMPABLE and PR_SET_SECCOMP change what protects the process.
    assert.equal(ask(processor, ioctl, [0, 0x5412]), REFUSE);
    assert.equal(ask(processor, prctl, [15]), ALLOW);
    assert.equal(ask(processor, prctl, [4]), REFUSE);
    assert.equal(ask(processor, prctl, [22]), REFUSE);
    assert.equal(ask(processor, prlimit, [0]), ALLOW);
    assert.equal(ask(processor, prlimit, [1]), REFUSE);
  });
}

test('there is no filter for other processors', () => {
  assert.deepEqual(['x64', 'arm64', 's390x', 'ia32', 'toString'].map(isProcessor), [
    true,
    true,
    false,
    false,
    false,
  ]);
});
