// "Did you mean": the known word that is fewest edits away from what was typed, if it is near enough to be a slip.

export function nearest(typed: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let least = typed.length < 4 ? 2 : 4;
  for (const word of known) {
    const distance = edits(typed.slice(0, 64), word);
    if (distance < least) [best, least] = [word, distance];
  }
  return best;
}

/** Levenshtein distance, row by row. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const cost = letter === b[j] ? 0 : 1;
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + cost));
    }
    row = next;
  }
  return row[b.length]!;
}
