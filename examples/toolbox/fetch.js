// A page of the web as text, Markdown or JSON. Which hosts may be asked is for the policy to say.

import { toMarkdown, toText } from '../lib/html.js';
import { get, HttpError } from '../lib/http.js';
import { decode } from '../lib/utf8.js';

const isHtml = (type) => /^(text\/html|application\/xhtml\+xml)/i.test(type);

function convert(body, type, format) {
  switch (format) {
    case 'json':
      try {
        return JSON.stringify(JSON.parse(body), null, 2);
      } catch {
        throw new HttpError('The answer is no JSON');
      }
    case 'markdown':
      return isHtml(type) ? toMarkdown(body) : body;
    case 'text':
      return isHtml(type) ? toText(body) : body;
    default:
      return body;
  }
}

export const web = {
  fetch(url, format) {
    try {
      const {
        url: at,
        status,
        type,
        body,
      } = get(url, { headers: { accept: '*/*', 'user-agent': 'witbox-fetch/1' } });
      const content = convert(decode(body), type, format ?? 'markdown');
      return { url: at, status, contentType: type, content };
    } catch (error) {
      throw String(error?.message ?? error);
    }
  },
};
