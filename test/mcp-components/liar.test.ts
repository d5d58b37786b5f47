// Components that lie about themselves, side by side with an honest one in the real server: each lie is refused or
// bounded, the log names who told it, and the honest one never notices.

import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { callTool, openPeer } from '../../examples/peer.ts';
import { type Served, serve } from '../../examples/serve.ts';
import type { Peer } from '../mcp/wire/peer.ts';
import { buildGuest } from './component.ts';

/** Lies in lists that leave the rest of the component standing, and what the log says of them. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  INVALID_JSON: /is not JSON/,
  INVALID_SCHEMA: /input schema of \\"liar_schema\\"/,
  NO_OBJECT: /no type \\"object\\"/,
  FOREIGN_REF: /leads out of the schema/,
  BOMB: /with its references followed/,
  DEEP: /liar_deep/,
  SPACES: /liar with spaces/,
};
/** Lies that nothing is left of. */
const REFUSED = ['MANY', 'ENDLESS'];
const LIES = [
  ...Object.keys(LEFT_OUT),
  ...REFUSED,
  'WRONG_OUTPUT',
  'TWIN',
  'LATER',
  'CALLS',
  'RESTLESS',
  'SHADOW',
];

const idOf = (lie: string): string => lie.toLowerCase().replace('_', '-');
const policy = (lie: string): string => `version: "1.0"
permissions:
  environment: { allow: [{ key: ${lie} }] }
  keyvalue: { allow: [{ bucket: turned }] }
  resources: { limits: { time: 4s } }
`;

let served: Served;
let peer: Peer;
let names: readonly string[];

before(async () => {
  const file = await buildGuest('liar');
  served = await serve({
    components: [
      { file: resolve(import.meta.dirname, '../../examples/calculator/test-module.wasm') },
      ...LIES.map((lie) => ({ file, id: idOf(lie), policy: policy(lie) })),
    ],
    env: Object.fromEntries(LIES.map((lie) => [lie, '1'])),
  });
  peer = await openPeer(served, '2025-11-25');
  names = (await peer.list('tools/list', 'tools')).map(({ name }) => String(name));
});

after(async () => {
  await peer.wire.close();
  await served.close();
});

/** The honest neighbour, asked after every lie. */
async function neighbourWorks(): Promise<void> {
  const { content } = await callTool(peer, 'add', { a: 5, b: 3 });
  assert.equal(content[0]!.text, 'WASM calculation result: 8 (from test-module::add)');
}

const logOf = (component: string): string[] =>
  served
    .log()
    .split('\n')
    .filter((line) => line.includes(`"component":"${component}"`));

for (const [lie, words] of Object.entries(LEFT_OUT)) {
  test(`${lie}: the tool is left out, the rest stays, and the log names it`, async () => {
    assert.deepEqual(
      names.filter((name) => name.startsWith('liar')),
      [],
    );
    const { content } = await callTool(peer, `honest_${lie.toLowerCase()}`);
    assert.equal(content[0]!.text, 'the truth');
    assert.ok(logOf(idOf(lie)).some((line) => line.includes('component lies') && words.test(line)));
    await neighbourWorks();
  });
}

for (const lie of REFUSED) {
  test(`${lie}: the component is not loaded, and the log says why`, async () => {
    assert.ok(!names.includes(`honest_${lie.toLowerCase()}`));
    assert.ok(logOf(idOf(lie)).some((line) => line.includes('component not loaded')));
    await neighbourWorks();
  });
}

test('TWIN: two tools of one name get two names', () => {
  assert.equal(names.filter((name) => name === 'twin').length, 1);
  assert.equal(names.filter((name) => name === 'twin.twin').length, 1);
});

test('RESTLESS: lists that call themselves changed while they are read are read once', async () => {
  const { content } = await callTool(peer, 'honest_restless');
  assert.equal(content[0]!.text, 'the truth');
  await neighbourWorks();
});

test('SHADOW: names and addresses of others stay theirs', async () => {
  const { content } = await callTool(peer, 'test-module.add', { a: 5, b: 3 });
  assert.match(content[0]!.text, /result: 8 \(from test-module::add\)/);
  assert.ok(names.includes('shadow.add') && names.includes('shadow.test-module.add'), names.join());
  const prompts = await peer.list('prompts/list', 'prompts');
  assert.equal(prompts.filter(({ name }) => String(name) === 'write-policy').length, 1);
  const resources = await peer.list('resources/list', 'resources');
  assert.ok(!resources.some(({ uri }) => String(uri).startsWith('Component:')));
  for (const uri of ['Component://test-module/policy', 'elsewhere://x'])
    await peer.error('resources/read', { uri });
  await neighbourWorks();
});

test('LATER: lists that turn bad while it runs stay as they were', async () => {
  assert.equal((await callTool(peer, 'turn')).content[0]!.text, 'turned');
  const later = (await peer.list('tools/list', 'tools')).map(({ name }) => String(name));
  assert.deepEqual(later, names);
  assert.ok(logOf('later').some((line) => line.includes('20001 entries')));
  await neighbourWorks();
});

test('WRONG_OUTPUT: a result that does not fit its own schema never reaches a client', async () => {
  const { code, message } = await peer.error('tools/call', { name: 'wrong_output' });
  assert.equal(code, -32603);
  assert.ok(!message.includes('"one"'));
  assert.ok(served.log().includes('does not fit its output schema'));
  await neighbourWorks();
});

test('a result of 100 MB does not fit into the memory, and one of 20 MB not into an answer', async () => {
  const huge = await callTool(peer, 'huge');
  assert.equal(huge.isError, true);
  const large = await callTool(peer, 'large');
  assert.equal(large.isError, true);
  assert.match(large.content[0]!.text, /raise the output limit/);
  await neighbourWorks();
});

for (const name of ['many_blocks', 'no_json', 'no_uri']) {
  test(`${name}: an answer that makes no sense is an internal error, named in the log`, async () => {
    assert.equal((await peer.error('tools/call', { name })).code, -32603);
    assert.ok(served.log().includes('"calls\\"'), served.log().slice(-500));
    await neighbourWorks();
  });
}

test('spin: a call that never ends is ended, and others run meanwhile', async () => {
  const spinning = callTool(peer, 'spin');
  await neighbourWorks();
  const { isError, content } = await spinning;
  assert.equal(isError, true);
  assert.match(content[0]!.text, /limit/);
});

test('flood: messages of one call are bounded', async () => {
  await peer.result('logging/setLevel', { level: 'debug' });
  await peer.request('tools/call', { name: 'flood' });
  const messages = peer.aside().length;
  assert.ok(messages > 0 && messages <= 10_000, `${messages} messages`);
  await neighbourWorks();
});

test('prompts and resources that cannot be are left out', async () => {
  const prompts = (await peer.list('prompts/list', 'prompts')).map(({ name }) => String(name));
  assert.ok(prompts.includes('fine'));
  assert.ok(prompts.every((name) => name.length < 300));
  const resources = (await peer.list('resources/list', 'resources')).map(({ uri }) => String(uri));
  assert.ok(resources.every((uri) => uri.startsWith('component://')));
});
