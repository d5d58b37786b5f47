#!/usr/bin/env node
// Starts Witbox. Old syntax on purpose: it must run on any Node to be able to say that this one is too old.
'use strict';

var complaint = require('./node-version.cjs')(process.versions.node);

if (complaint) {
  process.stderr.write(complaint);
  process.exitCode = 1;
} else {
  require('./start.cjs');
}
