// Resources and prompts: what is answered for ones that are not there, or asked for wrongly.

import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { codeOf, isObject } from '../message.ts';
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

async function missingResource(bench: Bench): Promise<Verdict> {
  if (!isObject(bench.conversation.capabilities.resources)) return skip('The server has no resources');
  const exchange = await bench.conversation.request('resources/read', {
    uri: 'witbox-check://no-such-resource',
  });
  const wanted = isModern(bench.revision) ? -32602 : -32002;
  const code = codeOf(exchange.answer);
  return code === wanted
    ? pass
    : fail(`A resource that is not there got ${code ?? 'a result'} instead of ${wanted}`, exchange);
}

async function missingPrompt(bench: Bench): Promise<Verdict> {
  if (!isObject(bench.conversation.capabilities.prompts)) return skip('The server has no prompts');
  const exchange = await bench.conversation.request('prompts/get', { name: 'witbox-check-no-such-prompt' });
  const code = codeOf(exchange.answer);
  return code === -32602
    ? pass
    : fail(
        `A prompt that is not there got ${code ?? exchange.silence ?? 'a result'} instead of -32602`,
        exchange,
      );
}

async function missingArguments(bench: Bench): Promise<Verdict> {
  if (!isObject(bench.conversation.capabilities.prompts)) return skip('The server has no prompts');
  const prompt = (await bench.list('prompts/list')).items.find(
    (item) =>
      Array.isArray(item.arguments) && item.arguments.some((one) => isObject(one) && one.required === true),
  );
  if (prompt === undefined) return skip('No prompt has a required argument');
  const exchange = await bench.conversation.request('prompts/get', { name: prompt.name, arguments: {} });
  const code = codeOf(exchange.answer);
  return code === -32602
    ? pass
    : fail(
        `"${prompt.name}" without its required arguments got ${code ?? exchange.silence ?? 'a result'} instead of -32602`,
        exchange,
      );
}

async function unknownLevel({ conversation }: Bench): Promise<Verdict> {
  if (!isObject(conversation.capabilities.logging)) return skip('The server has no logging');
  const exchange = await conversation.request('logging/setLevel', { level: 'witbox-check' });
  const code = codeOf(exchange.answer);
  return code === -32602
    ? pass
    : fail(`An unknown log level got ${code ?? exchange.silence ?? 'a result'} instead of -32602`, exchange);
}

export const requestChecks: readonly Check[] = [
  {
    id: 'F07',
    title: 'A resource that is not there has the code of the revision',
    level: (revision) => (isModern(revision) ? 'must' : 'should'),
    severity: 'medium',
    clause: clauses.resourceErrors,
    ...everywhere,
    remedy: 'Answer -32002 up to 2025-11-25 and -32602 from 2026-07-28 on',
    run: missingResource,
  },
  {
    id: 'F22',
    title: 'A prompt that is not there gets -32602',
    level: 'should',
    severity: 'medium',
    clause: clauses.promptErrors,
    ...everywhere,
    remedy: 'Answer prompts/get for an unknown name with the error -32602',
    run: missingPrompt,
  },
  {
    id: 'F23',
    title: 'A prompt without its required arguments gets -32602',
    level: 'should',
    severity: 'medium',
    clause: clauses.promptErrors,
    ...everywhere,
    remedy: 'Check the required arguments of a prompt and answer -32602 when one is missing',
    run: missingArguments,
  },
  {
    id: 'F24',
    title: 'An unknown log level gets -32602',
    level: 'should',
    severity: 'low',
    clause: clauses.logErrors,
    revisions: until('2025-11-25'),
    transports: TRANSPORTS,
    remedy: 'Accept the eight levels of the specification and answer -32602 to all others',
    run: unknownLevel,
  },
];
