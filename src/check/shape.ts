// The shape of results, per revision: which fields must be there, with which types, and which did not exist yet.
// Written as JSON Schemas that grow from revision to revision, and judged by the same validator as everything else.

import { describe } from '../core/json-schema/fault.ts';
import type { Schema } from '../core/json-schema/references.ts';
import { createValidator, type Validate } from '../core/json-schema/validate.ts';
import type { Revision } from './model.ts';

type Shape = { readonly [key: string]: unknown };

const string = { type: 'string' };
const uri = { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9+.-]*:' };
const base64 = { type: 'string', pattern: '^[A-Za-z0-9+/]*={0,2}$' };
const object = (properties: Shape, required: readonly string[] = []): Shape => ({
  type: 'object',
  properties,
  required,
});
/** What whoever can be listed may have. */
const annotations = object({
  audience: { type: 'array', items: { enum: ['user', 'assistant'] } },
  priority: { type: 'number', minimum: 0, maximum: 1 },
  lastModified: string,
});
const described = { name: string, title: string, description: string, annotations };

const list = (items: unknown): Shape => ({ type: 'array', items });
const oneTag = (key: string, shapes: Readonly<Record<string, Shape>>): Shape => ({
  type: 'object',
  required: [key],
  properties: { [key]: { enum: Object.keys(shapes) } },
  allOf: Object.entries(shapes).map(([tag, rule]) =>
    Object.fromEntries([
      ['if', { properties: { [key]: { const: tag } } }],
      ['then', rule],
    ]),
  ),
});

/** What is wrong with the result of `method` at this revision; null if nothing, or if the method has no shape here. */
export function shapeFault(method: string, result: unknown, revision: Revision): string | null {
  const found = validatorFor(method, revision)?.(result) ?? null;
  return found === null ? null : describe(found);
}

function validatorFor(method: string, revision: Revision): Validate | null {
  const shape = resultShape(method, revision);
  return shape === null ? null : createValidator(shape as Schema);
}

function resultShape(method: string, revision: Revision): Shape | null {
  const at = (first: Revision) => revision >= first;
  const modern = at('2026-07-28');
  const cached = modern
    ? { ttlMs: { type: 'number', minimum: 0 }, cacheScope: { enum: ['public', 'private'] } }
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

  const orAsking = (shape: Shape): Shape => (modern ? { oneOf: [shape, asking] } : shape);

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
      return listed('prompts', prompt());
    case 'resources/list':
      return listed('resources', resource());
    case 'resources/templates/list':
      return listed(
        'resourceTemplates',
        object({ ...described, uriTemplate: string, mimeType: string }, ['uriTemplate', 'name']),
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

/** More input is needed, or the call became a task. */
const asking: Shape = object(
  {
    resultType: { enum: ['input_required', 'task'] },
    inputRequests: { type: 'object' },
    requestState: string,
  },
  ['resultType'],
);

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
  return object(
    {
      name: string,
      title: string,
      description: string,
      inputSchema: schema,
      outputSchema: revision >= '2026-07-28' ? { type: 'object' } : schema,
      annotations: hints,
    },
    ['name', 'inputSchema'],
  );
}

function resource(): Shape {
  return object({ ...described, uri, mimeType: string, size: { type: 'number' } }, ['uri', 'name']);
}

function contents(): Shape {
  return {
    ...object({ uri, mimeType: string, text: string, blob: base64 }, ['uri']),
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

function prompt(): Shape {
  const argument = object({ name: string, description: string, required: { type: 'boolean' } }, ['name']);
  return object({ name: string, title: string, description: string, arguments: list(argument) }, ['name']);
}

function callResult(
  revision: Revision,
  complete: (properties: Shape, required: readonly string[]) => Shape,
): Shape {
  const structured = revision >= '2026-07-28' ? true : { type: 'object' };
  return complete(
    { content: list(content(revision)), isError: { type: 'boolean' }, structuredContent: structured },
    ['content'],
  );
}

function content(revision: Revision): Shape {
  const part = (properties: Shape, required: readonly string[]) =>
    object({ ...properties, annotations }, required);
  const media = part({ data: base64, mimeType: string }, ['data', 'mimeType']);
  return oneTag('type', {
    text: part({ text: string }, ['text']),
    image: media,
    resource: part({ resource: contents() }, ['resource']),
    ...(revision >= '2025-03-26' ? { audio: media } : {}),
    ...(revision >= '2025-06-18' ? { resource_link: { allOf: [resource()] } } : {}),
  });
}
