// Hostile MCP messages from a seed: good ones, bent. Deterministic, so that a failure can be run again.

export type Random = () => number;

/** mulberry32: small, fast, the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: {},
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};
const request = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params && { params }),
});

const SEEDS: readonly string[] = [
  request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'f', version: '1' },
  }),
  request('ping'),
  request('tools/list', { cursor: 'x' }),
  request('tools/call', { name: 'add', arguments: { a: 5, b: 3 }, _meta: { progressToken: 1 } }),
  request('tools/call', { name: 'test_input_required_result_multi_round', _meta: META }),
  request('tools/call', { name: 'greet', arguments: { name: 'x' }, task: { ttl: 1 }, _meta: META }),
  request('tools/call', { name: 'header_echo', arguments: { region: 'eu' }, _meta: META }),
  request('tools/batch', { calls: [{ name: 'add', arguments: { a: 1, b: 2 } }, { name: 'nope' }] }),
  request('resources/read', { uri: 'test://long', range: { start: 1, length: 5 } }),
  request('prompts/get', { name: 'test_prompt_with_arguments', arguments: { arg1: 'x', arg2: 'y' } }),
  request('completion/complete', {
    ref: { type: 'ref/prompt', name: 'x' },
    argument: { name: 'a', value: 'p' },
  }),
  request('logging/setLevel', { level: 'debug' }),
  request('resources/subscribe', { uri: 'test://watched-resource' }),
  request('server/discover', { _meta: META }),
  request('tasks/get', { taskId: 'x', _meta: META }),
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'never', reason: 'x' } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
  { jsonrpc: '2.0', method: 'tools/call', params: { name: 'add' } },
  { jsonrpc: '2.0', id: 1, result: {} },
  { jsonrpc: '2.0', id: 'x', error: { code: 1, message: 'x' } },
  [request('tools/list'), { jsonrpc: '2.0', method: 'notifications/x' }],
].map((seed) => JSON.stringify(seed));

const TOKENS = [
  'null',
  'true',
  '-1',
  '1e999',
  '9007199254740993',
  '1.5',
  '""',
  '"\\u0000"',
  '"\\ud800"',
  '[]',
  '{}',
  '[[[[[[]]]]]]',
  '"__proto__"',
  '{"__proto__":{"x":1}}',
  '"constructor"',
  '"tools/call"',
  '"2026-07-28"',
  '"2.0"',
  '"id"',
  '😀',
  ',',
  ':',
];

/** Ids are made unique afterwards by the caller, where the text still has the seed's. */
export function mutate(random: Random): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  let text = pick(SEEDS);
  const times = 1 + Math.floor(random() * 3);
  for (let round = 0; round < times; round += 1) {
    const at = Math.floor(random() * text.length);
    const end = Math.min(text.length, at + 1 + Math.floor(random() * 12));
    switch (Math.floor(random() * 8)) {
      case 0:
        text = text.slice(0, at);
        break;
      case 1:
        text = text.slice(0, at) + text.slice(end);
        break;
      case 2:
        text = text.slice(0, at) + pick(TOKENS) + text.slice(end);
        break;
      case 3:
        text = text.slice(0, at) + String.fromCharCode(Math.floor(random() * 300)) + text.slice(at + 1);
        break;
      case 4:
        text = text.slice(0, end) + text.slice(at);
        break;
      case 5:
        text = replaceValue(text, pick(TOKENS), random);
        break;
      case 6:
        text = replaceValue(text, pick(TOKENS), random);
        break;
      case 7:
        text = `${'['.repeat(Math.floor(random() * 300))}${text}`;
        break;
    }
  }
  return text.replace(/[\r\n]/g, ' ');
}

/** Swaps one value for another, so that the text often stays JSON. */
function replaceValue(text: string, by: string, random: Random): string {
  const values = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|-?\d+|true|false|null|\{\}|\[\])/g)];
  const found = values[Math.floor(random() * values.length)];
  if (!found) return text;
  return `${text.slice(0, found.index + 1)}${by}${text.slice(found.index + found[0].length)}`;
}

/** How many answers a text may have at most, decided apart from the server's own code. */
export function mostAnswers(text: string): number {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 1;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 1;
  const isNotification =
    typeof (value as { method?: unknown }).method === 'string' && !Object.hasOwn(value, 'id');
  return isNotification ? 0 : 1;
}
