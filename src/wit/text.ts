// Text written by a component's author, on its way to people and models: bounded, and without characters that show
// nothing yet say something (terminal controls, text direction, zero width, tags).

const LINE = /\r\n?/g;
/** Controls and invisible formatting, but for the joiners that scripts and emoji need. */
const HIDDEN = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n\t\u200c\u200d]]/gv;

/** Line breaks and tabs stay. Cut text ends in an ellipsis. */
export function cleanText(text: string, maxLength: number): string {
  const clean = text
    .slice(0, maxLength * 2)
    .toWellFormed()
    .replace(LINE, '\n')
    .replace(HIDDEN, '')
    .trim();
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1).toWellFormed()}…` : clean;
}
