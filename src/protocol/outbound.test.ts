import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOutbound } from './outbound.ts';

const signal = new AbortController().signal;

test('ids are never used twice and answers find their question', async () => {
  const outbound = createOutbound(1_000);
  const sent: { id: number }[] = [];
  const ask = (method: string) => outbound.request(method, {}, (text) => sent.push(JSON.parse(text)), signal);
  const [first, second] = [ask('a'), ask('b')];
  assert.notEqual(sent[0]?.id, sent[1]?.id);
  outbound.settle({ kind: 'response', id: sent[1]!.id, result: { two: 2 }, error: undefined });
  outbound.settle({ kind: 'response', id: 99, result: {}, error: undefined });
  outbound.settle({
    kind: 'response',
    id: sent[0]!.id,
    result: undefined,
    error: { code: 1, message: 'no' },
  });
  assert.deepEqual(await second, { two: 2 });
  await assert.rejects(first, /answered a with an error: no/);
});

test('a question without an answer is cancelled with the client', async () => {
  const outbound = createOutbound(5);
  const sent: { id?: number; method: string; params: { requestId?: number } }[] = [];
  // The timer of a question does not hold the process; this one does, for the test.
  const hold = setTimeout(() => {}, 1_000);
  await assert.rejects(
    outbound.request('a', {}, (text) => sent.push(JSON.parse(text)), signal),
    /no answer/,
  );
  clearTimeout(hold);
  assert.equal(sent[1]?.method, 'notifications/cancelled');
  assert.equal(sent[1]?.params.requestId, sent[0]?.id);
});

test('a cancelled call takes its questions back, a closed connection ends them', async () => {
  const outbound = createOutbound(1_000);
  const abort = new AbortController();
  const sent: string[] = [];
  const asked = outbound.request('a', {}, (text) => sent.push(text), abort.signal);
  abort.abort();
  await assert.rejects(asked, /cancelled/);
  assert.match(sent[1] ?? '', /notifications\/cancelled/);
  const open = outbound.request('b', {}, () => {}, signal);
  outbound.close();
  await assert.rejects(open, /connection closed/);
});
