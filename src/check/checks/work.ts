// Work in progress: what is sent while a call runs, and what happens to it when it is cancelled.

import { type Bench, callParams, NO_CALLS } from '../bench.ts';
import { clauses } from '../clauses.ts';
import {
  answers,
  isNotification,
  isObject,
  isServerRequest,
  objectOf,
  type Received,
  resultOf,
} from '../message.ts';
import {
  type Check,
  fail,
  isModern,
  pass,
  REVISIONS,
  skip,
  TRANSPORTS,
  until,
  type Verdict,
} from '../model.ts';

const everywhere = { revisions: REVISIONS, transports: TRANSPORTS };

async function progressInOrder(bench: Bench): Promise<Verdict> {
  const calls = await bench.calls();
  if (calls.length === 0) return skip(NO_CALLS);
  let any = false;
  for (const { exchange, token } of calls) {
    let last = Number.NEGATIVE_INFINITY;
    for (const message of exchange.messages.filter((one) => isNotification(one, 'notifications/progress'))) {
      any = true;
      const params = objectOf(message)!.params;
      if (!isObject(params) || params.progressToken !== token)
        return fail('Progress came with a token that was not given', message);
      if (typeof params.progress !== 'number' || params.progress <= last)
        return fail('Progress does not increase', exchange);
      last = params.progress;
    }
  }
  const late = await lateProgress(bench);
  if (late !== undefined) return fail('Progress came after the answer', late);
  return any ? pass : skip('No tool that may be called reported progress');
}

/** On a shared stream, progress for a call that was answered already. */
async function lateProgress(bench: Bench): Promise<Received | undefined> {
  const { inbox } = bench.conversation.link;
  if (inbox === null) return undefined;
  await bench.conversation.fence();
  const calls = await bench.calls();
  return inbox.messages.find((message) => {
    const params = objectOf(message)?.params;
    if (!isNotification(message, 'notifications/progress') || !isObject(params)) return false;
    const call = calls.find(({ token }) => token === params.progressToken);
    const answer = call?.exchange.answer;
    return (
      answer !== null &&
      answer !== undefined &&
      inbox.messages.indexOf(answer) < inbox.messages.indexOf(message)
    );
  });
}

const NEEDS: Readonly<Record<string, string>> = {
  'sampling/createMessage': 'sampling',
  'elicitation/create': 'elicitation',
  'roots/list': 'roots',
};

/** All conversations here are opened without client capabilities. */
async function asksOnlyDeclared(bench: Bench): Promise<Verdict> {
  const calls = await bench.calls();
  const all = bench.conversation.link.inbox?.messages ?? calls.flatMap(({ exchange }) => exchange.messages);
  for (const message of all.filter(isServerRequest)) {
    const capability = NEEDS[String(objectOf(message)!.method)];
    if (capability !== undefined)
      return fail(
        `The server sent a request that needs "${capability}", which the client did not declare`,
        message,
      );
  }
  return pass;
}

const LONG_ENOUGH = 100;

async function cancelStops(bench: Bench): Promise<Verdict> {
  if (bench.transport === 'http' && isModern(bench.revision))
    return skip('Closing the connection is the cancel here, and what happens after it cannot be seen');
  const calls = await bench.calls();
  if (calls.length === 0) return skip(NO_CALLS);
  const slowest = calls.reduce((a, b) => (a.milliseconds > b.milliseconds ? a : b));
  if (slowest.milliseconds < LONG_ENOUGH)
    return skip('No tool that may be called runs long enough to be cancelled');
  if (slowest.exchange.answer === null)
    return skip(`"${slowest.name}" was not finished in time even without a cancel`);
  const { conversation } = bench;
  const id = conversation.nextId();
  const waiting = slowest.milliseconds * 2 + 500;
  const started = performance.now();
  const call = conversation.request('tools/call', callParams(slowest), {
    id,
    milliseconds: waiting,
    headers: slowest.headers,
  });
  await conversation.notify('notifications/cancelled', { requestId: id, reason: 'witbox check' });
  const cancelled = performance.now();
  const { answer, messages } = await call;
  const came = answer ?? messages.find((message) => answers(message, id));
  if (came === undefined || came === null) return pass;
  // An answer that was under way when the cancel arrived is allowed, and so is saying that it was cancelled.
  if (came.at - cancelled < slowest.milliseconds / 2 || resultOf(came) === null) return pass;
  if (cancelled - started > slowest.milliseconds / 2)
    return skip('The call ended before it could be cancelled');
  return fail(`"${slowest.name}" went on after it was cancelled and sent its result`, came);
}

