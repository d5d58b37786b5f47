// The words of `witbox permission …` → a grant. A storage grant may be given as a path: a directory then means all that
// is in it. What does not exist cannot be granted, because a slip of the pen would be found out only much later.

import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { WitboxError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import { literalPrefix } from '../policy/glob.ts';
import { GRANT_KINDS, type Grant, type GrantKind, isLimitName } from '../policy/grant.ts';
import type { Access } from '../policy/policy.ts';
import { parseStorageUri, pathToUri } from '../policy/storage-uri.ts';

export function readKind(text: string, help: string): GrantKind {
  const kind = GRANT_KINDS.find((each) => each === text);
  if (kind) return kind;
  const near = nearest(text, GRANT_KINDS);
  const hint = near === null ? `known are ${GRANT_KINDS.join(', ')}` : `did you mean "${near}"?`;
  throw new WitboxError('usage', { problem: `Unknown kind of permission "${text}" (${hint})`, help });
}

export function readAccess(text: string, help: string): readonly Access[] {
  const words = text.split(',').map((word) => word.trim());
  const access = (['read', 'write'] as const).filter((each) => words.includes(each));
  if (access.length > 0 && access.length === words.length) return access;
  throw new WitboxError('usage', {
    problem: `Cannot read access "${text}": use read, write or read,write`,
    help,
  });
}

/** Where a secret is sent; nothing if no flag says anything about it. */
export function readUse(flags: {
  readonly host?: string;
  readonly header?: string;
  readonly query?: string;
  readonly value?: string;
}): Grant['use'] {
  const { host, header, query, value } = flags;
  return [host, header, query, value].every((one) => one === undefined)
    ? undefined
    : { host: host ?? '', header, query, value };
}

export function readGrant(
  kind: GrantKind,
  value: string,
  access: readonly Access[],
  directory: string,
  use?: Grant['use'],
): Grant {
  if (kind === 'secret') return { kind, value, use };
  if (kind !== 'storage') return { kind, value };
  const uri = storageUri(value, directory);
  const glob = parseStorageUri(uri);
  // What is wrong with the URI itself is told where it is granted.
  if (typeof glob !== 'string') {
    const { path, exact } = literalPrefix(glob);
    const place = `/${path.join('/')}`;
    requireDirectory(exact && !isDirectory(place) ? dirname(place) : place, value);
  }
  return { kind, value: uri, access };
}

/** What to revoke is named as it was granted; a path need not exist any more. */
export function revocationValue(
  kind: GrantKind,
  value: string | undefined,
  directory: string,
  help: string,
): readonly string[] {
  if (value === undefined) {
    if (isLimitName(kind)) return [];
    throw new WitboxError('usage', { problem: `Missing argument: which ${kind} to revoke`, help });
  }
  if (kind !== 'storage' || value.startsWith('fs://')) return [value];
  const uri = pathToUri(resolve(directory, value));
  return [uri, `${uri}/**`];
}

function storageUri(value: string, directory: string): string {
  if (/^[a-z]+:\/\//.test(value)) return value;
  const path = resolve(directory, value);
  if (isDirectory(path)) return path === '/' ? 'fs:///**' : `${pathToUri(path)}/**`;
  if (statSync(path, { throwIfNoEntry: false })) return pathToUri(path);
  throw new WitboxError('grant-invalid', { kind: 'storage', value, problem: 'does not exist' });
}

function requireDirectory(path: string, value: string): void {
  if (isDirectory(path)) return;
  throw new WitboxError('grant-invalid', {
    kind: 'storage',
    value,
    problem: `lies in "${path}", which is not a directory`,
  });
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return false;
  }
}
