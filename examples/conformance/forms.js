// Questions that several tools ask, and how to look into the answers.

import { form } from './outcomes.js';

export const NAME = { name: { type: 'string' } };
export const OK = { ok: { type: 'boolean' } };
export const askName = () => form('What is your name?', NAME);
export const has = ({ answers }, ...keys) => keys.every((key) => Object.hasOwn(answers, key));
export const field = ({ answers }, key, name) => answers[key]?.content?.[name];
