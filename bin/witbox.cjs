#!/usr/bin/env node
// Starts Witbox. Old syntax on purpose: it must run on any Node to be able to say that this one is too old.
'use strict';

var wanted = [24, 15];
var found = process.versions.node.split('.').map(Number);
var tooOld = found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1]);

if (tooOld) {
  process.stderr.write(
    'witbox needs Node ' +
      wanted.join('.') +
      ' or newer, this is ' +
      process.versions.node +
      '. Install a newer Node, or run it with: npx -p node@26 -p witbox witbox\n',
  );
  process.exitCode = 1;
} else {
  require('node:path');
  import('../dist/cli/main.js').then((cli) => cli.main());
}
