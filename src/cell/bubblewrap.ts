// The strongest layer around a cell: bubblewrap (`bwrap`) gives it namespaces of its own and a root with nothing in it
// but Node, the libraries that Node loads, and the code of the cell, all of it read-only. There is no /proc and no
// /dev. The kernel ends the cell with its broker. Sets one variable, PWD, to "/".

import { execFile } from 'node:child_process';

/** The descriptor from which a filter of system calls is read. */
export const FILTER_DESCRIPTOR = 4;

const TRACE_MS = 3000;
const NOBODY = '65534';

/** What goes before the command of a cell that reads these files and folders. */
export function bubblewrapPrefix(
  bwrap: string,
  readable: readonly string[],
  filtered: boolean,
): readonly string[] {
  return [
    bwrap,
    '--unshare-user',
    '--unshare-all',
    '--uid',
    NOBODY,
    '--gid',
    NOBODY,
    '--hostname',
    'cell',
    '--cap-drop',
    'ALL',
    '--die-with-parent',
    '--new-session',
    // No process beside the cell's own in its namespace: it is the only child of what is started here.
    '--as-pid-1',
    ...readable.flatMap((path) => ['--ro-bind', path, path]),
    // What holds these paths is a file system in memory, which nobody would count.
    '--remount-ro',
    '/',
    '--chdir',
    '/',
    ...(filtered ? ['--seccomp', `${FILTER_DESCRIPTOR}`] : []),
    '--',
  ];
}

/** The libraries that the loader of the system finds for a program, by the paths it looks them up with. */
export function librariesOf(program: string): Promise<readonly string[]> {
  return new Promise((resolve) => {
    // With this variable the loader prints what it would load, and the program does not run.
    const options = { env: { LD_TRACE_LOADED_OBJECTS: '1' }, timeout: TRACE_MS, encoding: 'latin1' } as const;
    const child = execFile(program, ['--version'], options, (error, text) => {
      const paths = text.matchAll(/^\s*(?:\S+ => )?(\/.+) \(0x[0-9a-f]+\)$/gm);
      resolve(error === null ? Array.from(paths, ([, path]) => path as string) : []);
    });
    child.stdin?.end();
  });
}
