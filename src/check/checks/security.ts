// What a server gives away, and whether it can be worn down. Good practice mostly, but the kind that hurts.

import { createHmac, randomUUID } from 'node:crypto';
import type { Bench } from '../bench.ts';
import type { Exchange } from '../link.ts';
import { errorOf, isObject, resultOf } from '../message.ts';
import {
  type Check,
  type Clause,
  fail,
  isModern,
  pass,
  REVISIONS,
  since,
  skip,
  TRANSPORTS,
  type Verdict,
} from '../model.ts';
import { exchangeHttp } from '../wire/http.ts';

const LEAKS: readonly (readonly [RegExp, string])[] = [
  [/\bat (?:async )?[\w.<>$ ]+ \((?:file:\/\/|\/|[A-Z]:\\|node:)[^)]*:\d+:\d+\)/, 'a JavaScript stack trace'],
  [/Traceback \(most recent call last\)/, 'a Python stack trace'],
  [/\b(?:\/home\/|\/Users\/|\/root\/|\/var\/|\/usr\/|\/opt\/)[\w.-]+\/[\w./-]+/, 'a path of the machine'],
  [/[A-Z]:\\(?:Users|Windows|Program Files)\\/, 'a path of the machine'],
  [/goroutine \d+ \[running\]|thread 'main' panicked/, 'a stack trace'],
];

async function errorsTellNothing(bench: Bench): Promise<Verdict> {
  const { conversation } = bench;
  const provoked: Exchange[] = [
    await conversation.request('tools/call', { name: 'witbox-check-no-such-tool', arguments: {} }),
    await conversation.request('tools/call', { name: 5, arguments: 'none' }),
    await conversation.request('resources/read', { uri: 'file:///witbox-check/../../etc/passwd' }),
    await conversation.request('prompts/get', { name: { a: 1 } }),
    await conversation.raw('{"jsonrpc":"2.0","id":'),
  ];
  for (const exchange of provoked) {
    for (const [pattern, what] of LEAKS) {
      const error = exchange.messages
        .map((message) => JSON.stringify(errorOf(message) ?? resultOf(message) ?? ''))
        .join('\n');
      const found = pattern.exec(error.replaceAll('file:///witbox-check/../../etc/passwd', ''));
      if (found !== null) return fail(`An error tells ${what}: ${found[0].slice(0, 120)}`, exchange);
    }
  }
  return pass;
}

async function requestStateGuarded(bench: Bench): Promise<Verdict> {
  const tool = await askingTool(bench);
  if (tool === null) return skip('No tool that may be called asks for input with a requestState');
  const { name, given, state } = tool;
  const forged = [
    `${state.slice(0, -2)}${state.endsWith('A') ? 'BB' : 'AA'}`,
    createHmac('sha256', 'x').update(state).digest('base64url'),
  ];
  for (const requestState of forged) {
    const exchange = await bench.conversation.request('tools/call', {
      name,
      arguments: given,
      requestState,
      inputResponses: {},
    });
    const result = resultOf(exchange.answer);
    if (result !== null && result.isError !== true && result.resultType === 'complete') {
      return fail('A requestState that was tampered with was accepted', exchange);
    }
  }
  return pass;
}

async function askingTool(bench: Bench): Promise<{ name: string; given: unknown; state: string } | null> {
  const tool = await bench.callable();
  if (tool === null) return null;
  const exchange = await bench.conversation.request(
    'tools/call',
    { name: tool.name, arguments: tool.arguments },
    { capabilities: { elicitation: {}, sampling: {}, roots: {} } },
  );
  const result = resultOf(exchange.answer);
  const state = result?.resultType === 'input_required' ? result.requestState : undefined;
  return typeof state === 'string' ? { name: tool.name, given: tool.arguments, state } : null;
}

async function unauthorizedSaysHow(bench: Bench): Promise<Verdict> {
  const url = bench.conversation.link.url!;
  const reply = await exchangeHttp({
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${randomUUID()}`,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    milliseconds: bench.options.milliseconds,
  });
  if (reply.status !== 401) return skip('The server does not ask for authorization');
  const challenge = reply.headers['www-authenticate'] ?? '';
  return /resource_metadata=/i.test(challenge)
    ? pass
    : fail('401 came without a WWW-Authenticate header that names the resource metadata', { raw: challenge });
}

async function taskIds(bench: Bench): Promise<Verdict> {
  const tool = await bench.callable();
  if (tool === null)
    return skip('No tool may be called: none is marked read-only, and --allow-calls names none');
  const extension = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
  const made: string[] = [];
  for (let index = 0; index < 2; index++) {
    const exchange = await bench.conversation.request(
      'tools/call',
      { name: tool.name, arguments: tool.arguments },
      { capabilities: extension },
    );
    const task = resultOf(exchange.answer)?.task;
    const id = isObject(task) ? task.taskId : undefined;
    if (typeof id !== 'string') return skip(`"${tool.name}" did not become a task`);
    made.push(id);
  }
  if (made[0] === made[1]) return fail('Two tasks have the same id', { raw: made.join('\n') });
  return made[0]!.length >= 16
    ? pass
    : fail(`A task id of ${made[0]!.length} characters can be guessed`, { raw: made.join('\n') });
}

async function subprotocol(bench: Bench): Promise<Verdict> {
  const { websocket } = bench.conversation.link;
  return websocket!.protocol === 'mcp'
    ? pass
    : fail(`The WebSocket was opened with the subprotocol "${websocket!.protocol}", not "mcp"`);
}

const authorization: Clause = { page: 'basic/authorization' };

export const securityChecks: readonly Check[] = [
  {
    id: 'X01',
    title: 'Errors tell no stack, path or secret',
    level: 'practice',
    severity: 'critical',
    clause: { page: 'server/tools', heading: 'security-considerations' },
    revisions: REVISIONS,
    transports: TRANSPORTS,
    remedy: 'Turn unknown errors into one plain message with an id that the log has too',
    run: errorsTellNothing,
  },
  {
    id: 'F15',
    title: 'A tampered requestState is refused',
    level: 'must',
    severity: 'critical',
    clause: { page: 'basic/patterns/mrtr' },
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Sign requestState, bind it to the caller, and check the signature before anything else',
    run: requestStateGuarded,
  },
  {
    id: 'X03',
    title: '401 says how to get authorized',
    level: 'must',
    severity: 'critical',
    clause: authorization,
    revisions: since('2025-06-18'),
    transports: ['http'],
    remedy: 'Send WWW-Authenticate with resource_metadata on every 401',
    run: unauthorizedSaysHow,
  },
  {
    id: 'X05',
    title: 'The WebSocket speaks the subprotocol mcp',
    level: 'practice',
    severity: 'medium',
    clause: (revision) => ({
      page: 'basic/transports',
      ...(isModern(revision) ? {} : { heading: 'custom-transports' }),
    }),
    revisions: REVISIONS,
    transports: ['websocket'],
    remedy: 'Answer the handshake with Sec-WebSocket-Protocol: mcp',
    run: subprotocol,
  },
  {
    id: 'X06',
    title: 'Task ids differ and cannot be guessed',
    level: 'must',
    severity: 'critical',
    clause: { page: 'basic/patterns' },
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Make task ids from at least 128 random bits and bind them to the caller',
    run: taskIds,
  },
];
