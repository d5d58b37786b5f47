// Cases about questions to the client, and about tasks. Tools are written once; the revision decides how they ask.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Case, MODERN } from '../case.ts';
import type { Answers, Peer, PeerOptions } from '../wire/peer.ts';

const ELICITS = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
const TASKS = 'io.modelcontextprotocol/tasks';

const answers: Answers = {
  'elicitation/create': (params) =>
    (params.mode as unknown) === 'url'
      ? { action: 'accept' }
      : { action: 'accept', content: { name: 'Ada', color: 'blue', ok: true, confirm: true } },
  'sampling/createMessage': () => ({
    role: 'assistant',
    content: { type: 'text', text: 'Paris' },
    model: 'm',
  }),
  'roots/list': () => ({ roots: [{ uri: 'file:///home', name: 'home' }] }),
};
const able: PeerOptions = {
  capabilities: { elicitation: { form: {}, url: {} }, sampling: {}, roots: {}, extensions: { [TASKS]: {} } },
  answers,
};

const textOf = async (peer: Peer, name: string, args: object = {}) =>
  String((await peer.result('tools/call', { name, arguments: args })).content?.[0]?.text);

async function finished(peer: Peer, taskId: string) {
  for (;;) {
    const task = await peer.result('tasks/get', { taskId });
    if (!['working', 'input_required'].includes(String(task.status))) return task;
    await sleep(10);
  }
}

