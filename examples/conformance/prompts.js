// The prompts of the scenarios.

import { ask, embedded, form, image, text } from './outcomes.js';

const said = (...content) => ({
  tag: 'complete',
  val: { messages: content.map((block) => ({ role: 'user', content: block })) },
});
const argument = (name, description) => ({ name, description, required: true });

const PROMPTS = {
  test_simple_prompt: {
    description: 'A prompt without arguments',
    arguments: [],
    get: () => said(text('This is a simple prompt for testing.')),
  },
  test_prompt_with_arguments: {
    description: 'A prompt with two arguments',
    arguments: [argument('arg1', 'First'), argument('arg2', 'Second')],
    get: (need) => said(text(`Prompt with arguments: arg1='${need('arg1')}', arg2='${need('arg2')}'`)),
  },
  test_prompt_with_embedded_resource: {
    description: 'A prompt that embeds a resource',
    arguments: [argument('resourceUri', 'Which resource')],
    get: (need) =>
      said(
        embedded(need('resourceUri'), 'text/plain', 'Embedded resource content for testing.'),
        text('Please process the embedded resource above.'),
      ),
  },
  test_prompt_with_image: {
    description: 'A prompt with an image',
    arguments: [],
    get: () => said(image(), text('Please analyze the image above.')),
  },
  test_input_required_result_prompt: {
    description: 'A prompt that asks first',
    arguments: [],
    get(_, answers) {
      const answer = answers.user_context;
      if (answer !== undefined) return said(text(`Context: ${JSON.stringify(answer.content)}`));
      return ask({
        user_context: form('What context should the prompt use?', { context: { type: 'string' } }),
      });
    },
  },
};

export const prompts = {
  listPrompts: () =>
    Object.entries(PROMPTS).map(([name, { description, arguments: list }]) => ({
      name,
      description,
      arguments: list,
      icons: [],
    })),
  getPrompt(name, given, continuation) {
    if (!Object.hasOwn(PROMPTS, name)) throw { tag: 'unknown' };
    const values = Object.fromEntries(given);
    const need = (key) => {
      if (!Object.hasOwn(values, key)) throw { tag: 'invalid', val: `"${key}" is missing` };
      return values[key];
    };
    const answers = Object.fromEntries(continuation.answers.map(([key, value]) => [key, JSON.parse(value)]));
    return PROMPTS[name].get(need, answers);
  },
};
