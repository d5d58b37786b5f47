// Tools: their names and schemas as they are listed, and what calls of them answer, good and bad.

import { type Bench, NO_CALLS } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { codeOf, isObject, resultOf } from '../message.ts';
import {
  type Check,
  fail,
  isModern,
  pass,
  REVISIONS,
  since,
  skip,
  TRANSPORTS,
  type Verdict,
} from '../model.ts';
import { headerAnnotationFaults, schemaFault, valueFault } from '../schema.ts';

const everywhere = { revisions: REVISIONS, transports: TRANSPORTS };

async function schemasValid(bench: Bench): Promise<Verdict> {
  const { items, pages, problem } = await bench.list('tools/list');
  if (problem !== null) return skip(problem);
  for (const tool of items) {
    for (const key of ['inputSchema', 'outputSchema'] as const) {
      if (tool[key] === undefined && key === 'outputSchema') continue;
      const fault = schemaFault(tool[key], {
        rootObject: key === 'inputSchema' || !isModern(bench.revision),
        revision: bench.revision,
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

/** Calls that succeeded, with what the tool promised. */
async function successes(bench: Bench) {
  const { items } = await bench.list('tools/list');
  return (await bench.calls()).flatMap((call) => {
    const result = resultOf(call.exchange.answer);
    const failed =
      result === null || result.isError === true || (result.resultType ?? 'complete') !== 'complete';
    const tool = items.find((item) => item.name === call.name);
    return failed || tool === undefined ? [] : [{ ...call, result, tool }];
  });
}

async function structuredFits(bench: Bench): Promise<Verdict> {
  if ((await bench.callables()).length === 0) return skip(NO_CALLS);
  const promised = (await successes(bench)).filter(({ tool }) => tool.outputSchema !== undefined);
  if (promised.length === 0)
    return skip('No tool with an outputSchema succeeded with arguments made from its schema');
  for (const { name, tool, result, exchange } of promised) {
    if (!Object.hasOwn(result, 'structuredContent'))
      return fail(`"${name}" has an outputSchema and gives no structuredContent`, exchange);
    const fault = valueFault(tool.outputSchema, result.structuredContent);
    if (fault !== null) return fail(`structuredContent of "${name}" does not match: ${fault}`, exchange);
  }
  return pass;
}

async function structuredAsText(bench: Bench): Promise<Verdict> {
  if ((await bench.callables()).length === 0) return skip(NO_CALLS);
  const structured = (await successes(bench)).filter(({ result }) =>
    Object.hasOwn(result, 'structuredContent'),
  );
  if (structured.length === 0) return skip('No tool gave structuredContent');
  const bare = structured.find(
    ({ result }) =>
      !Array.isArray(result.content) ||
      !result.content.some((part: unknown) => isObject(part) && part.type === 'text'),
  );
  return bare === undefined
    ? pass
    : fail(
        `"${bare.name}" gives structuredContent and no text for clients that do not read it`,
        bare.exchange,
      );
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
  const callables = new Set((await bench.callables()).map(({ name }) => name));
  const tool = items.find(
    ({ name, inputSchema }) =>
      callables.has(String(name)) &&
      isObject(inputSchema) &&
      Array.isArray(inputSchema.required) &&
      inputSchema.required.length > 0,
  );
  if (tool === undefined) return skip('No tool that may be called has a required argument to leave out');
  const exchange = await bench.conversation.request('tools/call', { name: tool.name, arguments: {} });
  if (exchange.answer === null)
    return fail(`A call without required arguments: ${exchange.silence}`, exchange);
  if (resultOf(exchange.answer)?.isError === true) return pass;
  // At 2026-07-28 a tool with required headers refuses such a call before it looks at the arguments.
  if (codeOf(exchange.answer) === -32020) return skip('The call was refused for its headers');
  return fail(
    `"${tool.name}" without its required arguments got ${codeOf(exchange.answer) ?? 'success'} instead of isError`,
    exchange,
  );
}

async function headerAnnotations(bench: Bench): Promise<Verdict> {
  const { items, pages } = await bench.list('tools/list');
  for (const tool of items) {
    const fault = headerAnnotationFaults(tool.inputSchema);
    if (fault !== null) return fail(`x-mcp-header in "${tool.name}": ${fault}`, pages[0]);
  }
  return pass;
}

export const toolChecks: readonly Check[] = [
  {
    id: 'F02',
    title: 'Every tool schema is valid JSON Schema with an object at its root',
    level: 'must',
    severity: 'high',
    clause: clauses.schemaValidity,
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
    clause: clauses.toolNames,
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
    clause: clauses.outputSchema,
    revisions: since('2025-06-18'),
    transports: TRANSPORTS,
    remedy: 'Validate results against the declared schema before sending them',
    run: structuredFits,
  },
  {
    id: 'F25',
    title: 'Structured results come as text too',
    level: 'should',
    severity: 'low',
    clause: clauses.structuredContent,
    revisions: since('2025-06-18'),
    transports: TRANSPORTS,
    remedy: 'Send the structured result as JSON in a text part as well, for clients that read only text',
    run: structuredAsText,
  },
  {
    id: 'F05',
    title: 'An unknown tool is answered with -32602',
    level: 'should',
    severity: 'medium',
    clause: clauses.toolErrors,
    ...everywhere,
    remedy: 'Answer calls of tools that are not there with the error -32602',
    run: unknownTool,
  },
  {
    id: 'F06',
    title: 'Arguments that do not fit are answered with isError',
    level: 'should',
    severity: 'medium',
    clause: clauses.toolErrors,
    revisions: since('2025-11-25'),
    transports: TRANSPORTS,
    remedy:
      'Return a tool result with isError and a text that says what is wrong, so that a model can mend its call',
    run: badArguments,
  },
  {
    id: 'F16',
    title: 'x-mcp-header annotations are valid',
    level: 'must',
    severity: 'high',
    clause: clauses.headerAnnotations,
    revisions: ['2026-07-28'],
    transports: TRANSPORTS,
    remedy:
      'Annotate only top-level chains of properties of type string, integer or boolean, with unique token names',
    run: headerAnnotations,
  },
];
