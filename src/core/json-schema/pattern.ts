// Regular expressions from strangers. A pattern with nested repetition can take exponential time, so such patterns are
// refused, and the text they are tried on is bounded.

const MAX_PATTERN = 1_000;
const MAX_TEXT = 100_000;

/** Throws an Error with a plain message when the pattern is not one, or not safe to run. */
export function compilePattern(source: string): (text: string) => boolean {
  if (source.length > MAX_PATTERN) throw new Error(`a pattern is longer than ${MAX_PATTERN} characters`);
  if (repeatsNested(source)) throw new Error(`the pattern ${JSON.stringify(source)} repeats a repetition`);
  const expression = new RegExp(source, 'u');
  return (text) => text.length <= MAX_TEXT && expression.test(text);
}

/** True for a quantified group that itself holds a quantifier or an alternation, or a back-reference. */
function repeatsNested(source: string): boolean {
  const groups: { repeats: boolean }[] = [];
  let inClass = false;
  for (let index = 0; index < source.length; index++) {
    const char = source[index]!;
    if (char === '\\') {
      if (/[1-9k]/.test(source[index + 1] ?? '')) return true;
      index++;
    } else if (inClass) {
      inClass = char !== ']';
    } else if (char === '[') {
      inClass = true;
    } else if (char === '(') {
      groups.push({ repeats: false });
    } else if (char === ')') {
      const group = groups.pop();
      const quantified = isUnbounded(source, index + 1);
      if (group?.repeats && quantified) return true;
      const outer = groups.at(-1);
      if (outer && (group?.repeats || quantified)) outer.repeats = true;
    } else if ((char === '|' || isUnbounded(source, index)) && groups.length > 0) {
      groups.at(-1)!.repeats = true;
    }
  }
  return false;
}

function isUnbounded(source: string, index: number): boolean {
  const char = source[index];
  return (
    char === '*' || char === '+' || (char === '{' && /^\{\d+,\d*\}/.test(source.slice(index, index + 12)))
  );
}
