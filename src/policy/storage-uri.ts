// `fs://` URIs: text ⇔ glob, and host paths ⇔ segments. Percent-encoding is the escape (`%2A` is a literal star), as in
// every URI. Must never accept a URI whose meaning depends on something outside the document: relative paths, `..`,
// and glob syntax that is not ours are refused, not guessed.

import { compileGlob, type Glob, type GlobPart, literalPrefix } from './glob.ts';

const MAX_URI_LENGTH = 4096;
const MAX_SEGMENTS = 128;
const SCHEME = 'fs://';

/** The glob, or a string that says what is wrong with the URI. */
export function parseStorageUri(uri: string): Glob | string {
  if (uri.length > MAX_URI_LENGTH) return `is longer than ${MAX_URI_LENGTH} characters`;
  if (!uri.startsWith(SCHEME)) return 'must start with "fs://"';
  const path = uri.slice(SCHEME.length);
  if (!path.startsWith('/')) return 'must have an absolute path, as in "fs:///data/**"';
  if (path !== '/' && path.endsWith('/'))
    return 'must not end with "/": add "**" for all that is in the directory';
  const segments: GlobPart[][] = [];
  for (const text of path.split('/')) {
    if (text === '' || text === '.') continue;
    if (text === '..') return 'must not contain ".."';
    const segment = parseSegment(text);
    if (typeof segment === 'string') return segment;
    segments.push(segment);
  }
  return segments.length > MAX_SEGMENTS ? `has more than ${MAX_SEGMENTS} segments` : compileGlob(segments);
}

/** The names along an absolute, `/`-separated path; `undefined` if it is not absolute or has `..` or NUL in it. */
export function pathSegments(path: string): readonly string[] | undefined {
  if (!path.startsWith('/') || path.length > MAX_URI_LENGTH * 4 || path.includes('\0')) return undefined;
  const segments = path.split('/').filter((name) => name !== '' && name !== '.');
  return segments.includes('..') ? undefined : segments;
}

/** The URI that means exactly this path: every character that would be syntax is escaped. */
export function pathToUri(path: string): string {
  const segments = pathSegments(path) ?? [];
  return `${SCHEME}/${segments.map((name) => name.replace(MUST_ESCAPE, percentEncode)).join('/')}`;
}

/** The one path that a URI without wildcards means; a plain absolute path is taken as it is. */
export function uriToPath(uri: string): string | undefined {
  if (uri.startsWith('/')) return pathSegments(uri) && uri;
  const glob = parseStorageUri(uri);
  if (typeof glob === 'string') return undefined;
  const { path, exact } = literalPrefix(glob);
  return exact ? `/${path.join('/')}` : undefined;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be escaped
const MUST_ESCAPE = /[%*?[\]{}\\\u0000-\u001f\u007f]/g;

function percentEncode(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

function parseSegment(text: string): GlobPart[] | string {
  if (text === '**') return [{ wildcard: '**' }];
  if (text.includes('**')) return 'must have "**" alone between two slashes';
  const parts: GlobPart[] = [];
  // Runs of wildcards and runs of everything else, in order.
  for (const [run] of text.matchAll(/[*?]|[^*?]+/g)) {
    if (run === '*' || run === '?') {
      parts.push({ wildcard: run });
      continue;
    }
    const syntax = /[[\]{}\\]/.exec(run);
    if (syntax)
      return `must not contain "${syntax[0]}": write ${percentEncode(syntax[0])} for the character itself`;
    const literal = percentDecode(run);
    if (literal === undefined)
      return 'has a "%" that is not followed by two hexadecimal digits of valid UTF-8';
    if (/[/\0]/.test(literal)) return 'must not contain an encoded "/" or NUL';
    parts.push({ literal });
  }
  const only = parts.length === 1 && 'literal' in parts[0]! ? parts[0].literal : undefined;
  return only === '.' || only === '..' ? 'must not contain an encoded "." or ".." segment' : parts;
}

function percentDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
