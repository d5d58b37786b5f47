// Cases about tools, resources, prompts, completion and lists: the same call has the same answer everywhere, in the
// words of the revision.

import assert from 'node:assert/strict';
import type { Case } from '../case.ts';

export const featureCases: readonly Case[] = [
  {
    name: 'tools show the fields that the revision has, and no other',
    verifies: ['projection', 'structured'],
    async run({ peer, revision }) {
      const one = await peer();
      const tools = await one.list('tools/list', 'tools');
      const add = tools.find(({ name }) => (name as unknown) === 'add');
      const fields = ['name', 'description', 'inputSchema'];
      if (revision >= '2025-03-26') fields.push('annotations');
      if (revision >= '2025-06-18') fields.push('title', 'outputSchema', '_meta');
      if (revision >= '2025-11-25') fields.push('icons');
      assert.deepEqual(Object.keys(add!).sort(), fields.sort());
      const number = { type: 'number' };
      const wrapped = { type: 'object', properties: { result: number }, required: ['result'] };
      if (revision === '2026-07-28') assert.deepEqual(add?.outputSchema, number);
      else if (revision >= '2025-06-18') assert.deepEqual(add?.outputSchema, wrapped);
      const slow = tools.find(({ name }) => (name as unknown) === 'slow_compute');
      assert.deepEqual(slow?.execution, revision === '2025-11-25' ? { taskSupport: 'optional' } : undefined);
    },
  },
  {
    name: 'a tool answers with text everywhere and structure where there is a word for it',
    verifies: ['structured', 'result-fields'],
    async run({ peer, revision, modern }) {
      const one = await peer();
      const result = await one.result('tools/call', { name: 'add', arguments: { a: 5, b: 3 } });
      assert.deepEqual(result.content, [{ type: 'text', text: '8' }]);
      assert.equal(result.isError, false);
      assert.equal(result.resultType, modern ? 'complete' : undefined);
      const structured = revision < '2025-06-18' ? undefined : modern ? 8 : { result: 8 };
      assert.deepEqual(result.structuredContent, structured);
      const object = await one.result('tools/call', { name: 'weather' });
      assert.deepEqual(object.structuredContent, revision < '2025-06-18' ? undefined : { temperature: 21 });
    },
  },
  {
    name: 'content that a revision does not know is shown as the nearest it knows',
    verifies: ['projection'],
    async run({ peer, revision }) {
      const one = await peer();
      const kind = async (name: string) => (await one.result('tools/call', { name })).content?.[0]?.type;
      assert.equal(await kind('test_image_content'), 'image');
      assert.equal(await kind('test_embedded_resource'), 'resource');
      assert.equal(await kind('test_audio_content'), revision >= '2025-03-26' ? 'audio' : 'resource');
      assert.equal(await kind('test_resource_link'), revision >= '2025-06-18' ? 'resource_link' : 'text');
    },
  },
  {
    name: 'an unknown tool is -32602, arguments that do not fit are isError',
    verifies: ['unknown-tool', 'bad-arguments'],
    async run({ peer }) {
      const one = await peer();
      for (const name of ['nope', 'constructor', '__proto__', '']) {
        assert.equal((await one.error('tools/call', { name })).code, -32602);
      }
      assert.equal((await one.error('tools/call', { name: 7 })).code, -32602);
      assert.equal((await one.error('tools/call', { name: 'add', arguments: [] })).code, -32602);
      const result = await one.result('tools/call', { name: 'add', arguments: { a: 'x' } });
      assert.equal(result.isError, true);
    },
  },
  {
    name: 'tools/batch gives results in order, and one failure stays its own',
    verifies: ['tool-batch'],
    async run({ peer, revision, modern }) {
      const one = await peer();
      const add = (a: number, b: number) => ({ name: 'add', arguments: { a, b } });
      const calls = [add(1, 2), { name: 'nope' }, 7, { name: 'protocol_error_job' }, add(3, 4)];
      const { results } = await one.result('tools/batch', { calls });
      assert.deepEqual(
        results?.map(({ isError, content }) => [isError, content?.[0]?.text]),
        [
          [false, '3'],
          [true, 'Unknown tool: "nope"'],
          [true, 'Invalid params: "calls[]" must be an object, it is a number'],
          [true, 'Internal error'],
          [false, '7'],
        ],
      );
      assert.deepEqual(
        results?.[0]?.structuredContent,
        revision < '2025-06-18' ? undefined : modern ? 3 : { result: 3 },
      );
      assert.equal((await one.error('tools/batch', { calls: {} })).code, -32602);
      assert.equal((await one.error('tools/batch', { calls: Array(101).fill(add(1, 1)) })).code, -32602);
    },
  },
  {
    name: 'resources are listed and read, by template too',
    verifies: ['resource-read'],
    async run({ peer }) {
      const one = await peer();
      const uris = (await one.list('resources/list', 'resources')).map(({ uri }) => uri as unknown);
      assert.ok(uris.includes('test://static-text'));
      const [template] = await one.list('resources/templates/list', 'resourceTemplates');
      assert.equal(template?.uriTemplate, 'test://template/{id}/data');
      const { contents } = await one.result('resources/read', { uri: 'test://template/7/data' });
      assert.equal(JSON.parse(String(contents?.[0]?.text)).id, '7');
      const binary = await one.result('resources/read', { uri: 'test://static-binary' });
      assert.ok(binary.contents?.[0]?.blob);
    },
  },
  {
    name: 'a resource that is not there has the code of the revision',
    verifies: ['resource-not-found'],
    async run({ peer, modern }) {
      const one = await peer();
      const error = await one.error('resources/read', { uri: 'test://nope' });
      assert.equal(error.code, modern ? -32602 : -32002);
      assert.equal((await one.error('resources/read', {})).code, -32602);
    },
  },
  {
    name: 'resources/read with a range gives that part and the total',
    verifies: ['resource-range'],
    async run({ peer }) {
      const one = await peer();
      const { text: whole } = (await one.result('resources/read', { uri: 'test://long' })).contents![0]!;
      const total = String(whole).length;
      let read = '';
      for (let start = 0; start < total; ) {
        const part = await one.result('resources/read', { uri: 'test://long', range: { start, length: 6 } });
        assert.equal(part.range?.total, total);
        read += String(part.contents?.[0]?.text);
        start += Number(part.range?.length);
      }
      assert.equal(read, String(whole));
      const binary = await one.result('resources/read', {
        uri: 'test://static-binary',
        range: { start: 1, length: 3 },
      });
      assert.equal(Buffer.from(String(binary.contents?.[0]?.blob), 'base64').toString(), 'PNG');
      for (const range of [{ start: -1, length: 1 }, { start: 0 }, { start: 0.5, length: 1 }, 7]) {
        assert.equal((await one.error('resources/read', { uri: 'test://long', range })).code, -32602);
      }
    },
  },
  {
    name: 'prompts are listed and filled',
    verifies: ['prompt-get', 'projection'],
    async run({ peer, revision }) {
      const one = await peer();
      const [first] = await one.list('prompts/list', 'prompts');
      assert.equal(first?.title, revision >= '2025-06-18' ? 'Simple' : undefined);
      const args = { arg1: 'x', arg2: 'y' };
      const { messages } = await one.result('prompts/get', {
        name: 'test_prompt_with_arguments',
        arguments: args,
      });
      const text = "Prompt with arguments: arg1='x', arg2='y'";
      assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text } }]);
      assert.equal((await one.error('prompts/get', { name: 'nope' })).code, -32602);
      assert.equal((await one.error('prompts/get', { name: 'test_prompt_with_arguments' })).code, -32602);
      const wrong = { name: 'test_prompt_with_arguments', arguments: { arg1: 1 } };
      assert.equal((await one.error('prompts/get', wrong)).code, -32602);
    },
  },
  {
    name: 'completion gives at most 100 values and says how many there are',
    verifies: ['completion'],
    async run({ peer }) {
      const one = await peer();
      const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' };
      const complete = (value: string) =>
        one.result('completion/complete', { ref, argument: { name: 'arg1', value } });
      assert.deepEqual((await complete('par')).completion, {
        values: ['paris', 'park', 'party'],
        total: 3,
        hasMore: false,
      });
      const { completion } = await complete('');
      assert.equal(completion?.values?.length, 100);
      assert.deepEqual([completion?.total, completion?.hasMore], [153, true]);
      assert.equal(
        (await one.error('completion/complete', { ref: { type: 'x' }, argument: {} })).code,
        -32602,
      );
    },
  },
  {
    name: 'paging ends, gives nothing twice and refuses cursors that are not ours',
    verifies: ['pagination'],
    async run({ peer }) {
      const one = await peer();
      const names = (await one.list('tools/list', 'tools')).map(({ name }) => name);
      assert.ok(names.length > 20);
      assert.equal(new Set(names).size, names.length);
      const { nextCursor } = await one.result('tools/list');
      const cursor = String(nextCursor);
      const flipped = `${cursor.slice(0, -2)}${cursor.at(-2) === 'A' ? 'B' : 'A'}${cursor.at(-1)}`;
      for (const bad of ['', 'x', '0', flipped, `${cursor}A`, `${cursor}=`]) {
        assert.equal((await one.error('tools/list', { cursor: bad })).code, -32602, bad);
      }
      assert.equal((await one.error('tools/list', { cursor: 7 })).code, -32602);
      assert.equal((await one.error('prompts/list', { cursor })).code, -32602, 'a cursor of another list');
    },
  },
  {
    name: 'exceptions are told without their text, with an id that the log has',
    verifies: ['internal-errors'],
    async run({ peer, harness, revision }) {
      const one = await peer();
      const call = { name: 'protocol_error_job' };
      const error = await one.error('tools/call', call);
      assert.deepEqual([error.code, error.message], [-32603, 'Internal error'], revision);
      assert.ok(
        harness.logs.some((line) => line.includes(String(error.data?.id)) && line.includes('secret detail')),
      );
    },
  },
];
