// A guest that uses every import and every export of witbox:mcp, each by a tool of its own, so that a test can look at
// one at a time.

import { open } from 'wasi:keyvalue/store@0.2.0-draft';
import * as host from 'witbox:mcp/host@0.1.0';

const text = (value, annotations) => ({ tag: 'text', val: { text: value, annotations } });
const say = (value) => ({ tag: 'complete', val: { content: [text(String(value))], isError: false } });
const contents = (uri, body) => ({ uri, mimeType: 'text/plain', body });
const BYTES = new Uint8Array([1, 2, 3]);

const dynamic = (name, inputSchema) => ({ name, description: 'Made at run time', inputSchema, icons: [] });

function attempt(action) {
  try {
    action();
    return 'done';
  } catch (error) {
    return `refused: ${error?.payload ?? error}`;
  }
}

const grown = () => {
  try {
    return open('probe').exists('grown');
  } catch {
    return false;
  }
};

const TOOLS = {
  log({ level, logger }) {
    host.log(level, JSON.stringify({ from: 'probe' }), logger);
    host.log(level, 'no JSON', undefined);
    return say('logged');
  },
  progress() {
    host.progress(1, 3, 'one');
    host.progress(1, 3, 'not more than before');
    host.progress(2, undefined, undefined);
    return say('progressed');
  },
  cancelled: () => say(host.isCancelled()),
  sleep({ ms }) {
    const before = Date.now();
    host.sleep(ms);
    return say(Date.now() - before);
  },
  client: () => say(JSON.stringify(host.client())),
  register: ({ name, schema }) =>
    say(attempt(() => host.registerTool(dynamic(name, schema ?? '{"type":"object"}')))),
  unregister: ({ name }) => say(attempt(() => host.unregisterTool(name))),
  changed({ uri }) {
    host.resourceChanged(uri);
    return say('told');
  },
  grow() {
    open('probe').set('grown', BYTES);
    host.listsChanged();
    return say('grown');
  },
  let_go() {
    host.closeStream();
    host.sleep(50);
    return say('finished without a stream');
  },
  everything: () => ({
    tag: 'complete',
    val: {
      content: [
        text('words', { audience: ['user'], priority: 0.5, lastModified: '2026-07-28T00:00:00Z' }),
        { tag: 'image', val: { data: BYTES, mimeType: 'image/png' } },
        { tag: 'audio', val: { data: BYTES, mimeType: 'audio/wav' } },
        { tag: 'link', val: { uri: 'probe://text', name: 'text', size: 5 } },
        { tag: 'embedded', val: { contents: contents('probe://bytes', { tag: 'blob', val: BYTES }) } },
      ],
      structured: '{"kinds":5}',
      isError: false,
    },
  }),
  wrong: () => ({ tag: 'complete', val: { content: [text('this went wrong')], isError: true } }),
  invalid() {
    throw { tag: 'invalid', val: 'it makes no sense' };
  },
  failed() {
    throw { tag: 'failed', val: 'a detail for the log alone' };
  },
  ask(_args, { state, answers }) {
    if (state === 'asked') return say(`answered ${answers.name.content.name}`);
    const schema = '{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}';
    const questions = [['name', { tag: 'elicit-form', val: { message: 'Who are you?', schema } }]];
    return { tag: 'input-required', val: { questions, state: 'asked' } };
  },
  grown: () => say('I am new'),
};

const ARGUMENTS = {
  log: { level: { type: 'string' }, logger: { type: 'string' } },
  sleep: { ms: { type: 'integer' } },
  register: { name: { type: 'string' }, schema: { type: 'string' } },
  unregister: { name: { type: 'string' } },
  changed: { uri: { type: 'string' } },
};

function describe(name) {
  return {
    name,
    title: `Probe ${name}`,
    description: `Uses ${name}`,
    inputSchema: JSON.stringify({ type: 'object', properties: ARGUMENTS[name] ?? {} }),
    outputSchema:
      name === 'everything'
        ? '{"type":"object","properties":{"kinds":{"type":"integer"}},"required":["kinds"]}'
        : undefined,
    annotations: { readOnly: true, openWorld: false },
    icons: [{ src: 'https://example.com/probe.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }],
  };
}

export const tools = {
  listTools: () =>
    Object.keys(TOOLS)
      .filter((name) => name !== 'grown' || grown())
      .map(describe),
  callTool({ name, arguments: args, meta, continuation }) {
    if (name.startsWith('made_')) return say(`${name} got ${args}`);
    if (name === 'meta') return say(meta);
    if (!Object.hasOwn(TOOLS, name)) throw { tag: 'unknown' };
    const answers = Object.fromEntries(continuation.answers.map(([key, value]) => [key, JSON.parse(value)]));
    return TOOLS[name](JSON.parse(args), { state: continuation.state, answers });
  },
};

export const prompts = {
  listPrompts: () => [
    {
      name: 'greet',
      title: 'Greet',
      description: 'Greets somebody',
      arguments: [{ name: 'who', title: 'Who', description: 'Whom to greet', required: true }],
      icons: [],
    },
  ],
  getPrompt(name, given) {
    if (name !== 'greet') throw { tag: 'unknown' };
    const who = Object.fromEntries(given).who;
    if (who === undefined) throw { tag: 'invalid', val: 'nobody to greet' };
    const messages = [
      { role: 'user', content: text(`Greet ${who}`) },
      { role: 'assistant', content: text('With pleasure') },
    ];
    return { tag: 'complete', val: { description: 'A greeting', messages } };
  },
};

export const resources = {
  listResources: () => [{ uri: 'probe://text', name: 'text', mimeType: 'text/plain', size: 26 }],
  listTemplates: () => [{ uriTemplate: 'probe://letters/{letter}', name: 'letters', mimeType: 'text/plain' }],
  read(uri, range) {
    const [, letter] = /^probe:\/\/letters\/([a-z])$/.exec(uri) ?? [];
    if (letter !== undefined) return { contents: [contents(uri, { tag: 'text', val: letter.repeat(3) })] };
    if (uri !== 'probe://text') return undefined;
    const all = 'abcdefghijklmnopqrstuvwxyz';
    const start = Number(range?.start ?? 0);
    const part = range ? all.slice(start, start + Number(range.length)) : all;
    return { contents: [contents(uri, { tag: 'text', val: part })], total: range ? all.length : undefined };
  },
};

export const completion = {
  complete(reference, name, value, known) {
    const values = [`${reference.tag}:${reference.val}`, name, `${value}!`, JSON.stringify(known)];
    return { values, total: 40, hasMore: true };
  },
};

export const twice = (value) => value * 2;
