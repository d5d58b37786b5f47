// What a client must have declared before it may be asked something, and how a question looks in a revision.
// The question itself is always written in the form of the newest revision.

import { WitboxError } from '../core/errors.ts';
import { isJsonObject, type JsonObject, own } from '../core/json.ts';
import type { InputRequest, InputRequests } from '../server/canonical.ts';

export type InputFeature = 'roots' | 'sampling' | 'sampling.tools' | 'elicitation' | 'elicitation.url';

/** What is missing, as a capabilities object, or null if all may be asked. `known` is what the revision has at all. */
export function missingInputs(
  requests: InputRequests,
  capabilities: JsonObject,
  known: ReadonlySet<InputFeature>,
): { names: string[]; capabilities: JsonObject } | null {
  const names = new Set<InputFeature>();
  for (const request of Object.values(requests)) {
    for (const feature of featuresOf(request)) {
      if (!known.has(feature) || !declares(capabilities, feature)) names.add(feature);
    }
  }
  if (names.size === 0) return null;
  const missing: Record<string, Record<string, JsonObject>> = {};
  for (const name of names) {
    const [outer = '', inner] = name.split('.');
    missing[outer] ??= {};
    if (inner !== undefined) missing[outer][inner] = {};
  }
  return { names: [...names], capabilities: missing };
}

function featuresOf(request: InputRequest): InputFeature[] {
  switch (request.method) {
    case 'roots/list':
      return ['roots'];
    case 'sampling/createMessage':
      return own(request.params, 'tools') === undefined ? ['sampling'] : ['sampling', 'sampling.tools'];
    case 'elicitation/create':
      return [own(request.params, 'mode') === 'url' ? 'elicitation.url' : 'elicitation'];
  }
}

function declares(capabilities: JsonObject, feature: InputFeature): boolean {
  const [outer = '', inner] = feature.split('.');
  const declared = own(capabilities, outer);
  if (!isJsonObject(declared)) return false;
  if (inner !== undefined) return isJsonObject(own(declared, inner));
  // An empty elicitation capability means forms; one that names only URLs does not.
  return outer !== 'elicitation' || isJsonObject(own(declared, 'form')) || own(declared, 'url') === undefined;
}

/** For revisions before modes and arrays: says the same in the words of their schemas, or that it cannot be said. */
export function plainQuestion({ method, params }: InputRequest): JsonObject {
  if (method === 'elicitation/create') {
    const { mode: _, requestedSchema, ...rest } = params;
    return { ...rest, ...(isJsonObject(requestedSchema) && { requestedSchema: plainForm(requestedSchema) }) };
  }
  const messages = own(params, 'messages');
  if (!Array.isArray(messages)) return params;
  return { ...params, messages: messages.map(singleContent) };
}

function plainForm(schema: JsonObject): JsonObject {
  const properties = own(schema, 'properties');
  if (!isJsonObject(properties)) return schema;
  const plain = Object.entries(properties).map(([name, field]) => [
    name,
    isJsonObject(field) ? plainField(field) : field,
  ]);
  return { ...schema, properties: Object.fromEntries(plain) };
}

// Choices with titles were an enum beside an array of names; choosing several was not there yet.
function plainField(field: JsonObject): JsonObject {
  if (own(field, 'type') === 'array')
    throw new WitboxError('client-cannot', { names: 'forms with several choices' });
  const { oneOf, ...rest } = field;
  if (!Array.isArray(oneOf)) return field;
  const options = oneOf.filter(isJsonObject);
  return {
    ...rest,
    enum: options.map((option) => own(option, 'const') ?? null),
    enumNames: options.map((option) => own(option, 'title') ?? own(option, 'const') ?? null),
  };
}

function singleContent(message: unknown): JsonObject {
  const object = isJsonObject(message) ? message : {};
  const content = own(object, 'content');
  return Array.isArray(content) && content.length === 1 ? { ...object, content: content[0] } : object;
}
