// Regular expressions from strangers. Trying one can take exponential time, and no look at a pattern tells for sure, so
// those that might take long are tried under a watchdog that ends them. No code is made from a pattern or a text.

import { createContext, Script } from 'node:vm';

const MAX_PATTERN = 1_000;
const MAX_TEXT = 100_000;
/** Ways through a pattern that are tried without a watchdog, which costs more than they do. */
const FEW_WAYS = 1_000_000;

/** Says whether the text matches; throws TooLong when that is not known after so many milliseconds. */
export type Matches = (text: string, milliseconds: number) => boolean;

export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** Throws an Error with a plain message when the pattern is not one. */
export function compilePattern(source: string): Matches {
  if (source.length > MAX_PATTERN) throw new Error(`a pattern is longer than ${MAX_PATTERN} characters`);
  const expression = new RegExp(source, 'u');
  const power = choices(source);
  return (text, milliseconds) => {
    if (text.length > MAX_TEXT) return false;
    if ((text.length + 2) ** power <= FEW_WAYS) return expression.test(text);
    return watched(expression, text, milliseconds);
  };
}

function watched(expression: RegExp, text: string, milliseconds: number): boolean {
  const context = createContext({ expression, text });
  try {
    const timeout = Math.max(1, Math.ceil(milliseconds));
    return new Script('expression.test(text)').runInContext(context, { timeout }) === true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw new TooLong();
    throw error;
  }
}

/** How often a matcher can choose how to go on: with each choice the ways multiply by the length of the text. */
function choices(source: string): number {
  const groups: { chooses: boolean }[] = [];
  let count = source.startsWith('^') ? 0 : 1;
  let inClass = false;
  for (let index = 0; index < source.length; index++) {
    const char = source[index]!;
    if (char === '\\') {
      index++;
    } else if (inClass) {
      inClass = char !== ']';
    } else if (char === '[') {
      inClass = true;
    } else if (char === '(') {
      groups.push({ chooses: false });
    } else if (char === ')') {
      const group = groups.pop();
      const repeats = '*+?{'.includes(source[index + 1] ?? ' ');
      // A choice that is repeated can be made at every character.
      if (group?.chooses && repeats) return Number.POSITIVE_INFINITY;
      const outer = groups.at(-1);
      if (outer && (group?.chooses || repeats)) outer.chooses = true;
    } else if ('*+?{|'.includes(char)) {
      count++;
      const group = groups.at(-1);
      if (group) group.chooses = true;
    }
  }
  return count;
}
