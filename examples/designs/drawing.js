// A design as SVG. Every value that came from a caller is escaped or checked before it becomes a part of the picture.

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const safe = (value) => String(value).replace(/[&<>"']/g, (char) => ESCAPES[char]);

/** Names and hexadecimal numbers; nothing that could lead out of the attribute or to another document. */
export const COLOR = '^(#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,32})$';

const SHAPES = {
  rectangle: ({ x, y, width, height }) => `<rect x="${x}" y="${y}" width="${width}" height="${height}"`,
  ellipse: ({ x, y, width, height }) =>
    `<ellipse cx="${x + width / 2}" cy="${y + height / 2}" rx="${width / 2}" ry="${height / 2}"`,
  line: ({ x, y, width, height, fill }) =>
    `<line x1="${x}" y1="${y}" x2="${x + width}" y2="${y + height}" stroke="${safe(fill)}" stroke-width="4"`,
  text: ({ x, y, size }) => `<text x="${x}" y="${y}" font-family="sans-serif" font-size="${size}"`,
};

export const KINDS = Object.keys(SHAPES);

function shape(element) {
  const start = `${SHAPES[element.type](element)} id="${safe(element.id)}" fill="${safe(element.fill)}"`;
  return element.type === 'text' ? `${start}>${safe(element.text)}</text>` : `${start}/>`;
}

export function toSvg({ name, width, height, background, elements }) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${safe(name)}</title>`,
    `<rect width="100%" height="100%" fill="${safe(background)}"/>`,
    ...elements.map(shape),
    '</svg>',
  ].join('\n');
}
