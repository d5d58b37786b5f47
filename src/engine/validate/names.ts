// The grammar of labels and of import and export names, and when two names clash ("strongly unique", Explainer.md).
// Besides the names of the specification it reads the dependency, URL and hash names that toolchains may still write;
// those are for imports only.

import { isSemver, isSemverRange } from './semver.ts';

type NameKind = 'label' | 'constructor' | 'method' | 'static' | 'interface' | 'dependency' | 'url' | 'hash';

export interface ParsedName {
  readonly kind: NameKind;
  /** `a` of `[constructor]a`, `[method]a.b`, `[static]a.b`. */
  readonly resource: string;
  /** The part after `@` of an interface name; null without one. It is not checked yet: a suffix may follow. */
  readonly version: string | null;
  /** Equal for two names that clash. */
  readonly key: string;
}

// No text matches two alternatives: a fragment of digits alone must not be tried both as word and as acronym, or a
// long name of such fragments would take exponential time.
const LABEL = /^(?:[a-z][0-9a-z]*|[A-Z][0-9A-Z]*)(?:-(?:[0-9]*(?:[a-z][0-9a-z]*|[A-Z][0-9A-Z]*)|[0-9]+))*$/;
const WORDS = /^[a-z][0-9a-z]*(?:-[0-9a-z]+)*$/;
const INTEGRITY = /^sha(?:256|384|512)-[0-9A-Za-z+/]+={0,2}(?:\?.*)?$/s;

export function isLabel(name: string): boolean {
  return LABEL.test(name);
}

/** The parsed name, or null if the grammar has no such name. */
export function parseExternName(name: string): ParsedName | null {
  if (name.startsWith('[')) return annotated(name);
  const equals = name.indexOf('=');
  if (equals > 0) return external(name, name.slice(0, equals), name.slice(equals + 1));
  if (name.includes(':')) return interfaceName(name);
  return isLabel(name) ? parsed('label', name.toLowerCase()) : null;
}

function parsed(kind: NameKind, key: string, resource = '', version: string | null = null): ParsedName {
  return { kind, key, resource, version };
}

function annotated(name: string): ParsedName | null {
  const close = name.indexOf(']');
  const annotation = name.slice(1, close);
  const rest = name.slice(close + 1);
  if (annotation === 'constructor') {
    return isLabel(rest) ? parsed('constructor', `[constructor]${rest.toLowerCase()}`, rest) : null;
  }
  if (annotation !== 'method' && annotation !== 'static') return null;
  const dot = rest.indexOf('.');
  const resource = rest.slice(0, Math.max(dot, 0));
  const member = rest.slice(dot + 1);
  if (!isLabel(resource) || !isLabel(member)) return null;
  // Bindings would give `[method]a.a` the name of `a` itself; method and static share one name space.
  const lower = resource.toLowerCase();
  const key = lower === member.toLowerCase() ? lower : `${lower}.${member.toLowerCase()}`;
  return parsed(annotation, key, resource);
}

/** `namespace:package/interface`, optionally with `@version`. */
function interfaceName(name: string): ParsedName | null {
  const at = name.indexOf('@');
  if (!isPackagePath(at < 0 ? name : name.slice(0, at), true)) return null;
  return parsed('interface', name, '', at < 0 ? null : name.slice(at + 1));
}

function isPackagePath(path: string, needsInterface: boolean): boolean {
  const slash = path.indexOf('/');
  if (slash < 0 ? needsInterface : !isLabel(path.slice(slash + 1))) return false;
  const parts = (slash < 0 ? path : path.slice(0, slash)).split(':');
  return parts.length === 2 && parts.every((part) => WORDS.test(part));
}

function external(name: string, prefix: string, rest: string): ParsedName | null {
  // The bounds of a version range contain brackets themselves.
  const close = prefix === 'unlocked-dep' ? rest.lastIndexOf('>') : rest.indexOf('>');
  if (!rest.startsWith('<') || close < 0) return null;
  const body = rest.slice(1, close);
  const tail = rest.slice(close + 1);
  switch (prefix) {
    case 'unlocked-dep': {
      const at = body.indexOf('@');
      const fine = isPackagePath(at < 0 ? body : body.slice(0, at), false);
      const range = at < 0 || isSemverRange(body.slice(at + 1));
      return fine && range && tail === '' ? parsed('dependency', name) : null;
    }
    case 'locked-dep': {
      const at = body.indexOf('@');
      const fine = isPackagePath(at < 0 ? body : body.slice(0, at), false);
      const version = at < 0 || isSemver(body.slice(at + 1));
      return fine && version && isOptionalHash(tail) ? parsed('dependency', name) : null;
    }
    case 'url':
      return !body.includes('<') && isOptionalHash(tail) ? parsed('url', name) : null;
    case 'integrity':
      return isIntegrity(body) && tail === '' ? parsed('hash', name) : null;
    default:
      return null;
  }
}

function isOptionalHash(tail: string): boolean {
  if (tail === '') return true;
  return tail.startsWith(',integrity=<') && tail.endsWith('>') && isIntegrity(tail.slice(12, -1));
}

function isIntegrity(text: string): boolean {
  const hashes = text.split(/\s+/).filter((hash) => hash !== '');
  return hashes.length > 0 && hashes.every((hash) => INTEGRITY.test(hash));
}
