// Which outer layers this system offers around the permission model of Node, the strongest that works, found by trying
// them once. All are optional; `witbox doctor` says what is weaker without. Nothing here needs to run as root.

import { accessSync, constants } from 'node:fs';
import { bubblewrapPrefix, librariesOf } from './bubblewrap.ts';
import { enter } from './enter.ts';
import { createFilter, isProcessor } from './seccomp/filter.ts';

export interface Layers {
  /** What goes before the command of a cell that reads these files and folders. */
  prefix(readable: readonly string[]): readonly string[];
  /** Filter of system calls, for the prefix to read from a descriptor. */
  readonly filter: Uint8Array | null;
  /** The kernel ends a cell with its broker. */
  readonly parentDeath: boolean;
  /** Own user, process, network, IPC and host name namespaces: what is started is the parent of the cell. */
  readonly namespaces: boolean;
  /** A root of its own, with nothing in it but what the cell reads. */
  readonly ownRoot: boolean;
}

export const NO_LAYERS: Layers = {
  prefix: () => [],
  filter: null,
  parentDeath: false,
  namespaces: false,
  ownRoot: false,
};

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];
const TRIAL_MS = 3000;

/** `node` is the program that will run inside them. */
export async function findLayers(node = process.execPath): Promise<Layers> {
  return (await findSeal(node)) ?? (await findNamespaces()) ?? NO_LAYERS;
}

/** Bubblewrap, with a filter where one can be made and the kernel takes it. */
export async function findSeal(node = process.execPath): Promise<Layers | undefined> {
  const bwrap = findTool('bwrap');
  if (process.platform !== 'linux' || bwrap === undefined) return undefined;
  const own = [node, ...(await librariesOf(node))];
  const filters = isProcessor(process.arch) ? [createFilter(process.arch), null] : [null];
  const candidates = filters.flatMap((filter) =>
    [outerSpace(), []].map((around) => ({
      prefix: (readable: readonly string[]) => [
        ...around,
        ...bubblewrapPrefix(bwrap, [...own, ...readable], filter !== null),
      ],
      filter,
      parentDeath: true,
      namespaces: true,
      ownRoot: true,
    })),
  );
  return firstThatWorks(candidates, [node, '--version']);
}

/**
 * Bubblewrap is two processes, and the inner one waits for the outer without end if that is killed in the first
 * milliseconds. In a process namespace of their own the kernel ends both.
 */
function outerSpace(): readonly string[] {
  const [setpriv, unshare] = [findTool('setpriv'), findTool('unshare')];
  return setpriv === undefined || unshare === undefined
    ? []
    : [...tied(setpriv), unshare, ...AS_NOBODY, ...OWN_PROCESSES, '--'];
}

const AS_NOBODY = ['--user', '--map-user=65534', '--map-group=65534'];
const OWN_PROCESSES = ['--pid', '--fork', '--kill-child'];

// A process that loops cannot notice that its pipe was closed: the kernel is told to end it with its parent.
const tied = (setpriv: string): readonly string[] => [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'];

/** The tools of util-linux, which nearly every Linux has: namespaces, and a life tied to the broker's. */
export async function findNamespaces(): Promise<Layers | undefined> {
  if (process.platform !== 'linux') return undefined;
  const [setpriv, unshare] = [findTool('setpriv'), findTool('unshare')];
  const tie = setpriv === undefined ? [] : tied(setpriv);
  const spaces =
    unshare === undefined ? [] : [unshare, ...AS_NOBODY, ...OWN_PROCESSES, '--net', '--ipc', '--uts', '--'];
  const layers = (prefix: readonly string[], namespaces: boolean): Layers => ({
    ...NO_LAYERS,
    prefix: () => prefix,
    parentDeath: prefix[0] === setpriv,
    namespaces,
  });
  const candidates = [
    layers([...tie, ...spaces], unshare !== undefined),
    layers(spaces, unshare !== undefined),
    layers(tie, false),
  ].filter((one) => one.prefix([]).length > 0);
  return firstThatWorks(candidates, [findTool('true') ?? process.execPath]);
}

export function findTool(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

async function firstThatWorks(
  candidates: readonly Layers[],
  command: readonly string[],
): Promise<Layers | undefined> {
  for (const layers of candidates) if (await works(layers, command)) return layers;
  return undefined;
}

function works(layers: Layers, command: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = enter(layers, [], command);
    const timer = setTimeout(() => child.kill('SIGKILL'), TRIAL_MS);
    const done = (good: boolean): void => {
      clearTimeout(timer);
      for (const stream of child.stdio ?? []) stream?.destroy();
      resolve(good);
    };
    child.once('error', () => done(false));
    child.once('exit', (code) => done(code === 0));
  });
}
