// What the client can do with a server that has the conformance fixtures, as statements: one suite, for any such server,
// on every transport and at every revision.

import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import {
  type Connection,
  connect,
  type Handlers,
  REVISIONS,
  type Revision,
  type Target,
} from '../../src/client/client.ts';

const HANDLERS: Handlers = {
  elicit: () => ({ action: 'accept', content: { name: 'Ada', confirm: true } }),
  sample: () => ({ model: 'test', role: 'assistant', content: { type: 'text', text: 'Sampled' } }),
  roots: () => [{ uri: 'file:///tmp', name: 'tmp' }],
};

async function using(
  target: Target,
  options: Parameters<typeof connect>[1],
  use: (connection: Connection) => Promise<void>,
): Promise<void> {
  const connection = await connect(target, { handlers: HANDLERS, openTimeoutMs: 60_000, ...options });
  try {
    await use(connection);
  } finally {
    await connection.close();
  }
}

const textOf = (result: { content: readonly unknown[] }): unknown =>
  (result.content[0] as { text?: string }).text;

export interface Way {
  /** Asked for when a test begins. */
  target(): Target;
  /** All if left out. */
  readonly revisions?: readonly Revision[];
  /** Tests that run side by side; fewer where each starts a process of its own. */
  readonly atOnce?: number;
}

/** Ways to the server by transport. */
export function clientSuite(server: string, ways: Readonly<Record<string, Way>>): void {
  for (const [name, { target, revisions = REVISIONS, atOnce = 4 }] of Object.entries(ways)) {
    suite(`${server} on ${name}`, { concurrency: atOnce }, () => {
      for (const revision of revisions) {
        test(`everything works at ${revision}`, async () => {
          const logged: unknown[] = [];
          const handlers = { ...HANDLERS, log: ({ data }: { data: unknown }) => void logged.push(data) };
          await using(target(), { revision, handlers, logLevel: 'debug' }, async (connection) => {
            assert.deepEqual([connection.revision, connection.transport], [revision, name]);
            assert.equal(connection.server.info?.name, server);
            await lists(connection);
            await calls(connection);
            await connection.callTool('test_tool_with_logging');
            assert.equal(logged.filter((one) => String(one).startsWith('Tool ')).length, 3);
            await cancels(connection);
            if (revision >= '2025-06-18') await answers(connection);
            if (revision >= '2025-11-25') await followsTasks(connection);
            await hearsOfChanges(connection);
          });
        });
      }

      test('the best revision is found without saying one', async () => {
        await using(target(), {}, async (connection) => {
          assert.equal(connection.revision, name === 'sse' ? '2025-11-25' : '2026-07-28');
        });
      });

      if (name === 'http')
        for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25'] as const)
          test(`an answer comes though the server lets go of its stream, at ${revision}`, async () => {
            await using(target(), { revision }, async (connection) => {
              const result = await connection.callTool('test_reconnection');
              assert.equal(result.isError ?? false, false);
            });
          });
    });
  }
}

async function lists(connection: Connection): Promise<void> {
  assert.ok((await connection.tools()).length > 20, 'all pages');
  assert.ok((await connection.resources()).some(({ uri }) => uri === 'test://static-text'));
  assert.ok((await connection.resourceTemplates()).length > 0);
  assert.equal((await connection.readResource('test://static-text')).contents.length, 1);
  assert.ok((await connection.prompts()).length > 2);
  const prompt = await connection.getPrompt('test_prompt_with_arguments', { arg1: 'x', arg2: 'y' });
  assert.match(JSON.stringify(prompt.messages), /x.*y/);
  await assert.rejects(connection.readResource('test://nope'), { code: 'server-error' });
}

async function calls(connection: Connection): Promise<void> {
  assert.equal(textOf(await connection.callTool('add', { a: 5, b: 3 })), '8');
  const progress: number[] = [];
  const onProgress = (one: { progress: number }) => progress.push(one.progress);
  await connection.callTool('test_tool_with_progress', {}, { onProgress });
  assert.deepEqual(progress, [0, 50, 100]);
  await connection.ping();
  const batch = await connection.request('tools/batch', {
    calls: [{ name: 'add', arguments: { a: 1, b: 2 } }],
  });
  assert.match(JSON.stringify(batch.results), /"text":"3"/);
  await assert.rejects(connection.callTool('nope'), {
    code: 'server-error',
    message: /-32602.*Unknown tool/,
  });
}

async function cancels(connection: Connection): Promise<void> {
  const stop = new AbortController();
  const call = connection.callTool('slow_compute', { seconds: 30 }, { signal: stop.signal });
  setTimeout(() => stop.abort(), 30);
  await assert.rejects(call, { code: 'call-cancelled' });
  await connection.ping();
}

async function answers(connection: Connection): Promise<void> {
  assert.equal(textOf(await connection.callTool('test_input_required_result_elicitation')), 'Hello, Ada!');
  const sampled = await connection.callTool('test_input_required_result_sampling');
  assert.match(String(textOf(sampled)), /Sampled/);
  const rooted = await connection.callTool('test_input_required_result_list_roots');
  assert.match(JSON.stringify(rooted.content), /file:\/\/\/tmp/);
}

async function followsTasks(connection: Connection): Promise<void> {
  const states: string[] = [];
  const onTask = ({ status }: { status: string }) => states.push(status);
  const failed = await connection.callTool('failing_job', {}, { onTask });
  assert.deepEqual([failed.isError, textOf(failed)], [true, 'The job failed']);
  assert.equal(states[0], 'working');
  assert.match(states.at(-1)!, /^(completed|failed)$/);
  const deleted = await connection.callTool('confirm_delete', { filename: 'a.txt' });
  assert.equal(textOf(deleted), 'Deleted a.txt');
}

async function hearsOfChanges(connection: Connection): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const subscription = await connection.subscribe({ lists: ['tools'] }, resolve);
  await connection.callTool('test_trigger_tool_change');
  assert.deepEqual(await promise, { kind: 'list', list: 'tools' });
  await subscription.close();
  const updated = Promise.withResolvers<unknown>();
  const uri = 'test://watched-resource';
  const watching = await connection.subscribe({ resources: [uri] }, updated.resolve);
  await connection.callTool('touch_watched');
  assert.deepEqual(await updated.promise, { kind: 'resource', uri });
  await watching.close();
}
