// Development tools from npm, in pinned versions, fetched into .cache/tools when somebody asks for them: they are no
// dependencies of the package. Needs the network the first time. Types here cover what the tests use, no more.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const CACHE = new URL('../../.cache/', import.meta.url);

const PACKAGES = [
  '@bytecodealliance/jco@1.35.0',
  '@bytecodealliance/componentize-js@0.22.0',
  'componentize-qjs@0.4.5',
];

export interface Jco {
  parse(wat: string): Promise<Uint8Array>;
  componentEmbed(options: { binary: Uint8Array; witSource: string }): Promise<Uint8Array>;
  componentNew(core: Uint8Array, adapters: [name: string, bytes: Uint8Array][]): Promise<Uint8Array>;
  preview1AdapterReactorPath(): URL;
  transpile(
    component: Uint8Array,
    options: { name: string; instantiation: 'async' | 'sync'; multiMemory: boolean; quiet: boolean },
  ): Promise<{ files: Record<string, Uint8Array> }>;
}

export interface ComponentizeQjs {
  componentize(options: {
    witPath: string;
    jsSource: string;
    sync: boolean;
    optSize: boolean;
  }): Promise<{ component: Uint8Array }>;
}

export interface ComponentizeJs {
  componentize(options: {
    sourcePath: string;
    witPath: string;
    worldName: string;
    disableFeatures: string[];
  }): Promise<{ component: Uint8Array }>;
}

export async function importJco(): Promise<Jco> {
  return (await importTool('@bytecodealliance/jco/dist/api.js')) as Jco;
}

export async function importComponentizeQjs(): Promise<ComponentizeQjs> {
  return (await importTool('componentize-qjs/index.js')) as ComponentizeQjs;
}

export async function importComponentizeJs(): Promise<ComponentizeJs> {
  return (await importTool('@bytecodealliance/componentize-js/src/componentize.js')) as ComponentizeJs;
}

/** Imports a file of an installed package; tests may also use it for the WASI shims that come with jco. */
export async function importTool(path: string): Promise<unknown> {
  const folder = new URL('tools/', CACHE);
  const stamp = new URL(`installed-${PACKAGES.map((name) => name.split('@').at(-1)).join('-')}`, folder);
  if (!existsSync(stamp)) {
    mkdirSync(folder, { recursive: true });
    console.error(`Fetching ${PACKAGES.join(', ')} into .cache/tools`);
    const prefix = `--prefix=${fileURLToPath(folder)}`;
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)('npm', ['install', ...quiet, prefix, ...PACKAGES]);
    writeFileSync(stamp, '');
  }
  return import(new URL(`node_modules/${path}`, folder).href);
}
