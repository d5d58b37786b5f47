// The shape of results, per revision: which fields must be there, and with which types. A field that the revision does
// not have yet may hold anything: schemas of MCP are open.
// Written as JSON Schemas that grow from revision to revision, and judged by the same validator as everything else.

import { describe } from '../core/json-schema/fault.ts';
import type { Schema } from '../core/json-schema/references.ts';
import { createValidator, type Validate } from '../core/json-schema/validate.ts';
import { isObject } from './message.ts';
import type { Revision } from './model.ts';

const MAX_DEPTH = 20;

type Shape = { readonly [key: string]: unknown };

const string = { type: 'string' };
const uri = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' };
const object = (properties: Shape, required: readonly string[] = []): Shape => ({
  type: 'object',
  properties,
  required,
});
const annotations = (revision: Revision): Shape =>
  object({
    audience: { type: 'array', items: { enum: ['user', 'assistant'] } },
    priority: { type: 'number', minimum: 0, maximum: 1 },
    ...(revision >= '2025-06-18' ? { lastModified: string } : {}),
  });
/** What whatever is listed may have. */
const described = (revision: Revision): Shape => ({
  name: string,
  description: string,
  ...(revision >= '2025-06-18' ? { title: string } : {}),
});

const list = (items: unknown): Shape => ({ type: 'array', items });
const oneTag = (key: string, shapes: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  required: [key],
  properties: { [key]: { enum: Object.keys(shapes) } },
  allOf: Object.entries(shapes).map(([tag, rule]) => when({ properties: { [key]: { const: tag } } }, rule)),
});
const when = (test: Shape, yes: Shape, no: Shape | true = true): Shape =>
  Object.fromEntries([
    ['if', test],
    ['then', yes],
    ['else', no],
  ]);

