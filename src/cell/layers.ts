// Which outer layers this system offers around the permission model of Node, found by trying them once. All are
// optional; `witbox doctor` says what is weaker without. Nothing here needs to be installed by Witbox or run as root.

import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';

export interface Layers {
  /** What goes before the command of a cell. */
  readonly prefix: readonly string[];
  /** The kernel ends a cell with its broker. */
  readonly parentDeath: boolean;
  /** Own user, process, network, IPC and host name namespaces. */
  readonly namespaces: boolean;
}

export const NO_LAYERS: Layers = { prefix: [], parentDeath: false, namespaces: false };

const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/local/bin'];
const PROBE_MS = 3000;

export async function findLayers(): Promise<Layers> {
  if (process.platform !== 'linux') return NO_LAYERS;
  const setpriv = findTool('setpriv');
  const unshare = findTool('unshare');
  const truth = findTool('true');
  if (truth === undefined) return NO_LAYERS;
  // A process that loops cannot notice that its pipe was closed: the kernel is told to end it with its parent.
  const tie = setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--'];
  const parentDeath = tie.length > 0 && (await works([...tie, truth]));
  const outer = parentDeath ? tie : [];
  if (unshare === undefined) return { prefix: outer, parentDeath, namespaces: false };
  const apart = [
    ...outer,
    unshare,
    '--user',
    '--map-user=65534',
    '--map-group=65534',
    '--pid',
    '--net',
    '--ipc',
    '--uts',
    '--fork',
    '--kill-child',
    '--',
  ];
  const namespaces = await works([...apart, truth]);
  return { prefix: namespaces ? apart : outer, parentDeath, namespaces };
}

function findTool(name: string): string | undefined {
  return FOLDERS.map((folder) => `${folder}/${name}`).find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function works([command, ...args]: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command as string, args, { stdio: 'ignore', env: {}, timeout: PROBE_MS });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
