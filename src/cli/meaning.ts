// What an import means to the person who decides about permissions. The kinds are those of policy documents; `none`
// is what every guest gets because nothing of the world can be learned or changed by it.

export type Meaning = 'network' | 'storage' | 'environment' | 'keyvalue' | 'none' | 'unknown';

/** First match counts. */
const INTERFACES: readonly (readonly [prefix: string, meaning: Meaning])[] = [
  ['wasi:http/', 'network'],
  ['wasi:sockets/', 'network'],
  ['wasi:filesystem/', 'storage'],
  ['wasi:cli/environment', 'environment'],
  ['wasi:config/', 'environment'],
  ['wasi:keyvalue/', 'keyvalue'],
  ['wasi:cli/', 'none'],
  ['wasi:io/', 'none'],
  ['wasi:clocks/', 'none'],
  ['wasi:random/', 'none'],
  ['wasi:logging/', 'none'],
];

export function meaningOf(importName: string): Meaning {
  return INTERFACES.find(([prefix]) => importName.startsWith(prefix))?.[1] ?? 'unknown';
}

/** Imports of core modules: WASI preview 1 has all of the system in one module, told apart by function. */
export function coreMeaningOf(module: string, name: string): Meaning {
  if (module !== 'wasi_snapshot_preview1' && module !== 'wasi_unstable') return 'unknown';
  if (name.startsWith('sock_')) return 'network';
  if (name.startsWith('path_') || name.startsWith('fd_prestat') || name === 'fd_readdir') return 'storage';
  return name.startsWith('environ_') ? 'environment' : 'none';
}

export const MEANING_WORDS: Readonly<Record<Meaning, string>> = {
  network: 'reach hosts, each of which needs a grant',
  storage: 'read or write files below granted directories',
  environment: 'see environment variables, each of which needs a grant',
  keyvalue: 'keep data in granted buckets',
  none: 'needs no permission',
  unknown: 'Witbox does not provide it: another component must',
};
