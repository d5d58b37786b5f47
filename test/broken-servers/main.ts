// Runs one broken server on stdio: node main.ts ID. Without an id, the correct one.

import { BROKEN } from './faults.ts';
import { serveStdio } from './transports.ts';

serveStdio(BROKEN[process.argv[2] ?? '']?.fault ?? {});
