// Semantic Versioning 2.0 as far as names need it: is this text a version, a range of versions, a canonical prefix?

const NUMBER = '(?:0|[1-9][0-9]*)';
const PRE = '(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)';
const BUILD = '[0-9A-Za-z-]+';
const SEMVER = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PRE}(?:\\.${PRE})*)?(?:\\+${BUILD}(?:\\.${BUILD})*)?$`,
);
const CANONICAL = /^(?:[1-9][0-9]*|0\.[1-9][0-9]*|0\.0\.[1-9][0-9]*|0\.0\.0)$/;
/** Longer texts are no versions anybody writes; the limit keeps the pattern's cost bounded. */
const MAX_LENGTH = 256;

export function isSemver(text: string): boolean {
  return text.length <= MAX_LENGTH && SEMVER.test(text);
}

/** `1`, `0.2`, `0.0.3`: the part of a version that decides compatibility. */
export function isCanonicalVersion(text: string): boolean {
  return text.length <= MAX_LENGTH && CANONICAL.test(text);
}

/** `*`, `{>=1.0.0}`, `{<2.0.0}`, `{>=1.0.0 <2.0.0}`. */
export function isSemverRange(text: string): boolean {
  if (text === '*') return true;
  if (!text.startsWith('{') || !text.endsWith('}')) return false;
  const range = text.slice(1, -1);
  if (range.startsWith('<')) return isSemver(range.slice(1));
  if (!range.startsWith('>=')) return range === '*';
  const [lower, upper, ...more] = range.slice(2).split(' ');
  if (!isSemver(lower!) || more.length > 0) return false;
  return upper === undefined || (upper.startsWith('<') && isSemver(upper.slice(1)));
}