export const askingCases: readonly Case[] = [
  {
    name: 'a tool asks the user and goes on with the answer',
    verifies: ['ask-elicitation'],
    revisions: ELICITS,
    async run({ peer }) {
      assert.equal(await textOf(await peer(able), 'test_input_required_result_elicitation'), 'Hello, Ada!');
    },
  },
  {
    name: 'a tool asks for a completion and goes on with it',
    verifies: ['ask-sampling'],
    async run({ peer }) {
      const one = await peer(able);
      assert.equal(
        await textOf(one, 'test_sampling', { prompt: 'Capital of France?' }),
        'LLM response: Paris',
      );
    },
  },
  {
    name: 'a tool asks for the roots and goes on with them',
    verifies: ['ask-roots'],
    async run({ peer }) {
      const text = await textOf(await peer(able), 'test_input_required_result_list_roots');
      assert.equal(text, 'Roots: [{"uri":"file:///home","name":"home"}]');
    },
  },
  {
    name: 'a tool asks several times and several things at once, and keeps its state',
    verifies: ['ask-rounds'],
    revisions: ELICITS,
    async run({ peer }) {
      const one = await peer(able);
      assert.equal(await textOf(one, 'test_input_required_result_multi_round'), 'Ada likes blue');
      assert.equal(await textOf(one, 'test_input_required_result_multiple_inputs'), 'All there');
      assert.equal(await textOf(one, 'test_input_required_result_request_state'), 'state-ok');
      const { messages } = await one.result('prompts/get', { name: 'test_input_required_result_prompt' });
      assert.match(String(messages?.[0]?.content?.text), /Ada/);
    },
  },
  {
    name: 'a form is asked in the words of the revision',
    verifies: ['ask-elicitation', 'projection'],
    revisions: ELICITS,
    async run({ peer, revision }) {
      const seen: unknown[] = [];
      const one = await peer({
        ...able,
        answers: {
          'elicitation/create': (params) => {
            seen.push(params.mode, params.requestedSchema?.properties?.titledSingle?.enumNames?.[0]);
            return { action: 'decline' };
          },
        },
      });
      const result = await one.result('tools/call', { name: 'test_elicitation_sep1330_enums' });
      if (revision === '2025-06-18') {
        assert.equal(result.isError, true, 'several choices cannot be asked yet');
        assert.deepEqual(seen, []);
      } else assert.deepEqual(seen, ['form', undefined]);
      const titled = await one.result('tools/call', { name: 'choose_color' });
      assert.match(String(titled.content?.[0]?.text), /decline/);
      assert.deepEqual(seen.slice(-2), revision === '2025-06-18' ? [undefined, 'Red'] : ['form', undefined]);
    },
  },
  {
    name: 'work that a tool would rather do as a task is waited for, if the client did not ask for one',
    verifies: ['tasks'],
    revisions: ['2025-11-25'],
    async run({ peer }) {
      assert.equal(await textOf(await peer(able), 'test_tool_with_task'), 'Worked for Ada');
    },
  },
  {
    name: 'a tool sends the user to a page',
    verifies: ['ask-url'],
    revisions: ['2025-11-25', '2026-07-28'],
    async run({ peer }) {
      const one = await peer({
        ...able,
        answers: {
          'elicitation/create': (params) => {
            assert.equal(params.url, 'https://example.org/sign-in');
            return { action: 'accept' };
          },
        },
      });
      assert.equal(await textOf(one, 'visit_url'), 'Visited: accept');
    },
  },
  {
    name: 'a client is not asked what it did not declare, or its revision does not have',
    verifies: ['ask-undeclared'],
    async run({ peer, modern, revision }) {
      const one = await peer();
      const call = { name: 'test_missing_capability' };
      if (modern) {
        const error = await one.error('tools/call', call);
        assert.equal(error.code, -32021);
        assert.deepEqual(error.data, { requiredCapabilities: { sampling: {} } });
      } else {
        const result = await one.result('tools/call', call);
        assert.equal(result.isError, true);
        assert.match(String(result.content?.[0]?.text), /sampling/);
      }
      const forms = await peer({ capabilities: { elicitation: {} }, answers: {} });
      if (modern) assert.equal((await forms.error('tools/call', { name: 'visit_url' })).code, -32021);
      else assert.equal((await forms.result('tools/call', { name: 'visit_url' })).isError, true);
      if (revision < '2025-06-18') {
        const name = 'test_input_required_result_elicitation';
        assert.equal((await forms.result('tools/call', { name })).isError, true);
      }
    },
  },
  {
    name: 'a request state that was changed, used before or made for something else is refused',
    verifies: ['request-state'],
    revisions: MODERN,
    async run({ peer }) {
      const one = await peer(able);
      const name = 'test_input_required_result_request_state';
      const { result } = await one.request('tools/call', { name });
      const requestState = String(result?.requestState);
      const inputResponses = { confirm: { action: 'accept', content: { ok: true } } };
      const retry = (params: object) => one.error('tools/call', { name, inputResponses, ...params });
      const [body, signature] = requestState.split('.') as [string, string];
      for (const changed of [
        `${requestState}x`,
        `${body}.`,
        `.${signature}`,
        'x',
        '',
        `${body}A.${signature}`,
      ]) {
        assert.equal((await retry({ requestState: changed })).code, -32602, changed);
      }
      assert.equal((await retry({ requestState: 7 })).code, -32602);
      const other = 'test_input_required_result_tampered_state';
      assert.equal((await retry({ requestState, name: other })).code, -32602, 'another tool');
      assert.equal((await retry({ requestState, arguments: { a: 1 } })).code, -32602, 'other arguments');
      const done = await one.result('tools/call', { name, inputResponses, requestState });
      assert.equal(done.content?.[0]?.text, 'state-ok');
      assert.equal((await retry({ requestState })).code, -32602, 'a second time');
      for (const bad of [null, [], { confirm: 7 }]) {
        assert.equal((await one.error('tools/call', { name, inputResponses: bad })).code, -32602);
      }
    },
  },
  {
    name: 'a long call is a task: polled, asked for input, finished, cancelled, and only its owner’s',
    verifies: ['tasks'],
    revisions: MODERN,
    async run({ peer }) {
      const one = await peer(able);
      const start = async (name: string, args: object = {}) =>
        one.result('tools/call', { name, arguments: args });
      const created = await start('slow_compute', { seconds: 0.02, label: 'x' });
      assert.equal(created.resultType, 'task');
      const ended = await finished(one, String(created.taskId));
      assert.equal(ended.result?.content?.[0]?.text, 'Computed x');
      const failed = await finished(one, String((await start('failing_job')).taskId));
      assert.deepEqual([failed.status, failed.result?.isError], ['completed', true]);
      const broken = await finished(one, String((await start('protocol_error_job')).taskId));
      assert.deepEqual(
        [broken.status, broken.error?.code, broken.error?.message],
        ['failed', -32603, 'Internal error'],
      );

      const asking = String((await start('multi_input')).taskId);
      const { inputRequests } = await one.result('tasks/get', { taskId: asking });
      const [first, second] = Object.keys(inputRequests!);
      const answer = (key: string) => ({
        taskId: asking,
        inputResponses: { [key]: { action: 'accept' }, zz: {} },
      });
      await one.result('tasks/update', answer(first!));
      assert.deepEqual(Object.keys((await one.result('tasks/get', { taskId: asking })).inputRequests!), [
        second,
      ]);
      await one.result('tasks/update', answer(second!));
      assert.equal((await finished(one, asking)).result?.content?.[0]?.text, 'Got first and second');

      const long = String((await start('slow_compute', { seconds: 60 })).taskId);
      await one.result('tasks/cancel', { taskId: long });
      assert.equal((await finished(one, long)).status, 'cancelled');
      await one.result('tasks/cancel', { taskId: long });

      for (const method of ['tasks/get', 'tasks/cancel']) {
        assert.equal((await one.error(method, { taskId: 'nope' })).code, -32602);
      }
      const without = await peer();
      assert.equal((await without.error('tasks/get', { taskId: long })).code, -32021);
      assert.equal((await without.error('tools/call', { name: 'failing_job' })).code, -32021);
      const inline = await without.result('tools/call', { name: 'slow_compute', arguments: { seconds: 0 } });
      assert.equal(inline.resultType, 'complete');
    },
  },
  {
    name: 'a client makes a call a task: polled, asked for input, fetched, listed, cancelled',
    verifies: ['tasks'],
    revisions: ['2025-11-25'],
    async run({ peer }) {
      const one = await peer(able);
      const start = async (name: string, args: object = {}) =>
        (await one.result('tools/call', { name, arguments: args, task: { ttl: 60_000 } })).task!;
      const slow = await start('slow_compute', { seconds: 0.02, label: 'x' });
      assert.deepEqual([slow.status, slow.ttl], ['working', 60_000]);
      const taskId = String(slow.taskId);
      const result = await one.result('tasks/result', { taskId });
      assert.equal(result.content?.[0]?.text, 'Computed x');
      assert.equal(result._meta?.['io.modelcontextprotocol/related-task']?.taskId, taskId);
      assert.equal((await one.result('tasks/get', { taskId })).status, 'completed');
      assert.equal((await one.error('tasks/cancel', { taskId })).code, -32602);

      const asking = String((await start('confirm_delete', { filename: 'f' })).taskId);
      assert.equal((await one.result('tasks/result', { taskId: asking })).content?.[0]?.text, 'Deleted f');
      const long = String((await start('slow_compute', { seconds: 60 })).taskId);
      assert.equal((await one.result('tasks/cancel', { taskId: long })).status, 'cancelled');
      assert.equal((await one.list('tasks/list', 'tasks')).length, 3);
      const failing = String((await start('failing_job')).taskId);
      assert.equal((await one.result('tasks/result', { taskId: failing })).isError, true);
      assert.equal((await one.result('tasks/get', { taskId: failing })).status, 'failed');

      assert.equal((await one.error('tools/call', { name: 'greet', task: {} })).code, -32601);
      assert.equal((await one.error('tools/call', { name: 'failing_job' })).code, -32601);
      const stranger = await peer(able);
      assert.equal((await stranger.error('tasks/get', { taskId })).code, -32602);
      assert.deepEqual(await stranger.list('tasks/list', 'tasks'), []);
    },
  },
];
