// Every fixture that the official MCP conformance scenarios call, as one component that speaks MCP itself. It runs in a
// cell like any other component: each call gets a fresh instance, and what is asked of the client survives in `state`.

import * as host from 'witbox:mcp/host@0.1.0';

// ---- what outcomes are made of ----

const text = (value) => ({ tag: 'text', val: { text: value } });
const image = () => ({ tag: 'image', val: { data: PIXEL, mimeType: 'image/png' } });
const embedded = (uri, mimeType, value) => ({
  tag: 'embedded',
  val: { contents: { uri, mimeType, body: { tag: 'text', val: value } } },
});
const complete = (content, more = {}) => ({ tag: 'complete', val: { content, isError: false, ...more } });
const say = (value) => complete([text(value)]);
const fail = (value) => complete([text(value)], { isError: true });
const schema = (properties, required = Object.keys(properties)) => ({ type: 'object', properties, required });
const form = (message, properties) => ({
  tag: 'elicit-form',
  val: { message, schema: JSON.stringify(schema(properties)) },
});
const sample = (question, maxTokens = 100) => ({
  tag: 'sample',
  val: JSON.stringify({ messages: [{ role: 'user', content: { type: 'text', text: question } }], maxTokens }),
});
const ROOTS = { tag: 'list-roots' };
const ask = (questions, state) => ({
  tag: 'input-required',
  val: { questions: Object.entries(questions), state },
});

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
function bytes(encoded) {
  const bits = [...encoded.replace(/=+$/, '')].map((char) => base64.indexOf(char));
  const out = new Uint8Array(Math.floor((bits.length * 6) / 8));
  for (let at = 0; at < out.length; at++) {
    const first = Math.floor((at * 8) / 6);
    const shift = (at * 8) % 6;
    out[at] = (((bits[first] << 6) | bits[first + 1]) >> (4 - shift)) & 0xff;
  }
  return out;
}

/** A PNG of one pixel. */
const PIXEL = bytes(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
);

/** A WAV of a hundredth of a second of silence: 80 samples, 8 kHz, 8 bit, mono. */
const SILENCE = (() => {
  const samples = 80;
  const out = new Uint8Array(44 + samples).fill(128, 44);
  const view = new DataView(out.buffer);
  const write = (at, word) => {
    for (const [index, char] of [...word].entries()) view.setUint8(at + index, char.charCodeAt(0));
  };
  write(0, 'RIFF');
  view.setUint32(4, 36 + samples, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8_000, true);
  view.setUint32(28, 8_000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, 'data');
  view.setUint32(40, samples, true);
  return out;
})();

// ---- tools ----

const TOOLS = new Map();

function define(name, description, run, more = {}) {
  const { inputSchema = { type: 'object' }, outputSchema, task } = more;
  TOOLS.set(name, {
    run,
    tool: {
      name,
      description,
      inputSchema: JSON.stringify(inputSchema),
      outputSchema: outputSchema === undefined ? undefined : JSON.stringify(outputSchema),
      icons: [],
      task,
    },
  });
}

const NAME = { name: { type: 'string' } };
const OK = { ok: { type: 'boolean' } };
const askName = () => form('What is your name?', NAME);
const has = ({ answers }, ...keys) => keys.every((key) => Object.hasOwn(answers, key));
const field = ({ answers }, key, name) => answers[key]?.content?.[name];

