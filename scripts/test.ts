// `npm test`: all tests, one file more at once than there are processors, since tests wait a lot. Node by itself would
// leave a processor out, which on a machine with two is half of it. Arguments go to the test runner, such as --test-name-pattern.

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const FILES = ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'];

const flags = ['--test', `--test-concurrency=${availableParallelism() + 1}`, '--test-reporter=dot'];
const runner = spawn(process.execPath, [...flags, ...process.argv.slice(2), ...FILES], { stdio: 'inherit' });
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
