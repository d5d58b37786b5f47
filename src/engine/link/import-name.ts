// Finding what the host gives under a name with a version: the same name, or one that differs only in a compatible
// version, as semantic versioning defines it (same major, or same minor below 1.0, or same patch below 0.1).

const VERSIONED = /^(.+)@(\d+)\.(\d+)\.(\d+)$/;

/** `wasi:io/streams@0.2.6` → `wasi:io/streams@0.2`; names without a release version stand for themselves. */
export function canonicalName(name: string): string {
  const [, base, major, minor, patch] = VERSIONED.exec(name) ?? [];
  if (base === undefined) return name;
  if (major !== '0') return `${base}@${major}`;
  return minor !== '0' ? `${base}@0.${minor}` : `${base}@0.0.${patch}`;
}

/** The key of `given` that satisfies an import of this name, if there is one. */
export function findKey(given: object, name: string): string | null {
  if (Object.hasOwn(given, name)) return name;
  const wanted = canonicalName(name);
  if (Object.hasOwn(given, wanted)) return wanted;
  if (!name.includes('@')) return null;
  return Object.keys(given).find((key) => canonicalName(key) === wanted) ?? null;
}
