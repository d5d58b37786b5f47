// Text from a server or a component on its way to a terminal: what would move the cursor, change colours or title, or
// hide other text becomes visible. Programs that read a pipe get text as it is.

/** Controls and invisible formatting, but for line breaks, tabs, and the joiners that scripts and emoji need. */
const UNSAFE = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]--[\n\t\u200c\u200d]]/gv;

export function printable(text: string): string {
  return text.replace(UNSAFE, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);
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
