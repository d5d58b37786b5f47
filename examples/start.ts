// `npm start`: builds what is missing, loads the example components into a data directory of the demonstration alone,
// grants what is written here, and serves. Whoever reads the grants below knows all that the examples may do.
// Usage: npm start -- [--port 8080] [--data-dir .cache/demo]

import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Io } from '../src/cli/command.ts';
import { serve } from '../src/cli/commands/serve.ts';
import { createRedactor } from '../src/core/redact.ts';
import { createStore } from '../src/store/store.ts';
import { buildWithProgress } from './build-progress.ts';
import { guide } from './guide.ts';
import { EXAMPLES } from './list.ts';
import { loadComponents } from './serve.ts';

const ROOT = resolve(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8080' },
    'data-dir': { type: 'string', default: join(ROOT, '.cache/demo') },
  },
});
const DATA = resolve(values['data-dir']);
const NOTES = join(DATA, 'notes');

/** `requested`: the policy beside the source, read and found good. What is not here is granted nothing. */
const GRANTS: Readonly<Record<string, string>> = {
  designs: 'requested',
  wikipedia: 'requested',
  files: policy(`storage: { allow: [{ uri: "${storageUri(NOTES)}/**", access: [read, write] }] }`),
};

const built = await buildWithProgress(
  EXAMPLES.filter(({ bundled }) => bundled),
  process.stderr,
);
await mkdir(NOTES, { recursive: true });
const store = createStore(DATA);
for (const { id } of store.list()) await store.unload(id);
await loadComponents(
  DATA,
  [...built].map(([{ name }, file]) => {
    const granted = GRANTS[name];
    return granted === undefined ? { file } : { file, policy: granted };
  }),
);
await serve.run({ args: [], program: [], flags: { port: values.port, 'data-dir': DATA } }, demoIo());

function policy(permissions: string): string {
  return `version: "1.0"\npermissions: { ${permissions} }\n`;
}

function storageUri(path: string): string {
  return `fs://${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Like the command line's, but what to do next is said to everybody, on a terminal or not. */
function demoIo(): Io {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return {
    out: (text) => process.stdout.write(text),
    err(text) {
      process.stderr.write(text);
      const [, port] = /^Witbox serves[\s\S]*:(\d+)\/mcp\n/.exec(text) ?? [];
      if (port !== undefined) process.stderr.write(guide({ root: ROOT, dataDir: DATA, port }));
    },
    env: { ...process.env, WITBOX_LOG: process.env.WITBOX_LOG ?? 'warn' },
    stdin: process.stdin,
    stdout: process.stdout,
    isTerminal: false,
    redactor: createRedactor(),
    version,
    stopSignal() {
      const controller = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
      return controller.signal;
    },
  };
}
