// An attacker who runs machine code: makes the system calls that it is told to, and tells what the kernel said to each:
// 0 if it was done, else the error number.

import { dlopen, getInt32 } from 'node:ffi';
import { means, tell } from './attempts.js';

const number = 'i64';
const { functions } = dlopen('libc.so.6', {
  syscall: { arguments: Array(7).fill(number), return: number },
  __errno_location: { arguments: [], return: 'pointer' },
});

const { calls } = await means();
tell(
  calls.map(({ number, args = [] }) => {
    const six = Array.from({ length: 6 }, (_, index) => BigInt(args[index] ?? 0));
    const result = functions.syscall(BigInt(number), ...six);
    return result === -1n ? getInt32(functions.__errno_location()) : 0;
  }),
);
