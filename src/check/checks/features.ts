// Tools, resources, prompts: what is declared works, schemas are schemas, errors have the codes of the revision.

import type { Bench, ListMethod } from '../bench.ts';
import type { Exchange } from '../link.ts';
import { codeOf, isNotification, isObject, type JsonObject, objectOf, resultOf } from '../message.ts';
import {
  type Check,
  fail,
  isModern,
  pass,
  REVISIONS,
  since,
  skip,
  TRANSPORTS,
  until,
  type Verdict,
} from '../model.ts';
import { headerAnnotationFaults, schemaFault } from '../schema.ts';
import { shapeFault } from '../shape.ts';

const everywhere = { revisions: REVISIONS, transports: TRANSPORTS };
const TOOLS = { page: 'server/tools' };
const LISTS: readonly (readonly [string, ListMethod])[] = [
  ['tools', 'tools/list'],
  ['resources', 'resources/list'],
  ['prompts', 'prompts/list'],
];

async function declaredWorks(bench: Bench): Promise<Verdict> {
  const { conversation } = bench;
  for (const [capability, method] of LISTS) {
    const declared = isObject(conversation.capabilities[capability]);
    const exchange = (await bench.list(method)).pages[0]!;
    const works = resultOf(exchange.answer) !== null;
    if (declared && !works) return fail(`"${capability}" is declared, but ${method} does not work`, exchange);
    const items = declared ? [] : (await bench.list(method)).items;
    if (items.length > 0)
      return fail(`${method} works, but "${capability}" is not declared`, conversation.opening);
  }
  return pass;
}

async function wireFitsSchema(bench: Bench): Promise<Verdict> {
  const opening = isModern(bench.revision) ? 'server/discover' : 'initialize';
  const seen: [string, Exchange][] = [[opening, bench.conversation.opening]];
  for (const [capability, method] of LISTS) {
    if (!isObject(bench.conversation.capabilities[capability])) continue;
    for (const page of (await bench.list(method)).pages) seen.push([method, page]);
  }
  const tool = await bench.callable();
  if (tool !== null) {
    seen.push([
      'tools/call',
      await bench.conversation.request('tools/call', { name: tool.name, arguments: tool.arguments }),
    ]);
  }
  for (const [method, exchange] of seen) {
    const result = resultOf(exchange.answer);
    const fault = result === null ? null : shapeFault(method, result, bench.revision);
    if (fault !== null)
      return fail(`The result of ${method} does not fit the schema of this revision: ${fault}`, exchange);
  }
  return pass;
}

async function schemasValid(bench: Bench): Promise<Verdict> {
  const { items, pages, problem } = await bench.list('tools/list');
  if (problem !== null) return skip(problem);
  for (const tool of items) {
    for (const key of ['inputSchema', 'outputSchema'] as const) {
      if (tool[key] === undefined && key === 'outputSchema') continue;
      const fault = schemaFault(tool[key], {
        rootObject: key === 'inputSchema' || !isModern(bench.revision),
      });
      if (fault !== null) return fail(`${key} of "${tool.name}": ${fault}`, pages[0]);
    }
  }
  return pass;
}

async function toolNames(bench: Bench): Promise<Verdict> {
  const { items, pages } = await bench.list('tools/list');
  const seen = new Set<unknown>();
  for (const { name } of items) {
    if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,128}$/.test(name))
      return fail(`The tool name ${JSON.stringify(name)}`, pages[0]);
    if (seen.has(name)) return fail(`Two tools are named "${name}"`, pages[0]);
    seen.add(name);
  }
  return pass;
}

async function structuredFits(bench: Bench): Promise<Verdict> {
  const tool = await bench.callable();
  if (tool === null)
    return skip('No tool may be called: none is marked read-only, and --allow-calls names none');
  const declared = (await bench.list('tools/list')).items.find((item) => item.name === tool.name)!;
  if (declared.outputSchema === undefined) return skip(`The tool "${tool.name}" has no outputSchema`);
  const exchange = await bench.conversation.request('tools/call', {
    name: tool.name,
    arguments: tool.arguments,
  });
  const result = resultOf(exchange.answer);
  if (result === null || result.isError === true || (result.resultType ?? 'complete') !== 'complete')
    return skip(`"${tool.name}" did not succeed with arguments made from its schema`);
  if (!Object.hasOwn(result, 'structuredContent'))
    return fail(`"${tool.name}" has an outputSchema and gives no structuredContent`, exchange);
  const { valueFault } = await import('../schema.ts');
  const fault = valueFault(declared.outputSchema, result.structuredContent);
  return fault === null
    ? pass
    : fail(`structuredContent of "${tool.name}" does not match: ${fault}`, exchange);
}

