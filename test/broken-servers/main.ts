// Runs one broken server on stdio: node main.ts ID. Without an id, the correct one.

import { BROKEN } from './faults.ts';
import { serveStdio } from './transports/stdio.ts';

serveStdio(BROKEN[process.argv[2] ?? '']?.fault ?? { slow: true });
