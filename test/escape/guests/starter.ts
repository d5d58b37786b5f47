// A broker that was given more descriptors than it knows of: starts a command as cells are started, and passes on what
// that says.

import { enter } from '../../../src/cell/enter.ts';
import { NO_LAYERS } from '../../../src/cell/layers.ts';

const child = enter(
  NO_LAYERS,
  [],
  ['/bin/sh', '-c', 'for at in /proc/self/fd/*; do readlink "$at"; done >&3'],
);
child.stdio[3]!.pipe(process.stdout);
