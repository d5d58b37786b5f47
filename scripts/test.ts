// `npm test`: all tests, as many files at once as there are processors. Node by itself would leave one of them out,
// which on a machine with two is half of it. Arguments go to the test runner, such as --test-name-pattern.

import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const FILES = ['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts'];

const flags = ['--test', `--test-concurrency=${availableParallelism()}`, '--test-reporter=dot'];
const runner = spawn(process.execPath, [...flags, ...process.argv.slice(2), ...FILES], { stdio: 'inherit' });
runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
