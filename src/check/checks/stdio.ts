// The stdio transport: what may stand on stdout, how lines are read, how the process ends.

import { setTimeout as delay } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { type Conversation, fenceMethod, META } from '../conversation.ts';
import { codeOf, isServerRequest, objectOf } from '../message.ts';
import { type Check, fail, isModern, pass, REVISIONS, type Revision, type Verdict } from '../model.ts';

const onStdio = { clause: clauses.stdio, revisions: REVISIONS, transports: ['stdio'] as const };

/** Makes the server say as much as can be had cheaply, errors included: that is when stray prints happen. */
async function exercise(conversation: Conversation): Promise<void> {
  await conversation.fence();
  await conversation.request('tools/list');
  await conversation.request('witbox-check/no-such-method');
  await conversation.request('tools/call', { name: 'witbox-check-no-such-tool', arguments: {} });
}

async function onlyMessages({ conversation }: Bench): Promise<Verdict> {
  await exercise(conversation);
  const { stdio, inbox } = conversation.link;
  const stray = stdio!.junk.find((line) => line.trim() !== '');
  if (stray !== undefined) return fail('A line on stdout is not an MCP message', { raw: stray });
  const odd = inbox!.messages.find(
    (message) => objectOf(message)?.jsonrpc !== '2.0' && !Array.isArray(message.json),
  );
  return odd === undefined ? pass : fail('A line on stdout is JSON, but not a JSON-RPC 2.0 message', odd);
}

async function noEmbeddedNewlines({ conversation }: Bench): Promise<Verdict> {
  await exercise(conversation);
  const { faults } = conversation.link.stdio!;
  return faults.embeddedNewline ? fail('A message is broken over several lines', conversation.opening) : pass;
}

async function validUtf8({ conversation }: Bench): Promise<Verdict> {
  await exercise(conversation);
  const text = 'grüße-日本-😀';
  await conversation.request('tools/call', { name: text, arguments: {} });
  return conversation.link.stdio!.faults.invalidUtf8 ? fail('stdout has bytes that are not UTF-8') : pass;
}

async function logsOnStderr({ conversation }: Bench): Promise<Verdict> {
  await exercise(conversation);
  const log = conversation.link.stdio!.junk.find((line) =>
    /\b(info|debug|warn|error|listening|started|server)\b/i.test(line),
  );
  return log === undefined ? pass : fail('A log line is on stdout', { raw: log });
}

async function exitsOnEnd(bench: Bench): Promise<Verdict> {
  const conversation = await bench.fresh();
  conversation.link.stdio!.endInput();
  const { milliseconds } = bench.options;
  return (await conversation.link.stdio!.exited(milliseconds))
    ? pass
    : fail(`Still running ${milliseconds / 1_000} s after its input was closed`);
}

async function linesTolerated(bench: Bench): Promise<Verdict> {
  const conversation = await bench.spare();
  const { stdio, inbox } = conversation.link;
  const message = (id: string) => request(bench.revision, id);
  const gets = async (id: string) =>
    (await inbox!.next((one) => objectOf(one)?.id === id, 0, bench.options.milliseconds)) !== null;

  const split = message('split');
  stdio!.write(split.slice(0, 20));
  await delay(30);
  stdio!.write(`${split.slice(20)}\n`);
  if (!(await gets('split')))
    return fail('A message that arrived in two pieces was not answered', { sent: split });
  stdio!.write(`${message('joined-1')}\n${message('joined-2')}\n`);
  if (!(await gets('joined-1')) || !(await gets('joined-2'))) {
    return fail('Two messages that arrived together were not both answered');
  }
  stdio!.write(`\n${message('crlf')}\r\n`);
  return (await gets('crlf')) ? pass : fail('A message after a blank line, ended by CR LF, was not answered');
}

function request(revision: Revision, id: string): string {
  const meta = { [`${META}protocolVersion`]: revision, [`${META}clientCapabilities`]: {} };
  const params = isModern(revision) ? { _meta: meta } : {};
  return JSON.stringify({ jsonrpc: '2.0', id, method: fenceMethod(revision), params });
}

