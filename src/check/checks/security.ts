// What a server gives away, and whether it can be worn down. Good practice mostly, but the kind that hurts.

import { type Bench, callParams } from '../bench.ts';
import { clauses } from '../clauses.ts';
import type { Exchange } from '../link.ts';
import { errorOf, resultOf } from '../message.ts';
import { type Check, fail, pass, REVISIONS, since, skip, TRANSPORTS, type Verdict } from '../model.ts';

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

const BURST = 200;
const AT_ONCE = 20;
const QUICK = 250;

async function rateLimited(bench: Bench): Promise<Verdict> {
  const quick = (await bench.calls()).find(
    ({ exchange, milliseconds }) => exchange.answer !== null && milliseconds < QUICK,
  );
  if (quick === undefined) return skip('No tool that may be called is quick enough to be called often');
  const before = performance.now();
  for (let sent = 0; sent < BURST; sent += AT_ONCE) {
    const exchanges = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        bench.conversation.request('tools/call', callParams(quick), {
          headers: quick.headers,
          impatient: true,
        }),
      ),
    );
    if (exchanges.some(({ answer }) => resultOf(answer) === null || resultOf(answer)!.isError === true))
      return pass;
  }
  const seconds = ((performance.now() - before) / 1_000).toFixed(1);
  return fail(`${BURST} calls of "${quick.name}" in ${seconds} s were all served: no limit was met`);
}

async function subprotocol(bench: Bench): Promise<Verdict> {
  const { websocket } = bench.conversation.link;
  return websocket!.protocol === 'mcp'
    ? pass
    : fail(`The WebSocket was opened with the subprotocol "${websocket!.protocol}", not "mcp"`);
}

export const securityChecks: readonly Check[] = [
  {
    id: 'X01',
    title: 'Errors tell no stack, path or secret',
    level: 'practice',
    severity: 'critical',
    clause: clauses.toolSecurity,
    revisions: REVISIONS,
    transports: TRANSPORTS,
    remedy: 'Turn unknown errors into one plain message with an id that the log has too',
    run: errorsTellNothing,
  },
  {
    id: 'X02',
    title: 'Calls are limited in their rate',
    level: 'practice',
    severity: 'medium',
    clause: clauses.toolSecurity,
    revisions: since('2025-03-26'),
    transports: ['http'],
    scope: 'alone',
    remedy:
      'Limit how many calls one caller may make in a second, and refuse what is beyond with a plain error',
    run: rateLimited,
  },
  {
    id: 'X05',
    title: 'The WebSocket speaks the subprotocol mcp',
    level: 'practice',
    severity: 'medium',
    clause: clauses.customTransports,
    scope: 'once',
    revisions: REVISIONS,
    transports: ['websocket'],
    remedy: 'Answer the handshake with Sec-WebSocket-Protocol: mcp',
    run: subprotocol,
  },
];