/** What is wrong with the result of `method` at this revision; null if nothing, or if the method has no shape here. */
export function shapeFault(method: string, result: unknown, revision: Revision): string | null {
  const found = validatorFor(method, revision)?.(result) ?? null;
  return found === null ? encodingFault(result, 0) : describe(found);
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const ENCODED = ['data', 'blob'];

/** Not a pattern in the schema, since media are longer than what patterns are tried on. */
function encodingFault(value: unknown, depth: number): string | null {
  if (Array.isArray(value)) return firstFault(value, depth);
  if (!isObject(value) || depth > MAX_DEPTH) return null;
  for (const key of ENCODED) {
    const text = value[key];
    const isMedia = key === 'blob' ? typeof value.uri === 'string' : typeof value.mimeType === 'string';
    if (isMedia && typeof text === 'string' && !BASE64.test(text)) return `"${key}" is not base64`;
  }
  const inside = ['content', 'contents', 'messages', 'resource'].map((key) => value[key]);
  return firstFault(inside, depth);
}

function firstFault(values: readonly unknown[], depth: number): string | null {
  for (const value of values) {
    const fault = encodingFault(value, depth + 1);
    if (fault !== null) return fault;
  }
  return null;
}

function validatorFor(method: string, revision: Revision): Validate | null {
  const shape = resultShape(method, revision);
  return shape === null ? null : createValidator(shape as Schema);
}

function resultShape(method: string, revision: Revision): Shape | null {
  const at = (first: Revision) => revision >= first;
  const modern = at('2026-07-28');
  const cached = modern
    ? { ttlMs: { type: 'integer', minimum: 0 }, cacheScope: { enum: ['public', 'private'] } }
    : {};
  const complete = (properties: Shape, required: readonly string[]): Shape =>
    object(
      { ...properties, _meta: { type: 'object' }, ...(modern ? { resultType: { const: 'complete' } } : {}) },
      modern ? [...required, 'resultType'] : required,
    );
  const listed = (key: string, item: Shape): Shape =>
    complete(
      { [key]: list(item), nextCursor: string, ...cached },
      modern ? [key, 'ttlMs', 'cacheScope'] : [key],
    );

  const orAsking = (shape: Shape): Shape => (modern ? when(ASKS, asking, shape) : shape);

  switch (method) {
    case 'initialize':
      return complete(
        {
          protocolVersion: string,
          capabilities: capabilities(),
          serverInfo: implementation(),
          instructions: string,
        },
        ['protocolVersion', 'capabilities', 'serverInfo'],
      );
    case 'server/discover':
      return complete(
        { supportedVersions: list(string), capabilities: capabilities(), instructions: string, ...cached },
        ['supportedVersions', 'capabilities', 'ttlMs', 'cacheScope'],
      );
    case 'tools/list':
      return listed('tools', tool(revision));
    case 'prompts/list':
      return listed('prompts', prompt(revision));
    case 'resources/list':
      return listed('resources', resource(revision));
    case 'resources/templates/list':
      return listed(
        'resourceTemplates',
        object(
          {
            ...described(revision),
            annotations: annotations(revision),
            uriTemplate: string,
            mimeType: string,
          },
          ['uriTemplate', 'name'],
        ),
      );
    case 'resources/read':
      return orAsking(
        complete({ contents: list(contents()), ...cached }, [
          'contents',
          ...(modern ? ['ttlMs', 'cacheScope'] : []),
        ]),
      );
    case 'prompts/get':
      return orAsking(
        complete({ description: string, messages: list(promptMessage(revision)) }, ['messages']),
      );
    case 'completion/complete':
      return complete({ completion: completion() }, ['completion']);
    case 'tools/call':
      return orAsking(callResult(revision, complete));
    default:
      return null;
  }
}

const ASKS = { required: ['resultType'], properties: { resultType: { enum: ['input_required', 'task'] } } };

/** More input is needed, or the call became a task. */
const asking: Shape = object({
  inputRequests: { type: 'object' },
  requestState: string,
});

const implementation = (): Shape => object({ name: string, version: string }, ['name', 'version']);

function capabilities(): Shape {
  const flag = { type: 'boolean' };
  return object({
    tools: object({ listChanged: flag }),
    prompts: object({ listChanged: flag }),
    resources: object({ listChanged: flag, subscribe: flag }),
    logging: object({}),
    completions: object({}),
    experimental: object({}),
  });
}

function tool(revision: Revision): Shape {
  const schema = { type: 'object', properties: { type: { const: 'object' } }, required: ['type'] };
  const flag = { type: 'boolean' };
  const hints = object({
    title: string,
    readOnlyHint: flag,
    destructiveHint: flag,
    idempotentHint: flag,
    openWorldHint: flag,
  });
  const output = revision >= '2026-07-28' ? { type: 'object' } : schema;
  return object(
    {
      ...described(revision),
      inputSchema: schema,
      ...(revision >= '2025-03-26' ? { annotations: hints } : {}),
      ...(revision >= '2025-06-18' ? { outputSchema: output } : {}),
    },
    ['name', 'inputSchema'],
  );
}

function resource(revision: Revision): Shape {
  const own = { uri, mimeType: string, size: { type: 'integer' }, annotations: annotations(revision) };
  return object({ ...described(revision), ...own }, ['uri', 'name']);
}

function contents(): Shape {
  return {
    ...object({ uri, mimeType: string, text: string, blob: string }, ['uri']),
    anyOf: [{ required: ['text'] }, { required: ['blob'] }],
  };
}

function promptMessage(revision: Revision): Shape {
  return object({ role: { enum: ['user', 'assistant'] }, content: content(revision) }, ['role', 'content']);
}

function completion(): Shape {
  return object(
    {
      values: { type: 'array', items: string, maxItems: 100 },
      total: { type: 'integer' },
      hasMore: { type: 'boolean' },
    },
    ['values'],
  );
}

function prompt(revision: Revision): Shape {
  const argument = object({ name: string, description: string, required: { type: 'boolean' } }, ['name']);
  return object({ ...described(revision), arguments: list(argument) }, ['name']);
}

function callResult(
  revision: Revision,
  complete: (properties: Shape, required: readonly string[]) => Shape,
): Shape {
  const isObjectOnly = revision === '2025-06-18' || revision === '2025-11-25';
  return complete(
    {
      content: list(content(revision)),
      isError: { type: 'boolean' },
      ...(isObjectOnly ? { structuredContent: { type: 'object' } } : {}),
    },
    ['content'],
  );
}

function content(revision: Revision): Shape {
  const part = (properties: Shape, required: readonly string[]) =>
    object({ ...properties, annotations: annotations(revision) }, required);
  const media = part({ data: string, mimeType: string }, ['data', 'mimeType']);
  return oneTag('type', {
    text: part({ text: string }, ['text']),
    image: media,
    resource: part({ resource: contents() }, ['resource']),
    ...(revision >= '2025-03-26' ? { audio: media } : {}),
    ...(revision >= '2025-06-18' ? { resource_link: resource(revision) } : {}),
  });
}