async function logsDeclared(bench: Bench): Promise<Verdict> {
  const { conversation } = bench;
  const calls = await bench.calls();
  const all = conversation.link.inbox?.messages ?? calls.flatMap(({ exchange }) => exchange.messages);
  const log = all.find((message) => isNotification(message, 'notifications/message'));
  if (log === undefined) return pass;
  return isObject(conversation.capabilities.logging)
    ? pass
    : fail('A log message came, but "logging" is not declared', log);
}

async function logSilence(bench: Bench): Promise<Verdict> {
  const calls = await bench.calls();
  const all =
    bench.conversation.link.inbox?.messages ??
    [...calls.map((call) => call.exchange), await bench.conversation.request('tools/list')].flatMap(
      ({ messages }) => messages,
    );
  const log = all.find((message) => isNotification(message, 'notifications/message'));
  return log === undefined ? pass : fail('A log message came although no logLevel was given', log);
}

async function pingUnderLoad(bench: Bench): Promise<Verdict> {
  const conversation = await bench.spare();
  // Over HTTP every answer has a connection and a buffer of its own.
  const many = bench.transport === 'http' ? 10 : 50;
  const load = Array.from({ length: many }, () => conversation.request('tools/list'));
  const ping = await conversation.request('ping');
  await Promise.all(load);
  return resultOf(ping.answer) === null
    ? fail(`ping among ${many} other requests: ${ping.silence ?? 'an error'}`, ping)
    : pass;
}

export const workChecks: readonly Check[] = [
  {
    id: 'F10',
    title: 'Progress increases and carries the token of its request',
    level: 'must',
    severity: 'medium',
    clause: clauses.progress,
    ...everywhere,
    remedy:
      'Send progress with the token of the request it belongs to, each value larger than the one before',
    run: progressInOrder,
  },
  {
    id: 'F27',
    title: 'The client is only asked for what it declared',
    level: (revision) => (revision < '2025-06-18' ? 'should' : 'must'),
    severity: 'high',
    clause: clauses.operation,
    revisions: until('2025-11-25'),
    transports: TRANSPORTS,
    remedy: 'Look at the capabilities of the client before sending it a request',
    run: asksOnlyDeclared,
  },
  {
    id: 'F11',
    title: 'A cancelled call stops, and nothing more is sent for it',
    level: 'should',
    severity: 'high',
    clause: clauses.cancelling,
    ...everywhere,
    remedy: 'Stop the work of a request when notifications/cancelled names it, and send no response',
    run: cancelStops,
  },
  {
    id: 'F12',
    title: 'No log messages without a logLevel',
    level: 'must',
    severity: 'high',
    clause: clauses.logRequests,
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Send notifications/message only for requests that ask for it in _meta',
    run: logSilence,
  },
  {
    id: 'F26',
    title: 'Log messages come only where logging is declared',
    level: 'must',
    severity: 'medium',
    clause: clauses.logging,
    ...everywhere,
    remedy: 'Declare the capability "logging", or send no notifications/message',
    run: logsDeclared,
  },
  {
    id: 'F13',
    title: 'ping is answered while other requests run',
    level: 'must',
    severity: 'medium',
    clause: clauses.ping,
    revisions: until('2025-11-25'),
    transports: TRANSPORTS,
    scope: 'once',
    remedy: 'Answer ping at once, without queueing it behind other work',
    run: pingUnderLoad,
  },
];
