// Shows canonical tools, resources, prompts and content with the fields that a revision's schema has, and nothing
// else: what an older client cannot parse is not sent to it. A revision is a table of field names (see revisions/).

import type {
  ContentBlock,
  Implementation,
  JsonObject,
  Prompt,
  PromptComplete,
  Resource,
  ResourceComplete,
  ResourceContents,
  ResourceTemplate,
  Tool,
  ToolComplete,
} from '../server/canonical.ts';
import { wrappedSchema, wrapsOutput } from './structured.ts';

export interface Fields {
  readonly implementation: readonly string[];
  readonly tool: readonly string[];
  readonly resource: readonly string[];
  readonly resourceTemplate: readonly string[];
  readonly prompt: readonly string[];
  readonly promptArgument: readonly string[];
  readonly annotations: readonly string[];
  /** Content kinds; one that is not here is shown as the nearest that every revision has. */
  readonly content: ReadonlySet<ContentBlock['type']>;
  /** Whether things may carry `_meta`, beside results, which always may. */
  readonly meta: boolean;
  readonly structured: 'none' | 'objects' | 'any';
}

export interface Projection {
  implementation(info: Implementation): JsonObject;
  tool(tool: Tool): JsonObject;
  resource(resource: Resource): JsonObject;
  resourceTemplate(template: ResourceTemplate): JsonObject;
  prompt(prompt: Prompt): JsonObject;
  toolResult(outcome: ToolComplete, tool: Tool | undefined): JsonObject;
  readResult(outcome: ResourceComplete): JsonObject;
  promptResult(outcome: PromptComplete): JsonObject;
}

export function createProjection(fields: Fields): Projection {
  const described = (item: object, names: readonly string[]): Record<string, unknown> => {
    const shown = pick(item, names);
    const meta = (item as { meta?: JsonObject }).meta;
    if (fields.meta && meta) shown._meta = meta;
    return shown;
  };
  const annotated = (item: object, names: readonly string[]): Record<string, unknown> => {
    const shown = described(item, names);
    if (shown.annotations) shown.annotations = pick(shown.annotations, fields.annotations);
    return shown;
  };
  const contents = (item: ResourceContents): JsonObject =>
    described(item, ['uri', 'mimeType', 'text', 'blob']) as JsonObject;

  const content = (block: ContentBlock): JsonObject => {
    if (!fields.content.has(block.type)) return content(substitute(block));
    switch (block.type) {
      case 'text':
        return annotated(block, ['type', 'text', 'annotations']) as JsonObject;
      case 'image':
      case 'audio':
        return annotated(block, ['type', 'data', 'mimeType', 'annotations']) as JsonObject;
      case 'resource': {
        const shown = annotated(block, ['type', 'annotations']);
        return { ...shown, resource: contents(block.resource) } as JsonObject;
      }
      case 'resource_link':
        return annotated(block, ['type', ...fields.resource]) as JsonObject;
    }
  };

  return {
    implementation: (info) => pick(info, fields.implementation) as JsonObject,
    tool(tool) {
      const shown = described(tool, fields.tool);
      if (fields.tool.includes('execution') && tool.task)
        shown.execution = { taskSupport: tool.task.support };
      if (shown.outputSchema && fields.structured === 'objects' && wrapsOutput(tool)) {
        const wrapped = wrappedSchema(tool.outputSchema!);
        if (wrapped) shown.outputSchema = wrapped;
        else delete shown.outputSchema;
      }
      return shown as JsonObject;
    },
    resource: (resource) => annotated(resource, fields.resource) as JsonObject,
    resourceTemplate: (template) => annotated(template, fields.resourceTemplate) as JsonObject,
    prompt(prompt) {
      const shown = described(prompt, fields.prompt);
      if (prompt.arguments) shown.arguments = prompt.arguments.map((one) => pick(one, fields.promptArgument));
      return shown as JsonObject;
    },
    toolResult(outcome, tool) {
      const shown: Record<string, unknown> = { content: outcome.content.map(content) };
      if (outcome.structured !== undefined && fields.structured !== 'none') {
        const wrap = fields.structured === 'objects' && wrapsOutput(tool, outcome.structured);
        shown.structuredContent = wrap ? { result: outcome.structured } : outcome.structured;
      }
      if (outcome.isError !== undefined) shown.isError = outcome.isError;
      if (outcome.meta) shown._meta = outcome.meta;
      return shown as JsonObject;
    },
    readResult: (outcome) => ({ contents: outcome.contents.map(contents) }),
    promptResult: ({ description, messages }) => ({
      ...(description !== undefined && { description }),
      messages: messages.map((message) => ({ role: message.role, content: content(message.content) })),
    }),
  };
}

function pick(item: object, names: readonly string[]): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const name of names) {
    const value = (item as Record<string, unknown>)[name];
    if (value !== undefined) shown[name] = value;
  }
  return shown;
}

// Nothing is lost: sound becomes an embedded resource, a link becomes a line of text.
function substitute(block: ContentBlock): ContentBlock {
  const kept = block.annotations ? { annotations: block.annotations } : {};
  if (block.type === 'audio') {
    const resource = { uri: 'witbox:audio', mimeType: block.mimeType, blob: block.data };
    return { ...kept, type: 'resource', resource };
  }
  if (block.type === 'resource_link') {
    const about = block.description === undefined ? '' : `: ${block.description}`;
    return { ...kept, type: 'text', text: `${block.name} <${block.uri}>${about}` };
  }
  return block;
}
