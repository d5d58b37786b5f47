// The design studio as a client sees it, from the real server: designs that last, change notices, pictures, errors.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Peer } from '../../test/mcp/wire/peer.ts';
import { buildExample } from '../build.ts';
import { exampleNamed } from '../list.ts';
import { callTool, openPeer, type Reply } from '../peer.ts';
import { type Served, serve } from '../serve.ts';

let file: string;
let served: Served;
before(async () => {
  file = await buildExample(exampleNamed('designs'));
  served = await serve({ components: [{ file, policy: 'requested' }] });
});
after(() => served.close());

type Call = (name: string, args?: object) => Promise<Reply>;

async function withPeer(use: (call: Call, peer: Peer) => Promise<void>): Promise<void> {
  const peer = await openPeer(served, '2025-11-25');
  try {
    await use((name, args) => callTool(peer, name, args), peer);
  } finally {
    await peer.wire.close();
  }
}

test('a design lasts from call to call and is drawn as SVG', () =>
  withPeer(async (call) => {
    const { structuredContent: made } = await call('create_design', { name: 'Summer fair' });
    assert.equal(made.id, 'summer-fair');
    assert.deepEqual([made.width, made.height], [1920, 1080]);
    const { structuredContent: added } = await call('add_element', {
      design_id: made.id,
      type: 'text',
      x: 40,
      y: 90,
      text: '<Fish & chips>',
    });
    await call('update_element', { design_id: made.id, element_id: added.id, fill: 'teal' });
    const { content } = await call('export_design', { design_id: made.id });
    const svg = Buffer.from(content[1]!.data, 'base64').toString();
    assert.equal(content[1]!.mimeType, 'image/svg+xml');
    assert.equal(content[2]!.resource.text, svg);
    assert.match(svg, /fill="teal">&lt;Fish &amp; chips&gt;<\/text>/);
    assert.match(svg, /viewBox="0 0 1920 1080"/);
  }));

test('the alias of add_element does the same', () =>
  withPeer(async (call) => {
    const { structuredContent: made } = await call('create_design', { name: 'Alias', width: 10, height: 10 });
    const { structuredContent } = await call('590_add_element', { design_id: made.id, type: 'ellipse' });
    assert.equal(structuredContent.id, 'e-1');
  }));

test('a name is asked for, and a second design of a name gets an id of its own', () =>
  withPeer(async (call) => {
    const nameless = await call('create_design', { width: 5 });
    assert.equal(nameless.isError, true);
    assert.match(nameless.content[0]!.text, /name/);
    const ids: unknown[] = [];
    for (let n = 0; n < 2; n++)
      ids.push((await call('create_design', { name: 'Ünïque?' })).structuredContent.id);
    assert.deepEqual(ids, ['n-que', 'n-que-2']);
  }));

test('designs are resources: listed, read, announced, gone', () =>
  withPeer(async (call, peer) => {
    const { structuredContent: made } = await call('create_design', { name: 'Watched' });
    const listed = await peer.list('resources/list', 'resources');
    assert.ok(listed.some(({ uri }) => String(uri) === made.uri));
    await peer.result('resources/subscribe', { uri: made.uri! });
    await call('add_element', { design_id: made.id, type: 'rectangle' });
    const notice = await peer.wire.take(({ method }) => method === 'notifications/resources/updated');
    assert.equal(String(notice.params?.uri), made.uri);
    const { contents } = await peer.result('resources/read', { uri: made.uri! });
    assert.equal(JSON.parse(String(contents?.[0]?.text)).elements.length, 1);
    const picture = await peer.result('resources/read', { uri: `${made.uri}/svg` });
    assert.match(String(picture.contents?.[0]?.text), /^<svg /);
    await call('delete_design', { design_id: made.id });
    await peer.wire.take(({ method }) => method === 'notifications/resources/list_changed');
    assert.equal((await peer.error('resources/read', { uri: made.uri! })).code, -32002);
  }));

test('prompts have titles, and required arguments are required', () =>
  withPeer(async (_call, peer) => {
    const prompts = await peer.list('prompts/list', 'prompts');
    const post = prompts.find(({ name }) => String(name) === 'create_social_post');
    assert.ok(post?.title);
    assert.deepEqual(
      post.arguments?.map(({ name, required }) => [name, required]),
      [
        ['platform', true],
        ['message', false],
      ],
    );
    const { messages } = await peer.result('prompts/get', {
      name: 'create_social_post',
      arguments: { platform: 'instagram' },
    });
    assert.match(String(messages?.[0]?.content?.text), /width 1080 and height 1080/);
    assert.equal((await peer.error('prompts/get', { name: 'create_social_post' })).code, -32602);
    const { completion } = await peer.result('completion/complete', {
      ref: { type: 'ref/prompt', name: 'create_social_post' },
      argument: { name: 'platform', value: 'li' },
    });
    assert.deepEqual(completion?.values, ['linkedin']);
  }));

test('a mistake is told in words that help and tell nothing else', () =>
  withPeer(async (call) => {
    const missing = await call('export_design', { design_id: 'nowhere' });
    assert.deepEqual(missing.content, [
      { type: 'text', text: 'There is no design "nowhere": list_designs shows what there is' },
    ]);
    assert.equal(missing.isError, true);
    const sly = await call('create_design', { name: 'x', background: 'url(http://example.com)' });
    assert.equal(sly.isError, true);
  }));

test('without the grant nothing is kept, and the caller is told which grant is missing', async () => {
  const bare = await serve({ components: [{ file }] });
  try {
    const peer = await openPeer(bare, '2025-11-25');
    const error = await peer.error('tools/call', { name: 'create_design', arguments: { name: 'x' } });
    assert.equal(error.code, -32001);
    assert.deepEqual(error.data, {
      component_id: 'designs',
      permission: 'keyvalue:designs',
      reason: 'Bucket not in allowlist',
    });
    await peer.wire.close();
  } finally {
    await bare.close();
  }
});