define('test_simple_text', 'Answers with one text', () => say('This is a simple text response for testing.'));
define('test_image_content', 'Answers with an image', () => complete([image()]));
define('test_audio_content', 'Answers with sound', () =>
  complete([{ tag: 'audio', val: { data: SILENCE, mimeType: 'audio/wav' } }]),
);
define('test_embedded_resource', 'Answers with an embedded resource', () =>
  complete([embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')]),
);
define('test_multiple_content_types', 'Answers with text, image and resource', () =>
  complete([
    text('Multiple content types test:'),
    image(),
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]),
);
define('test_resource_link', 'Answers with a link to a resource', () =>
  complete([
    { tag: 'link', val: { uri: 'test://static-text', name: 'static-text', description: 'A text to follow' } },
  ]),
);
define('test_error_handling', 'Always fails', () =>
  fail('This tool intentionally returns an error for testing'),
);
define('test_tool_with_logging', 'Logs three messages while it works', () => {
  const log = (words) => host.log('info', JSON.stringify(words), undefined);
  log('Tool execution started');
  host.sleep(50);
  log('Tool processing data');
  host.sleep(50);
  log('Tool execution completed');
  return say('Tool with logging executed successfully');
});
define('test_logging_tool', 'Logs at two levels', () => {
  host.log('debug', '{"step":1}', 'fixture');
  host.log('error', '{"step":2}', 'fixture');
  return say('Logged');
});
define('test_tool_with_progress', 'Reports progress three times', () => {
  host.progress(0, 100, 'started');
  host.sleep(50);
  host.progress(50, 100, 'half way');
  host.sleep(50);
  host.progress(100, 100, 'done');
  return say('Tool with progress executed successfully');
});
define('test_reconnection', 'Lets go of its stream and goes on', () => {
  host.closeStream();
  host.sleep(100);
  return say('Reconnection test completed successfully');
});
define(
  'header_echo',
  'Says where it would run; the region travels as a header too',
  ({ args }) => say(`Region ${JSON.stringify(args.region ?? null)}`),
  {
    inputSchema: schema(
      {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        level: { type: 'integer', 'x-mcp-header': 'Level' },
        dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      },
      [],
    ),
  },
);
define('json_schema_2020_12_tool', 'Has a schema with words of 2020-12', () => say('Fits'), {
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  },
});

// ---- tools that ask ----

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

// ---- tools that take long ----

const AT_ONCE = { support: 'optional', atOnce: true };

define('greet', 'Greets at once', ({ args }) => say(`Hello, ${args.name}!`), { inputSchema: schema(NAME) });
define(
  'slow_compute',
  'Computes for some seconds',
  ({ args }) => {
    host.sleep((typeof args.seconds === 'number' ? args.seconds : 1) * 1_000);
    return say(`Computed ${args.label ?? 'it'}`);
  },
  { inputSchema: schema({ seconds: { type: 'number' }, label: { type: 'string' } }, []), task: AT_ONCE },
);
define(
  'failing_job',
  'Fails after a while',
  () => {
    host.sleep(200);
    return fail('The job failed');
  },
  { task: { support: 'required', atOnce: true } },
);
define(
  'protocol_error_job',
  'Breaks after a while',
  () => {
    host.sleep(50);
    throw { tag: 'failed', val: 'a detail that no client may see' };
  },
  { task: AT_ONCE },
);
define(
  'confirm_delete',
  'Asks before it deletes',
  (call) => {
    const file = String(call.args.filename);
    if (!has(call, 'confirm'))
      return ask({ confirm: form(`Really delete ${file}?`, { confirm: { type: 'boolean' } }) });
    return say(call.answers.confirm.action === 'accept' ? `Deleted ${file}` : `Kept ${file}`);
  },
  { inputSchema: schema({ filename: { type: 'string' } }), task: AT_ONCE },
);
define(
  'multi_input',
  'Asks two things at once',
  (call) => {
    const keys = Object.keys(call.answers);
    if (keys.length > 0) return say(`Got ${keys.sort().join(' and ')}`);
    return ask({
      first: form('First name?', NAME),
      second: form('Are you sure?', { confirm: { type: 'boolean' } }),
    });
  },
  { task: AT_ONCE },
);
define(
  'test_tool_with_task',
  'Asks for a name, then works on it for a while',
  (call) => {
    if (call.state !== undefined) {
      host.sleep(100);
      return say(`Worked for ${call.state}`);
    }
    const name = field(call, 'user_name', 'name');
    return typeof name === 'string' ? { tag: 'task', val: name } : ask({ user_name: askName() });
  },
  { task: { support: 'optional', atOnce: false } },
);

define('test_trigger_tool_change', 'Says that its tools have changed', () => {
  host.listsChanged();
  return say('Changed');
});
define('test_trigger_prompt_change', 'Says that its prompts have changed', () => {
  host.listsChanged();
  return say('Changed');
});
define('touch_watched', 'Changes the watched resource', () => {
  host.resourceChanged('test://watched-resource');
  return say('Touched');
});

export const tools = {
  listTools: () => [...TOOLS.values()].map(({ tool }) => tool),
  callTool(call) {
    const found = TOOLS.get(call.name);
    if (found === undefined) throw { tag: 'unknown' };
    const answers = Object.fromEntries(
      call.continuation.answers.map(([key, value]) => [key, JSON.parse(value)]),
    );
    return found.run({
      args: JSON.parse(call.arguments),
      answers,
      state: call.continuation.state ?? undefined,
    });
  },
};

// ---- prompts ----

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

// ---- resources ----

const words = (value) => ({ tag: 'text', val: value });
const RESOURCES = {
  'test://static-text': {
    name: 'static-text',
    mimeType: 'text/plain',
    body: words('This is the content of the static text resource.'),
  },
  'test://static-binary': { name: 'static-binary', mimeType: 'image/png', body: { tag: 'blob', val: PIXEL } },
  'test://watched-resource': { name: 'watched', mimeType: 'text/plain', body: words('Watched') },
};

export const resources = {
  listResources: () =>
    Object.entries(RESOURCES).map(([uri, { name, mimeType }]) => ({ uri, name, mimeType })),
  listTemplates: () => [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      description: 'Data by id',
      mimeType: 'application/json',
    },
  ],
  read(uri) {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
    if (id !== undefined) {
      const body = words(JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }));
      return { contents: [{ uri, mimeType: 'application/json', body }] };
    }
    if (!Object.hasOwn(RESOURCES, uri)) return undefined;
    const { mimeType, body } = RESOURCES[uri];
    return { contents: [{ uri, mimeType, body }] };
  },
};

export const completion = {
  complete(_reference, _name, value) {
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(value));
    return { values, total: values.length, hasMore: false };
  },
};