async function unknownTool(bench: Bench): Promise<Verdict> {
  if (!isObject(bench.conversation.capabilities.tools)) return skip('The server has no tools');
  const exchange = await bench.conversation.request('tools/call', {
    name: 'witbox-check-no-such-tool',
    arguments: {},
  });
  if (exchange.answer === null) return fail(`A call of an unknown tool: ${exchange.silence}`, exchange);
  const code = codeOf(exchange.answer);
  return code === -32602
    ? pass
    : fail(`A call of an unknown tool got ${code ?? 'a result'} instead of -32602`, exchange);
}

async function badArguments(bench: Bench): Promise<Verdict> {
  const { items } = await bench.list('tools/list');
  const tool = items.find(
    (item) =>
      isObject(item.inputSchema) &&
      Array.isArray(item.inputSchema.required) &&
      item.inputSchema.required.length > 0,
  );
  if (tool === undefined) return skip('No tool has a required argument to leave out');
  const exchange = await bench.conversation.request('tools/call', { name: tool.name, arguments: {} });
  if (exchange.answer === null)
    return fail(`A call without required arguments: ${exchange.silence}`, exchange);
  const result = resultOf(exchange.answer);
  if (result?.isError === true) return pass;
  return fail(
    `"${tool.name}" without its required arguments got ${codeOf(exchange.answer) ?? 'success'} instead of isError`,
    exchange,
  );
}

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

async function pagination(bench: Bench): Promise<Verdict> {
  for (const [capability, method] of LISTS) {
    if (!isObject(bench.conversation.capabilities[capability])) continue;
    const { items, pages, problem } = await bench.list(method);
    if (problem !== null) return fail(problem, pages.at(-1));
    const keys = items.map((item) => String(item.uri ?? item.name));
    const twice = keys.find((key, index) => keys.indexOf(key) !== index);
    if (twice !== undefined) return fail(`${method} lists "${twice}" twice`, pages[0]);
    const exchange = await bench.conversation.request(method, { cursor: 'witbox-check-no-such-cursor' });
    const code = codeOf(exchange.answer);
    if (code !== -32602)
      return fail(`${method} with a bad cursor got ${code ?? 'a result'} instead of -32602`, exchange);
  }
  return pass;
}

async function stableOrder(bench: Bench): Promise<Verdict> {
  const names = (exchange: Exchange) =>
    JSON.stringify((resultOf(exchange.answer)?.tools as JsonObject[] | undefined)?.map(({ name }) => name));
  const first = await bench.conversation.request('tools/list');
  const second = await (await bench.fresh()).request('tools/list');
  return names(first) === names(second)
    ? pass
    : fail('tools/list came in another order the second time', second);
}

async function progressInOrder(bench: Bench): Promise<Verdict> {
  const tool = await bench.callable();
  if (tool === null)
    return skip('No tool may be called: none is marked read-only, and --allow-calls names none');
  const token = 'witbox-check-progress';
  const exchange = await bench.conversation.request('tools/call', {
    ...tool,
    _meta: { progressToken: token },
  });
  let last = Number.NEGATIVE_INFINITY;
  for (const message of exchange.messages.filter((one) => isNotification(one, 'notifications/progress'))) {
    const params = objectOf(message)!.params;
    if (!isObject(params) || params.progressToken !== token)
      return fail('Progress came with a token that was not given', message);
    if (typeof params.progress !== 'number' || params.progress <= last)
      return fail('Progress does not increase', exchange);
    last = params.progress;
  }
  return last === Number.NEGATIVE_INFINITY ? skip(`"${tool.name}" reported no progress`) : pass;
}

async function pingUnderLoad(bench: Bench): Promise<Verdict> {
  const conversation = await bench.fresh();
  const load = Array.from({ length: 50 }, () => conversation.request('tools/list'));
  const ping = await conversation.request('ping');
  await Promise.all(load);
  return resultOf(ping.answer) === null
    ? fail(`ping among 50 other requests: ${ping.silence ?? 'an error'}`, ping)
    : pass;
}

async function cacheScope(bench: Bench): Promise<Verdict> {
  for (const [capability, method] of LISTS) {
    if (!isObject(bench.conversation.capabilities[capability])) continue;
    const scopes = (await bench.list(method)).pages.map((page) => resultOf(page.answer)?.cacheScope);
    if (new Set(scopes).size > 1)
      return fail(`cacheScope changes between the pages of ${method}: ${scopes.join(', ')}`);
  }
  return pass;
}

async function logSilence(bench: Bench): Promise<Verdict> {
  const tool = await bench.callable();
  const exchange = await bench.conversation.request(
    tool === null ? 'tools/list' : 'tools/call',
    tool === null ? {} : { name: tool.name, arguments: tool.arguments },
  );
  const log = exchange.messages.find((message) => isNotification(message, 'notifications/message'));
  return log === undefined ? pass : fail('A log message came although no logLevel was given', log);
}

async function headerAnnotations(bench: Bench): Promise<Verdict> {
  const { items, pages } = await bench.list('tools/list');
  for (const tool of items) {
    const fault = headerAnnotationFaults(tool.inputSchema);
    if (fault !== null) return fail(`x-mcp-header in "${tool.name}": ${fault}`, pages[0]);
  }
  return pass;
}

