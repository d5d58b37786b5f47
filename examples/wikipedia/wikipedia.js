// Wikipedia for agents: search, the sections of an article, the text of one section. All over wasi:http, to one host,
// by the public API of MediaWiki. WIKIPEDIA_BASE leads to another wiki, or to a stand-in.

import { getEnvironment } from 'wasi:cli/environment@0.2.6';
import { toMarkdown, toText } from '../lib/html.js';
import { get, HttpError } from '../lib/http.js';
import { createTools, object, text, UserError } from '../lib/mcp.js';
import { decode } from '../lib/utf8.js';

const BASE = 'https://en.wikipedia.org';
const MOST_TEXT = 100_000;

/** One question to the API. What the wiki says is wrong goes to the caller; what it should not say, does not. */
function ask(parameters) {
  const { WIKIPEDIA_BASE: base = BASE } = Object.fromEntries(getEnvironment());
  const query = Object.entries({ ...parameters, format: 'json', formatversion: '2' })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  const answer = request(`${base}/w/api.php?${query}`);
  if (answer.error === undefined) return answer;
  if (answer.error.code === 'missingtitle') {
    throw new UserError(`Wikipedia has no article "${parameters.page}": wikipedia_search finds names`);
  }
  throw new UserError(`Wikipedia cannot answer: ${String(answer.error.info).slice(0, 300)}`);
}

function request(url) {
  let response;
  try {
    response = get(url, { headers: { accept: 'application/json', 'user-agent': 'witbox-wikipedia/1' } });
  } catch (error) {
    throw error instanceof HttpError ? new UserError(`Wikipedia: ${error.message}`) : error;
  }
  if (response.status === 429)
    throw new UserError('Wikipedia asks to wait a moment before the next question');
  if (response.status !== 200) throw new UserError(`Wikipedia answered with status ${response.status}`);
  try {
    return JSON.parse(decode(response.body));
  } catch {
    throw new UserError('Wikipedia answered with something else than JSON');
  }
}

const TOPIC = { type: 'string', minLength: 1, maxLength: 255, description: 'Name of the article' };
const ASKING = { readOnly: true, openWorld: true };

function search({ query, limit = 10 }) {
  const { query: found } = ask({ action: 'query', list: 'search', srsearch: query, srlimit: limit });
  const results = found.search.map(({ title, snippet, wordcount }) => ({
    title,
    snippet: toText(snippet),
    words: wordcount,
  }));
  const lines = results.map(({ title, snippet }) => `${title}: ${snippet}`);
  return {
    content: [text(lines.length === 0 ? `Nothing found for "${query}"` : lines.join('\n'))],
    structured: { results },
  };
}

function sectionsOf(topic) {
  const { parse } = ask({ action: 'parse', page: topic, prop: 'sections', redirects: 1 });
  const sections = parse.sections.map(({ index, line, level }) => ({
    index: String(index),
    title: toText(line),
    level: Number(level),
  }));
  return { title: parse.title, sections };
}

function listSections({ topic }) {
  const found = sectionsOf(topic);
  const lines = found.sections.map(({ title, level }) => `${'  '.repeat(Math.max(0, level - 2))}- ${title}`);
  return { content: [text(`${found.title}\n${lines.join('\n')}`)], structured: found };
}

function readSection({ topic, section_title }) {
  const wanted = section_title.trim().toLowerCase();
  const { title, sections } = sectionsOf(topic);
  const section = sections.find((one) => one.title.toLowerCase() === wanted);
  if (section === undefined) {
    throw new UserError(
      `"${title}" has no section "${section_title}", it has: ${sections.map((one) => one.title).join(', ')}`,
    );
  }
  const { parse } = ask({ action: 'parse', page: title, prop: 'text', section: section.index, redirects: 1 });
  const content = toMarkdown(parse.text).slice(0, MOST_TEXT);
  return { content: [text(content)], structured: { title, section: section.title, content } };
}

export const tools = createTools({
  wikipedia_search: {
    title: 'Search Wikipedia',
    description: 'Finds articles by words, with the place where the words stand',
    input: object(
      {
        query: { type: 'string', minLength: 1, maxLength: 300, description: 'What to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'How many at most' },
      },
      ['query'],
    ),
    annotations: ASKING,
    run: search,
  },
  wikipedia_sections: {
    title: 'Sections of an article',
    description: 'The headings of a Wikipedia article, in order',
    input: object({ topic: TOPIC }, ['topic']),
    annotations: ASKING,
    run: listSections,
  },
  wikipedia_section_content: {
    title: 'Read a section',
    description: 'The text of one section of a Wikipedia article, as Markdown',
    input: object(
      {
        topic: TOPIC,
        section_title: {
          type: 'string',
          minLength: 1,
          maxLength: 300,
          description: 'Heading, as wikipedia_sections gives it',
        },
      },
      ['topic', 'section_title'],
    ),
    annotations: ASKING,
    run: readSection,
  },
});
