// What outcomes are made of, as witbox:mcp wants them.

import { PIXEL } from './samples.js';

export const text = (value) => ({ tag: 'text', val: { text: value } });
export const image = () => ({ tag: 'image', val: { data: PIXEL, mimeType: 'image/png' } });
export const embedded = (uri, mimeType, value) => ({
  tag: 'embedded',
  val: { contents: { uri, mimeType, body: { tag: 'text', val: value } } },
});
export const complete = (content, more = {}) => ({
  tag: 'complete',
  val: { content, isError: false, ...more },
});
export const say = (value) => complete([text(value)]);
export const fail = (value) => complete([text(value)], { isError: true });
export const schema = (properties, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
export const form = (message, properties) => ({
  tag: 'elicit-form',
  val: { message, schema: JSON.stringify(schema(properties)) },
});
export const sample = (question, maxTokens = 100) => ({
  tag: 'sample',
  val: JSON.stringify({ messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens }),
});
export const ROOTS = { tag: 'list-roots' };
export const ask = (questions, state) => ({
  tag: 'input-required',
  val: { questions: Object.entries(questions), state },
});
