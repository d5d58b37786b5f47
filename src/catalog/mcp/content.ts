// Content, resources and questions as witbox:mcp writes them → as MCP has them.

import type { Json, JsonObject } from '../../core/json.ts';
import type {
  Annotations,
  ContentBlock,
  Icon,
  InputRequest,
  Resource,
  ResourceContents,
} from '../../core/mcp.ts';
import type { InputRequired } from '../catalog.ts';
import { array, json, Lie, number, object, optional, pairs, text, variant } from './fields.ts';

const MOST_BLOCKS = 1_000;
const MOST_DATA = 64 << 20;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export function readContent(value: Json | undefined): ContentBlock[] {
  return array(value, 'content', MOST_BLOCKS).map(readBlock);
}

export function readBlock(value: Json): ContentBlock {
  const { tag, val } = variant(value, 'content');
  const fields = object(val, `content ${tag}`);
  const annotations = optional('annotations', fields.annotations, readAnnotations);
  switch (tag) {
    case 'text':
      return { type: 'text', text: text(fields.text, 'text', MOST_DATA), ...annotations };
    case 'image':
    case 'audio':
      return {
        type: tag,
        data: base64(fields.data),
        mimeType: text(fields['mime-type'], 'mime-type', 256),
        ...annotations,
      };
    case 'link':
      return { type: 'resource_link', ...readResourceInfo(val!) };
    case 'embedded':
      return { type: 'resource', resource: readResourceContents(fields.contents!), ...annotations };
    default:
      throw new Lie(`content has the unknown kind "${tag}"`);
  }
}

function readResourceInfo(value: Json): Resource {
  const fields = object(value, 'resource');
  return {
    uri: uri(fields.uri),
    name: text(fields.name, 'name', 1_024),
    ...optional('title', fields.title, text),
    ...optional('description', fields.description, text),
    ...optional('mimeType', fields['mime-type'], text),
    ...optional('size', fields.size, number),
    ...optional('annotations', fields.annotations, readAnnotations),
  };
}

/** As a component lists it: under an address that is not Witbox's own. */
export function readListed(value: Json): Resource {
  const resource = readResourceInfo(value);
  refuseOwn(resource.uri);
  return resource;
}

/** Schemes know no case, and nobody but Witbox speaks for components. */
export function refuseOwn(address: string): void {
  if (/^component:/i.test(address)) throw new Lie(`"${address.slice(0, 80)}" is not its own to list`);
}

export function readResourceContents(value: Json): ResourceContents {
  const fields = object(value, 'resource contents');
  const shared = { uri: uri(fields.uri), ...optional('mimeType', fields['mime-type'], text) };
  const { tag, val } = variant(fields.body, 'body');
  return tag === 'text'
    ? { ...shared, text: text(val, 'text', MOST_DATA) }
    : { ...shared, blob: base64(val) };
}

export function readIcons(value: Json | undefined): { readonly icons?: readonly Icon[] } {
  const icons = array(value ?? [], 'icons', 16).map((one) => {
    const fields = object(one, 'icon');
    const sizes = array(fields.sizes ?? [], 'sizes', 16).map((size) => text(size, 'size', 32));
    return {
      src: text(fields.src, 'src'),
      ...optional('mimeType', fields['mime-type'], text),
      ...(sizes.length === 0 ? {} : { sizes }),
      ...optional('theme', fields.theme, (theme) =>
        theme === 'dark' ? ('dark' as const) : ('light' as const),
      ),
    };
  });
  return icons.length === 0 ? {} : { icons };
}

function readAnnotations(value: Json): Annotations {
  const fields = object(value, 'annotations');
  const audience = array(fields.audience ?? [], 'audience', 2).map((role) =>
    role === 'assistant' ? 'assistant' : 'user',
  );
  return {
    ...(audience.length === 0 ? {} : { audience: audience as ('user' | 'assistant')[] }),
    ...optional('priority', fields.priority, number),
    ...optional('lastModified', fields['last-modified'], text),
  };
}

export function readInputRequired(value: Json | undefined): InputRequired {
  const fields = object(value, 'input-required');
  const requests = pairs(fields.questions, 'questions', 32).map(
    ([key, question]) => [key, readQuestion(question)] as const,
  );
  return {
    kind: 'input-required',
    requests: Object.fromEntries(requests),
    ...optional('state', fields.state, text),
  };
}

function readQuestion(value: Json): InputRequest {
  const { tag, val } = variant(value, 'question');
  switch (tag) {
    case 'elicit-form': {
      const fields = object(val, 'question');
      const requestedSchema = object(json(fields.schema, 'schema'), 'schema');
      return {
        method: 'elicitation/create',
        params: { mode: 'form', message: text(fields.message, 'message'), requestedSchema },
      };
    }
    case 'elicit-url': {
      const fields = object(val, 'question');
      const params: JsonObject = {
        mode: 'url',
        message: text(fields.message, 'message'),
        url: text(fields.url, 'url'),
        elicitationId: text(fields.id, 'id', 256),
      };
      return { method: 'elicitation/create', params };
    }
    case 'sample':
      return { method: 'sampling/createMessage', params: object(json(val, 'sample'), 'sample') };
    case 'list-roots':
      return { method: 'roots/list', params: {} };
    default:
      throw new Lie(`a question has the unknown kind "${tag}"`);
  }
}

/** What a policy must allow before a question may be asked. */
export function capabilityOf({ method }: InputRequest): string {
  return method === 'roots/list' ? 'roots' : method === 'sampling/createMessage' ? 'sampling' : 'elicitation';
}

function uri(value: Json | undefined): string {
  const address = text(value, 'uri', 8_192);
  if (!/^[a-z][a-z0-9+.-]*:/i.test(address)) throw new Lie(`"${address.slice(0, 80)}" is no URI`);
  return address;
}

function base64(value: Json | undefined): string {
  const data = text(value, 'data', MOST_DATA);
  if (data.length % 4 !== 0 || !BASE64.test(data)) throw new Lie('data is not base64');
  return data;
}
