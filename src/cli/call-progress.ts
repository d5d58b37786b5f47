// Progress of a call as it comes, on standard error: one line that is written over on a terminal, lines elsewhere.

import type { CallOptions } from '../client/client.ts';
import type { Io } from './command.ts';
import { printable } from './printable.ts';

const WIDTH = 20;

export function createCallProgress(io: Io): Pick<CallOptions, 'onProgress' | 'onTask'> & { end(): void } {
  const overwrites = process.stderr.isTTY === true;
  let written = false;
  const show = (text: string): void => {
    written = true;
    io.err(overwrites ? `\r\x1b[K${text}` : `${text}\n`);
  };
  return {
    onProgress({ progress, total, message }) {
      const share = total ? Math.min(1, Math.max(0, progress / total)) : null;
      const full = Math.round((share ?? 0) * WIDTH);
      const bar = share === null || !overwrites ? '' : `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} `;
      const count = total === undefined ? String(progress) : `${progress}/${total}`;
      show(`${bar}${count}${message ? ` ${printable(message)}` : ''}`);
    },
    onTask({ status, message }) {
      show(`task ${printable(status)}${message ? `: ${printable(message)}` : ''}`);
    },
    end() {
      if (written && overwrites) io.err('\r\x1b[K');
    },
  };
}
