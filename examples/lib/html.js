// HTML as people read it: text, or Markdown. One pass over the tags, no tree; pages are hostile, so nothing here
// backtracks and what is not understood is dropped.

const SILENT = /<(script|style|template|noscript|svg|head)\b[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->/gi;
const ENTITIES = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
};
const BLOCKS = new Set(
  'p div section article main header footer nav aside ul ol table tr pre blockquote figure form br hr'.split(
    ' ',
  ),
);

function unescapeEntities(text) {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name) => {
    if (name[0] !== '#') return ENTITIES[name.toLowerCase()] ?? whole;
    const code =
      name[1] === 'x' || name[1] === 'X' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });
}

const tidy = (text) =>
  text
    .replace(/[ \t\r\f]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

function walk(html, mark) {
  const words = html.replace(SILENT, ' ').split(/(<\/?[a-zA-Z][^>]*>)/);
  let out = '';
  for (const word of words) {
    const [, close, name, rest] = /^<(\/?)([a-zA-Z][\w-]*)([^>]*)>$/.exec(word) ?? [];
    if (name === undefined) out += unescapeEntities(word.replace(/\s+/g, ' '));
    else out += mark(name.toLowerCase(), close === '/', rest);
  }
  return tidy(out);
}

export function toText(html) {
  return walk(html, (name) => (BLOCKS.has(name) || /^h[1-6]$/.test(name) || name === 'li' ? '\n' : ''));
}

export function toMarkdown(html) {
  const links = [];
  return walk(html, (name, closes, rest) => {
    if (/^h[1-6]$/.test(name)) return closes ? '\n\n' : `\n\n${'#'.repeat(Number(name[1]))} `;
    switch (name) {
      case 'a': {
        if (!closes) {
          links.push(attribute(rest, 'href'));
          return links.at(-1) === undefined ? '' : '[';
        }
        const href = links.pop();
        return href === undefined ? '' : `](${href})`;
      }
      case 'b':
      case 'strong':
        return '**';
      case 'i':
      case 'em':
        return '_';
      case 'code':
        return '`';
      case 'li':
        return closes ? '' : '\n- ';
      case 'td':
      case 'th':
        return closes ? ' | ' : '';
      case 'img':
        return `![${attribute(rest, 'alt') ?? ''}](${attribute(rest, 'src') ?? ''})`;
      case 'p':
        return '\n\n';
      default:
        return BLOCKS.has(name) ? '\n' : '';
    }
  });
}

function attribute(rest, name) {
  const [, double, single] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(rest) ?? [];
  const value = double ?? single;
  return value === undefined ? undefined : unescapeEntities(value);
}
