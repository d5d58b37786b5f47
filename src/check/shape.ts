// The shape of results, per revision: which fields must be there, with which types, and which did not exist yet.
// Written as JSON Schemas that grow from revision to revision, and judged by the same validator as everything else.

import { describe } from '../core/json-schema/fault.ts';
import type { Schema } from '../core/json-schema/references.ts';
import { createValidator, type Validate } from '../core/json-schema/validate.ts';
import type { Revision } from './model.ts';

type Shape = { readonly [key: string]: unknown };

const string = { type: 'string' };
const object = (properties: Shape, required: readonly string[] = []): Shape => ({
  type: 'object',
  properties,
  required,
});
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
      return listed(
        'resources',
        object({ uri: string, name: string, description: string, mimeType: string }, ['uri', 'name']),
      );
    case 'tools/call':
      return modern
        ? {
            oneOf: [
              callResult(revision, complete),
              object({ resultType: { enum: ['input_required', 'task'] } }, ['resultType']),
            ],
          }
        : callResult(revision, complete);
    default:
      return null;
  }
}

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
  const outputSchema = revision >= '2026-07-28' ? { type: 'object' } : schema;
  return object(
    {
      name: string,
      title: string,
      description: string,
      inputSchema: schema,
      outputSchema,
      annotations: object({}),
    },
    ['name', 'inputSchema'],
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
  const media = object({ data: string, mimeType: string }, ['data', 'mimeType']);
  const embedded = {
    ...object({ uri: string, mimeType: string, text: string, blob: string }, ['uri']),
    anyOf: [{ required: ['text'] }, { required: ['blob'] }],
  };
  return oneTag('type', {
    text: object({ text: string }, ['text']),
    image: media,
    resource: object({ resource: embedded }, ['resource']),
    ...(revision >= '2025-03-26' ? { audio: media } : {}),
    ...(revision >= '2025-06-18'
      ? { resource_link: object({ uri: string, name: string }, ['uri', 'name']) }
      : {}),
  });
}
