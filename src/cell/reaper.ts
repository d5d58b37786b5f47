// Where the kernel cannot be told to end cells with their broker, a shell of a few lines does: it is told of every
// cell, and when its input ends, because the broker is gone for whatever reason, it kills the cells that are left.
// It holds nothing else and ignores the signals that a terminal sends to a whole group.

import { spawn } from 'node:child_process';

export interface Reaper {
  watch(pid: number): void;
  release(pid: number): void;
  close(): void;
}

const SCRIPT = `trap '' INT TERM HUP QUIT
cells=' '
while read -r what pid; do
  case $what in
    watch) cells="$cells$pid " ;;
    release) case $cells in *" $pid "*) cells="\${cells%% $pid *} \${cells#* $pid }" ;; esac ;;
  esac
done
for pid in $cells; do kill -9 "$pid" 2>/dev/null; done`;

export function createReaper(): Reaper {
  const shell = spawn('/bin/sh', ['-c', SCRIPT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
    detached: true,
  });
  shell.unref();
  // A missing shell or a broken pipe leaves the cells to their own end of file: weaker, never fatal.
  shell.on('error', () => {});
  shell.stdin.on('error', () => {});
  const tell = (line: string): void => {
    if (shell.stdin.writable) shell.stdin.write(`${line}\n`);
  };
  return {
    watch: (pid) => tell(`watch ${pid}`),
    release: (pid) => tell(`release ${pid}`),
    close: () => void shell.stdin.end(),
  };
}

/** Windows ends children with their parent by itself (job objects); with a parent-death signal the kernel does. */
export const NO_REAPER: Reaper = { watch() {}, release() {}, close() {} };
