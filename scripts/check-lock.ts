// Fails if the lock file misses optional packages of other platforms. npm leaves them out when it cannot see them, and
// `npm ci` then refuses the lock file everywhere. `--fix` puts them in by name and version; whoever installs on such a
// platform fetches the rest.

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Package {
  readonly version?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const file = resolve(import.meta.dirname, '../package-lock.json');
const lock: { packages: Record<string, Package> } = JSON.parse(readFileSync(file, 'utf8'));

const missing = Object.entries(lock.packages).flatMap(([path, { dev, optionalDependencies = {} }]) =>
  Object.entries(optionalDependencies)
    .filter(
      ([name]) => !lock.packages[`${path}/node_modules/${name}`] && !lock.packages[`node_modules/${name}`],
    )
    .map(([name, version]) => ({ name, version, dev })),
);

if (process.argv[2] === '--fix') {
  for (const { name, version, dev } of missing) {
    lock.packages[`node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(dev && { dev }),
      optional: true,
    };
  }
  const [root, ...rest] = Object.entries(lock.packages);
  rest.sort(([a], [b]) => (a < b ? -1 : 1));
  lock.packages = Object.fromEntries([root!, ...rest]);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
} else {
  for (const { name, version } of missing) console.error(`package-lock.json: ${name}@${version} is missing`);
  if (missing.length > 0) {
    console.error('Run "node scripts/check-lock.ts --fix"');
    process.exitCode = 1;
  }
}

/** Such packages carry their platform in their name: `…-linux-x64-musl`. */
function platformOf(name: string): Pick<Package, 'os' | 'cpu' | 'libc'> {
  const parts =
    /-(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z0-9]+)(?:-(\w+))?$/.exec(
      name,
    );
  if (!parts) throw new Error(`Cannot tell the platform of ${name}`);
  const [, os, cpu, abi = ''] = parts;
  const libc = abi.startsWith('musl') ? 'musl' : abi.startsWith('gnu') ? 'glibc' : null;
  return { cpu: [cpu!], ...(libc && { libc: [libc] }), os: [os!] };
}
