// Globs over names: `*` for any run of characters, `?` for one, everything else as it stands, the whole name and case
// by case. Never made into a regular expression: the scan goes back to the last star alone, so that its cost is bounded
// by pattern × name whoever chose either of them.

export type NameGlob = (name: string) => boolean;

const MOST_PATTERN = 1_024;

/** Throws a plain Error that says what is wrong with the pattern. */
export function compileNameGlob(pattern: string): NameGlob {
  if (pattern === '') throw new Error('a pattern is empty');
  if (pattern.length > MOST_PATTERN) throw new Error(`a pattern is longer than ${MOST_PATTERN} characters`);
  // Stars in a row say no more than one.
  const short = pattern.replace(/\*+/g, '*');
  if (!/[*?]/.test(short)) return (name) => name === short;
  if (short === '*') return () => true;
  const beginning = short.slice(0, -1);
  if (short.endsWith('*') && !/[*?]/.test(beginning)) return (name) => name.startsWith(beginning);
  const characters = [...short];
  return (name) => matches(characters, [...name]);
}

/** Any of them. */
export function compileNameGlobs(patterns: readonly string[]): NameGlob {
  const globs = patterns.map(compileNameGlob);
  if (globs.length === 0) return () => false;
  return (name) => globs.some((glob) => glob(name));
}

function matches(pattern: readonly string[], name: readonly string[]): boolean {
  let at = 0;
  let read = 0;
  let star = -1;
  let retry = 0;
  while (read < name.length) {
    if (pattern[at] === '*') {
      star = at++;
      retry = read;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === name[read])) {
      at++;
      read++;
    } else if (star >= 0) {
      at = star + 1;
      read = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
