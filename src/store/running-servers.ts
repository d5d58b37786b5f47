// Which servers of a data directory are running with a configuration, so that they can be told to read it again. One
// small file each, with an identity that no later process can have; files of those that are gone are removed by whoever
// looks.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { currentProcess, type ProcessIdentity, processState } from './process-identity.ts';

export interface RunningServer {
  readonly pid: number;
  /** The file of its configuration. */
  readonly config: string;
}

interface RunFile {
  readonly process: ProcessIdentity;
  readonly config: string;
}

const FOLDER = 'run';
const MAX_BYTES = 64 * 1024;

/** Gives what takes the notice away again. */
export function announceServer(directory: string, config: string): () => void {
  const folder = join(directory, FOLDER);
  const path = join(folder, `${process.pid}.json`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const notice: RunFile = { process: currentProcess(), config };
  writeFileSync(path, `${JSON.stringify(notice)}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** Those of this machine that are certainly there. */
export function runningServers(directory: string): readonly RunningServer[] {
  const folder = join(directory, FOLDER);
  const self = currentProcess();
  return names(folder).flatMap((name) => {
    const path = join(folder, name);
    const notice = readNotice(path);
    const state = notice === null ? 'gone' : processState(notice.process, self);
    if (state === 'gone') rmSync(path, { force: true });
    return notice !== null && state === 'running' ? [{ pid: notice.process.pid, config: notice.config }] : [];
  });
}

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name));
  } catch {
    return [];
  }
}

function readNotice(path: string): RunFile | null {
  try {
    const text = readFileSync(path, 'utf8');
    const { process: found, config } = JSON.parse(text.slice(0, MAX_BYTES)) as Partial<RunFile>;
    const isWhole = Number.isSafeInteger(found?.pid) && found!.pid > 0 && typeof found?.place === 'string';
    return isWhole && typeof config === 'string' ? { process: found!, config } : null;
  } catch {
    return null;
  }
}
