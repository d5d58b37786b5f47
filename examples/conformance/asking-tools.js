// Tools that ask the client's side: a person, a model, or the client itself.

import * as host from 'witbox:mcp/host@0.1.0';
import { askName, field, has, NAME, OK } from './forms.js';
import { ask, form, ROOTS, sample, say, schema } from './outcomes.js';

export function defineAskingTools(define) {
  define(
    'test_sampling',
    'Asks the client for a completion',
    (call) =>
      has(call, 'completion')
        ? say(`LLM response: ${call.answers.completion.content?.text}`)
        : ask({ completion: sample(String(call.args.prompt)) }),
    { inputSchema: schema({ prompt: { type: 'string' } }) },
  );
  define(
    'test_elicitation',
    'Asks the user for a name and an address',
    (call) => {
      const fields = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      if (!has(call, 'user')) return ask({ user: form(String(call.args.message), fields) });
      const { action, content } = call.answers.user;
      return say(`User response: action=${action}, content=${JSON.stringify(content)}`);
    },
    { inputSchema: schema({ message: { type: 'string' } }) },
  );

  function elicit(name, description, question) {
    define(name, description, (call) => {
      if (!has(call, 'answer')) return ask({ answer: question });
      const { action, content } = call.answers.answer;
      return say(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`);
    });
  }

  elicit(
    'test_elicitation_sep1034_defaults',
    'Asks with defaults of every primitive type',
    form('Please review', {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    }),
  );

  const choices = (prefix, titles) => titles.map((title, at) => ({ const: `${prefix}${at + 1}`, title }));

  elicit(
    'test_elicitation_sep1330_enums',
    'Asks with choices of every form',
    form('Please choose', {
      untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
      titledSingle: {
        type: 'string',
        oneOf: choices('value', ['First Option', 'Second Option', 'Third Option']),
      },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
      titledMulti: {
        type: 'array',
        items: { anyOf: choices('value', ['First Choice', 'Second Choice', 'Third Choice']) },
      },
    }),
  );

  define('test_missing_capability', 'Needs sampling', (call) =>
    has(call, 'sampled') ? say('Sampled') : ask({ sampled: sample('Anything') }),
  );
  define('test_streaming_elicitation', 'Reports progress, then asks', (call) => {
    host.progress(1, 2, undefined);
    return has(call, 'user_name') ? say('Answered') : ask({ user_name: askName() });
  });
  define('test_input_required_result_elicitation', 'Asks for a name', (call) => {
    const name = field(call, 'user_name', 'name');
    return typeof name === 'string' ? say(`Hello, ${name}!`) : ask({ user_name: askName() });
  });
  define('test_input_required_result_sampling', 'Asks for a completion', (call) =>
    has(call, 'capital_question')
      ? say(`Sampled: ${JSON.stringify(call.answers.capital_question.content)}`)
      : ask({ capital_question: sample('What is the capital of France?') }),
  );
  define('test_input_required_result_list_roots', 'Asks for the roots', (call) =>
    has(call, 'client_roots')
      ? say(`Roots: ${JSON.stringify(call.answers.client_roots.roots)}`)
      : ask({ client_roots: ROOTS }),
  );
  define('test_input_required_result_request_state', 'Keeps state between two rounds', (call) =>
    call.state === 'confirming' && has(call, 'confirm')
      ? say('state-ok')
      : ask({ confirm: form('Please confirm', OK) }, 'confirming'),
  );
  define('test_input_required_result_multiple_inputs', 'Asks three things at once', (call) =>
    has(call, 'user_name', 'greeting', 'client_roots')
      ? say('All there')
      : ask(
          { user_name: askName(), greeting: sample('Generate a greeting', 50), client_roots: ROOTS },
          'asked',
        ),
  );
  define('test_input_required_result_multi_round', 'Asks twice', (call) => {
    if (call.state?.startsWith('name:') && has(call, 'step2'))
      return say(`${call.state.slice(5)} likes ${field(call, 'step2', 'color')}`);
    const name = field(call, 'step1', 'name');
    if (call.state === 'step1' && typeof name === 'string') {
      return ask(
        { step2: form('Step 2: What is your favorite color?', { color: { type: 'string' } }) },
        `name:${name}`,
      );
    }
    return ask({ step1: form('Step 1: What is your name?', NAME) }, 'step1');
  });
  define('test_input_required_result_tampered_state', 'Keeps state that must not be changed', (call) => {
    if (call.state === undefined) return ask({ confirm: form('Please confirm', OK) }, 'untouched');
    if (call.state !== 'untouched') throw { tag: 'failed', val: 'the state was changed on the way' };
    return say('State was untouched');
  });
  define('test_input_required_result_capabilities', 'Asks only what the client can answer', (call) => {
    if (Object.keys(call.answers).length > 0) return say('Answered');
    const can = JSON.parse(host.client().capabilities);
    return ask({
      ...(can.sampling && { question: sample('Anything') }),
      ...(can.elicitation && { user_name: askName() }),
      ...(can.roots && { client_roots: ROOTS }),
    });
  });
}
