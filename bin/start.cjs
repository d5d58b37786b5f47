// Loads the command line. A clone runs its source as it stands, so what is tested is what is written; the package on
// npm has no source, only what it was built into. Kept apart from witbox.cjs, whose readers may not know `import`.
'use strict';

const { existsSync } = require('node:fs');
const { join } = require('node:path');

const isClone = existsSync(join(__dirname, '../src/cli/main.ts'));
const loading = isClone ? import('../src/cli/main.ts') : import('../dist/cli/main.js');

loading.then((cli) => cli.main());