export const featureChecks: readonly Check[] = [
  {
    id: 'V03',
    title: 'Results fit the schema of the negotiated revision',
    level: 'must',
    severity: 'critical',
    clause: { page: 'schema' },
    ...everywhere,
    remedy:
      'Send only what this revision defines, with the types it defines; project results down for older clients',
    run: wireFitsSchema,
  },
  {
    id: 'F01',
    title: 'A declared capability works, and what works is declared',
    level: 'must',
    severity: 'high',
    clause: { page: 'server' },
    ...everywhere,
    remedy: 'Declare exactly the capabilities whose methods are there',
    run: declaredWorks,
  },
  {
    id: 'F02',
    title: 'Every tool schema is valid JSON Schema with an object at its root',
    level: 'must',
    severity: 'high',
    clause: TOOLS,
    ...everywhere,
    remedy:
      'Give every tool an inputSchema of type object; check schemas with a validator before publishing them',
    run: schemasValid,
  },
  {
    id: 'F03',
    title: 'Tool names are 1–128 of A–Z a–z 0–9 _ - . and unique',
    level: 'should',
    severity: 'medium',
    clause: { page: 'server/tools', heading: 'tool-names' },
    revisions: since('2025-11-25'),
    transports: TRANSPORTS,
    remedy: 'Rename the tool; keep the old name in its title',
    run: toolNames,
  },
  {
    id: 'F04',
    title: 'structuredContent matches outputSchema',
    level: 'must',
    severity: 'high',
    clause: { page: 'server/tools', heading: 'output-schema' },
    revisions: since('2025-06-18'),
    transports: TRANSPORTS,
    remedy: 'Validate results against the declared schema before sending them',
    run: structuredFits,
  },
  {
    id: 'F05',
    title: 'An unknown tool is answered with -32602',
    level: 'should',
    severity: 'medium',
    clause: { page: 'server/tools', heading: 'error-handling' },
    ...everywhere,
    remedy: 'Answer calls of tools that are not there with the error -32602',
    run: unknownTool,
  },
  {
    id: 'F06',
    title: 'Arguments that do not fit are answered with isError',
    level: 'should',
    severity: 'medium',
    clause: { page: 'server/tools', heading: 'error-handling' },
    revisions: since('2025-11-25'),
    transports: TRANSPORTS,
    remedy:
      'Return a tool result with isError and a text that says what is wrong, so that a model can mend its call',
    run: badArguments,
  },
  {
    id: 'F07',
    title: 'A resource that is not there has the code of the revision',
    level: 'should',
    severity: 'medium',
    clause: { page: 'server/resources', heading: 'error-handling' },
    ...everywhere,
    remedy: 'Answer -32002 up to 2025-11-25 and -32602 from 2026-07-28 on',
    run: missingResource,
  },
  {
    id: 'F08',
    title: 'Lists end, repeat nothing, and refuse bad cursors',
    level: 'should',
    severity: 'medium',
    clause: { page: 'server/utilities/pagination' },
    ...everywhere,
    remedy: 'Answer a cursor that the server did not make with -32602',
    run: pagination,
  },
  {
    id: 'F09',
    title: 'Lists keep their order',
    level: 'should',
    severity: 'low',
    clause: TOOLS,
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Sort lists by something that does not change',
    run: stableOrder,
  },
  {
    id: 'F10',
    title: 'Progress increases and carries the token of its request',
    level: 'must',
    severity: 'medium',
    clause: (revision) => ({
      page: isModern(revision) ? 'basic/patterns/progress' : 'basic/utilities/progress',
    }),
    ...everywhere,
    remedy:
      'Send progress with the token of the request it belongs to, each value larger than the one before',
    run: progressInOrder,
  },
  {
    id: 'F12',
    title: 'No log messages without a logLevel',
    level: 'must',
    severity: 'high',
    clause: { page: 'server/utilities/logging' },
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Send notifications/message only for requests that ask for it in _meta',
    run: logSilence,
  },
  {
    id: 'F13',
    title: 'ping is answered while other requests run',
    level: 'must',
    severity: 'medium',
    clause: { page: 'basic/utilities/ping' },
    revisions: until('2025-11-25'),
    transports: TRANSPORTS,
    remedy: 'Answer ping at once, without queueing it behind other work',
    run: pingUnderLoad,
  },
  {
    id: 'F14',
    title: 'cacheScope is the same on every page of a list',
    level: 'must',
    severity: 'medium',
    clause: { page: 'server/utilities/pagination' },
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy: 'Decide on a cacheScope once per list',
    run: cacheScope,
  },
  {
    id: 'F16',
    title: 'x-mcp-header annotations are valid',
    level: 'must',
    severity: 'high',
    clause: { page: 'basic/transports/streamable-http', heading: 'custom-headers-from-tool-parameters' },
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy:
      'Annotate only top-level chains of properties of type string, integer or boolean, with unique token names',
    run: headerAnnotations,
  },
];
