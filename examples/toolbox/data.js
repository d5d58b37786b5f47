// Work on text and data that needs nothing from outside. A pattern that never ends is the host's to end: each call has
// its limit of time, and nobody else waits for it.

// ---- JSON ----

/** `users[0].name`, `users[*].name`, `["a key"]`; a leading `$` may stand there. */
function parsePath(path) {
  const steps = [];
  let rest = path.trim().replace(/^\$/, '');
  while (rest !== '') {
    const [whole, name, index, star, quoted] =
      /^(?:\.?([A-Za-z_][\w-]*)|\[(-?\d+)\]|(\[\*\]|\.\*)|\[("(?:[^"\\]|\\.)*")\])/.exec(rest) ?? [];
    if (whole === undefined) throw `Cannot read the path at "${rest.slice(0, 40)}"`;
    steps.push(
      star ? { all: true } : { key: index === undefined ? (name ?? JSON.parse(quoted)) : Number(index) },
    );
    rest = rest.slice(whole.length);
  }
  return steps;
}

function step(value, { key, all }) {
  if (value === null || typeof value !== 'object') return [];
  if (all) return Object.values(value);
  const at = typeof key === 'number' && key < 0 && Array.isArray(value) ? value.length + key : key;
  return Object.hasOwn(value, at) ? [value[at]] : [];
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw `That is no JSON: ${error.message}`;
  }
}

export const json = {
  jsonQuery(text, path) {
    const steps = parsePath(path);
    let found = [readJson(text)];
    for (const one of steps) found = found.flatMap((value) => step(value, one));
    const many = steps.some(({ all }) => all);
    if (!many && found.length === 0) throw `Nothing is at "${path}"`;
    return JSON.stringify(many ? found : found[0], null, 2);
  },
};

// ---- CSV (RFC 4180) ----

function parseCsv(text, separator) {
  const rows = [];
  let row = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      const close = closingQuote(text, at);
      if (close < 0) throw `A quote in row ${rows.length + 1} is never closed`;
      field = text.slice(at + 1, close).replaceAll('""', '"');
      at = close + 1;
    } else {
      const start = at;
      while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') at++;
      field = text.slice(start, at);
    }
    row.push(field);
    if (text[at] === separator) {
      at++;
      if (at < text.length) continue;
      row.push('');
    }
    if (text[at] === '\r') at++;
    if (text[at] === '\n') at++;
    rows.push(row);
    row = [];
  }
  return rows;
}

function closingQuote(text, open) {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] !== '"') continue;
    if (text[at + 1] !== '"') return at;
    at++;
  }
  return -1;
}

export const table = {
  csvToJson(csv, separator) {
    const mark = separator ?? ',';
    if ([...mark].length !== 1 || /["\r\n]/.test(mark))
      throw 'A separator is one character, not a quote or a line end';
    const [head, ...rows] = parseCsv(csv.replace(/^\uFEFF/, ''), mark);
    if (head === undefined) throw 'There is no header row';
    const objects = rows.map((row) => {
      if (row.length > head.length) throw `A row has ${row.length} fields, the header has ${head.length}`;
      return Object.fromEntries(head.map((name, column) => [name, row[column] ?? '']));
    });
    return JSON.stringify(objects, null, 2);
  },
};

// ---- text ----

const MOST_LINES = 3_000;
const lines = (text) => (text === '' ? [] : text.split('\n'));

/** Line by line, by the longest common subsequence. */
function diffLines(before, after) {
  const [a, b] = [lines(before), lines(after)];
  if (a.length > MOST_LINES || b.length > MOST_LINES)
    throw `Texts of more than ${MOST_LINES} lines are too long to compare`;
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1] + 1
          : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const out = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push(`  ${a[i++]}`);
      j++;
    } else if (j >= b.length || (i < a.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      out.push(`- ${a[i++]}`);
    } else out.push(`+ ${b[j++]}`);
  }
  return out.join('\n');
}

function compile(pattern, flags) {
  try {
    return new RegExp(pattern, [...new Set(`${flags ?? ''}g`)].join(''));
  } catch (error) {
    throw `Cannot read the pattern: ${error.message}`;
  }
}

const MOST_FOUND = 1_000;

export const text = {
  diff: diffLines,
  regexFind(subject, pattern, flags) {
    const found = [];
    for (const match of subject.matchAll(compile(pattern, flags))) {
      found.push({ at: match.index, text: match[0], groups: match.slice(1).map((group) => group ?? '') });
      if (found.length === MOST_FOUND) break;
    }
    return found;
  },
  regexReplace: (subject, pattern, replacement, flags) =>
    subject.replace(compile(pattern, flags), replacement),
};
