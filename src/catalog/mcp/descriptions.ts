// Tools, prompts and templates as a component describes them → as MCP lists them. A schema that is none, or that could
// be used against whoever validates with it, makes the tool be left out and named in the log.

import type { Json, JsonObject } from '../../core/json.ts';
import { schemaFault } from '../../core/json-schema/schema-fault.ts';
import type { Prompt, ResourceTemplate, TaskSupport, Tool, ToolAnnotations } from '../../core/mcp.ts';
import { readIcons, refuseOwn } from './content.ts';
import { array, flag, json, Lie, object, optional, text } from './fields.ts';
import { reachFault } from './schema-reach.ts';

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

export function readTool(value: Json): Tool {
  const fields = object(value, 'tool');
  const name = toolName(fields.name);
  return {
    name,
    ...optional('title', fields.title, text),
    ...optional('description', fields.description, text),
    inputSchema: inputSchema(fields['input-schema'], name),
    ...optional('outputSchema', fields['output-schema'], (one) => schema(one, `output schema of "${name}"`)),
    ...optional('annotations', fields.annotations, readToolAnnotations),
    ...readIcons(fields.icons),
    ...optional('task', fields.task, readTask),
  };
}

function toolName(value: Json | undefined): string {
  const name = text(value, 'tool name', 256);
  if (!NAME.test(name))
    throw new Lie(`the tool name ${JSON.stringify(name)} is not 1 to 128 of A–Z a–z 0–9 _ - .`);
  return name;
}

function inputSchema(value: Json | undefined, name: string): JsonObject {
  const found = schema(value ?? null, `input schema of "${name}"`);
  if (found.type !== 'object') throw new Lie(`the input schema of "${name}" has no type "object"`);
  return found;
}

function schema(value: Json, what: string): JsonObject {
  const found = object(json(value, what), what);
  const fault = schemaFault(found) ?? reachFault(found);
  if (fault !== null) throw new Lie(`${what}: ${fault}`);
  return found;
}

function readToolAnnotations(value: Json): ToolAnnotations {
  const fields = object(value, 'annotations');
  return {
    ...optional('title', fields.title, text),
    ...optional('readOnlyHint', fields['read-only'], flag),
    ...optional('destructiveHint', fields.destructive, flag),
    ...optional('idempotentHint', fields.idempotent, flag),
    ...optional('openWorldHint', fields['open-world'], flag),
  };
}

function readTask(value: Json): TaskSupport {
  const fields = object(value, 'task');
  return {
    support: fields.support === 'required' ? 'required' : 'optional',
    begins: fields['at-once'] === true ? 'call' : 'outcome',
  };
}

export function readPrompt(value: Json): Prompt {
  const fields = object(value, 'prompt');
  const list = array(fields.arguments ?? [], 'arguments', 100).map((one) => {
    const argument = object(one, 'argument');
    return {
      name: text(argument.name, 'argument name', 256),
      ...optional('title', argument.title, text),
      ...optional('description', argument.description, text),
      required: argument.required === true,
    };
  });
  return {
    name: text(fields.name, 'prompt name', 256),
    ...optional('title', fields.title, text),
    ...optional('description', fields.description, text),
    arguments: list,
    ...readIcons(fields.icons),
  };
}

export function readTemplate(value: Json): ResourceTemplate {
  const fields = object(value, 'template');
  const uriTemplate = text(fields['uri-template'], 'uri-template', 8_192);
  refuseOwn(uriTemplate);
  return {
    uriTemplate,
    name: text(fields.name, 'template name', 1_024),
    ...optional('title', fields.title, text),
    ...optional('description', fields.description, text),
    ...optional('mimeType', fields['mime-type'], text),
  };
}
