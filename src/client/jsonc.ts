// JSON as people write it into settings: comments and trailing commas are taken out, strings are left alone. What comes
// out is for JSON.parse, which decides whether it is JSON.

export function withoutComments(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const end = endOfToken(text, at);
    const token = text.slice(at, end);
    const comment = token.startsWith('//') || token.startsWith('/*');
    // Positions in messages of the parser stay right.
    out += comment ? token.replace(/[^\n]/g, ' ') : token;
    at = end;
  }
  return withoutTrailingCommas(out);
}

function endOfToken(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at);
  if (text.startsWith('//', at)) return orEnd(text.indexOf('\n', at), 0, text);
  if (text.startsWith('/*', at)) return orEnd(text.indexOf('*/', at + 2), 2, text);
  return at + 1;
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function orEnd(found: number, length: number, text: string): number {
  return found === -1 ? text.length : found + length;
}

function withoutTrailingCommas(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '"' ? endOfString(text, at) : at + 1;
    const trailing = text[at] === ',' && /^,\s*[\]}]/.test(text.slice(at, at + 1_000));
    out += trailing ? ' ' : text.slice(at, end);
    at = end;
  }
  return out;
}