async function malformedSurvived(bench: Bench): Promise<Verdict> {
  const conversation = await bench.spare();
  for (const text of ['{"jsonrpc":"2.0","id":1,', 'hello', '{"jsonrpc":"2.0","id":2,"method":"ping"}}']) {
    const exchange = await conversation.raw(text);
    if (exchange.silence !== null) return fail(`After a malformed line: ${exchange.silence}`, exchange);
    const code = codeOf(exchange.answer);
    if (exchange.answer !== null && code !== -32700 && code !== -32600) {
      return fail(`A malformed line got ${code ?? 'a result'} instead of -32700`, exchange);
    }
  }
  return pass;
}

async function oversizedBounded(bench: Bench): Promise<Verdict> {
  const conversation = await bench.spare();
  const megabytes = 16;
  const text = `{"jsonrpc":"2.0","id":"big","method":"${fenceMethod(bench.revision)}","params":{"x":"${'a'.repeat(megabytes << 20)}"}}`;
  // Not waited for: whether it is served or refused, what counts is that the next one is.
  void conversation.link.send(text, { milliseconds: 1 });
  const after = await conversation.request(fenceMethod(bench.revision), {}, { milliseconds: 12_000 });
  return after.answer === null ? fail(`After a line of ${megabytes} MB: ${after.silence}`) : pass;
}

async function noServerRequests(bench: Bench): Promise<Verdict> {
  const { conversation } = bench;
  await exercise(conversation);
  await bench.calls();
  const asked = conversation.link.inbox!.messages.find(isServerRequest);
  return asked === undefined
    ? pass
    : fail('The server sent a request, which this revision does not have', asked);
}

export const stdioChecks: readonly Check[] = [
  {
    id: 'S01',
    title: 'stdout carries nothing but MCP messages',
    level: 'must',
    severity: 'critical',
    ...onStdio,
    remedy: 'Send everything else to stderr, also what libraries and start scripts print',
    run: onlyMessages,
  },
  {
    id: 'S02',
    title: 'A message stands on one line',
    level: 'must',
    severity: 'critical',
    ...onStdio,
    remedy: 'Serialise without indentation and end each message with one newline',
    run: noEmbeddedNewlines,
  },
  {
    id: 'S03',
    title: 'stdout is valid UTF-8',
    level: (revision) => (revision === '2024-11-05' ? 'should' : 'must'),
    severity: 'high',
    ...onStdio,
    clause: (revision) => (revision === '2024-11-05' ? clauses.stdio : clauses.encoding)(revision),
    remedy: 'Set the output encoding to UTF-8, whatever the locale is',
    run: validUtf8,
  },
  {
    id: 'S04',
    title: 'Logs go to stderr',
    level: 'must',
    severity: 'high',
    ...onStdio,
    remedy: 'Point the logger at stderr when the stdio transport is used',
    run: logsOnStderr,
  },
  {
    id: 'S05',
    title: 'The server exits when its input ends',
    level: (revision) => (isModern(revision) ? 'should' : 'practice'),
    severity: 'medium',
    ...onStdio,
    clause: clauses.shutdown,
    scope: 'once',
    remedy: 'Exit on end of file on stdin: it is the only portable way a client has to end a server',
    run: exitsOnEnd,
  },
  {
    id: 'S06',
    title: 'Split, joined, blank and CR LF lines are read',
    level: 'practice',
    severity: 'medium',
    ...onStdio,
    scope: 'once',
    remedy: 'Collect bytes until a newline; ignore blank lines and a carriage return before the newline',
    run: linesTolerated,
  },
  {
    id: 'S07',
    title: 'A malformed line is answered with -32700 or passed over, and the next request works',
    level: 'should',
    severity: 'high',
    ...onStdio,
    clause: clauses.errors,
    scope: 'once',
    remedy: 'Catch parse errors per line and go on with the next one',
    run: malformedSurvived,
  },
  {
    id: 'S08',
    title: 'A very long line does not stop the server',
    level: 'practice',
    severity: 'high',
    ...onStdio,
    scope: 'once',
    remedy: 'Bound the length of a line; skip to its end and answer with an error',
    run: oversizedBounded,
  },
  {
    id: 'S09',
    title: 'The server sends no requests',
    level: 'must',
    severity: 'critical',
    clause: clauses.stdioRequests,
    revisions: ['2026-07-28'],
    transports: ['stdio', 'websocket'],
    remedy: 'Answer with an input-required result instead of asking the client',
    run: noServerRequests,
  },
];
