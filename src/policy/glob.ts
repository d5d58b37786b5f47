// Globs over absolute paths: `*` and `?` inside one segment, `**` for any number of whole segments. Compiled once;
// matching is two nested greedy scans that each keep one point to go back to, so its cost is bounded by
// pattern × path and no pattern can make it explode. `/data/**` matches `/data` itself. A name that starts with a dot
// is a name like any other.

type Segment =
  | { readonly kind: 'any-depth' }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'wild'; readonly parts: readonly WildPart[] };

/** `*` as 'star', `?` as 'one', anything else as the one character it stands for. */
type WildPart = 'star' | 'one' | { readonly char: string };

export interface Glob {
  readonly segments: readonly Segment[];
}

const ANY_DEPTH: Segment = { kind: 'any-depth' };

/**
 * Takes the pattern as segments of parts, already unescaped: a part is a literal string, or the wildcard `*`, `?` or
 * `**` (which must be alone in its segment).
 */
export function compileGlob(segments: readonly (readonly GlobPart[])[]): Glob {
  const compiled = segments.map(compileSegment);
  // Two any-depth segments in a row say no more than one.
  return {
    segments: compiled.filter(
      (segment, i) => segment.kind !== 'any-depth' || compiled[i - 1]?.kind !== 'any-depth',
    ),
  };
}

export type GlobPart = { readonly wildcard: '*' | '?' | '**' } | { readonly literal: string };

export function globMatches(glob: Glob, path: readonly string[]): boolean {
  return scan(
    glob.segments.length,
    path.length,
    (i) => glob.segments[i]!.kind === 'any-depth',
    (i, j) => segmentMatches(glob.segments[i]!, path[j]!),
  );
}

/** Whether it matches the path or a directory above it. Deny rules use it: a denied directory denies what it holds. */
export function globMatchesAtOrAbove(glob: Glob, path: readonly string[]): boolean {
  return glob.segments.at(-1)?.kind === 'any-depth'
    ? globMatches(glob, path)
    : globMatches({ segments: [...glob.segments, ANY_DEPTH] }, path);
}

/** Whether it matches something that could be below the path (or the path itself). */
export function globReachesBelow(glob: Glob, path: readonly string[]): boolean {
  // The positions in the pattern that the path can have led to; from any of them on, some deeper name matches the rest.
  let reached = closure(glob, new Set([0]));
  for (const name of path) {
    const next = new Set<number>();
    for (const i of reached) {
      const segment = glob.segments[i];
      if (!segment) continue;
      if (segment.kind === 'any-depth') next.add(i);
      else if (segmentMatches(segment, name)) next.add(i + 1);
    }
    reached = closure(glob, next);
  }
  return reached.size > 0;
}

/** The directory below which everything it matches lies, and whether the glob is nothing but that path. */
export function literalPrefix(glob: Glob): { readonly path: readonly string[]; readonly exact: boolean } {
  const path: string[] = [];
  for (const segment of glob.segments) {
    if (segment.kind !== 'literal') return { path, exact: false };
    path.push(segment.text);
  }
  return { path, exact: true };
}

function closure(glob: Glob, positions: Set<number>): Set<number> {
  for (const i of positions) if (glob.segments[i]?.kind === 'any-depth') positions.add(i + 1);
  return positions;
}

function compileSegment(parts: readonly GlobPart[]): Segment {
  const [first] = parts;
  if (first && 'wildcard' in first && first.wildcard === '**') return ANY_DEPTH;
  if (parts.every((part) => 'literal' in part))
    return { kind: 'literal', text: parts.map((part) => part.literal).join('') };
  const wild = parts.flatMap((part): WildPart[] => {
    if ('literal' in part) return [...part.literal].map((char) => ({ char }));
    return [part.wildcard === '?' ? 'one' : 'star'];
  });
  return { kind: 'wild', parts: wild };
}

function segmentMatches(segment: Segment, name: string): boolean {
  if (segment.kind === 'any-depth') return true;
  if (segment.kind === 'literal') return segment.text === name;
  const { parts } = segment;
  const chars = [...name];
  return scan(
    parts.length,
    chars.length,
    (i) => parts[i] === 'star',
    (i, j) => {
      const part = parts[i]!;
      return part === 'one' || (typeof part === 'object' && part.char === chars[j]);
    },
  );
}

/** The classic wildcard scan: only the last star ever has to be tried again, one element longer. */
function scan(
  patternLength: number,
  inputLength: number,
  isStar: (pattern: number) => boolean,
  matches: (pattern: number, input: number) => boolean,
): boolean {
  let pattern = 0;
  let input = 0;
  let star = -1;
  let retry = 0;
  while (input < inputLength) {
    if (pattern < patternLength && isStar(pattern)) {
      star = pattern;
      retry = input;
      pattern += 1;
    } else if (pattern < patternLength && matches(pattern, input)) {
      pattern += 1;
      input += 1;
    } else if (star >= 0) {
      retry += 1;
      input = retry;
      pattern = star + 1;
    } else {
      return false;
    }
  }
  while (pattern < patternLength && isStar(pattern)) pattern += 1;
  return pattern === patternLength;
}
