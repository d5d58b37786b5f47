// Text from a server or a component on its way to a terminal: what would move the cursor, change colours or title, or
// hide other text becomes visible. Programs that read a pipe get text as it is.

/** Control characters but newline and tab, and what reorders text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function printable(text: string): string {
  return text.replace(UNSAFE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at]!)))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

export function firstLine(text = ''): string {
  return text.trim().split('\n')[0]!.trim();
}
