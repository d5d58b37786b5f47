// A cell that belongs to an attacker from its first line: nothing protects but the flags and the outer layers.

import { fstatSync } from 'node:fs';
import { attempts, means, signals, tell, tryAll } from './attempts.js';

process.on('uncaughtException', () => {});
process.on('unhandledRejection', () => {});

/** 0 to 3 are its own; Node has a few more for its event loop, none of which is a file or an inherited socket. */
function openDescriptors() {
  const found = [];
  for (let descriptor = 4; descriptor < 64; descriptor++) {
    try {
      const stat = fstatSync(descriptor);
      if (stat.isDirectory()) found.push('directory');
      if (stat.isFile() || stat.isSocket() || stat.isBlockDevice()) found.push(descriptor);
    } catch {
      // Not open.
    }
  }
  return found;
}

const known = await means();
const descriptors = openDescriptors();
tell({
  ...(await tryAll(attempts, known)),
  signals: (await tryAll(signals, known)).through,
  environment: { ...process.env },
  descriptors,
});
