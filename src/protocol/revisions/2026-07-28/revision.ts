// MCP 2026-07-28, without sessions: every request stands alone, questions are results, change notices are a request
// that stays open, and every result says what it is, who made it and how long it keeps.

import type { JsonObject } from '../../../core/json.ts';
import type { Logger } from '../../../core/log.ts';
import type { Implementation } from '../../../server/canonical.ts';
import { createProjection } from '../../projection.ts';
import { keysOf, type Revision } from '../../revision.ts';
import { createHeaderCheck } from './headers.ts';
import { createTaskDialect, TASKS_EXTENSION } from './tasks.ts';

const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
const RESOURCE_NOT_FOUND = -32002;
const INVALID_PARAMS = -32602;

/** Lists change rarely and their changes are announced; what a resource holds may change at any time. */
const CACHED_MS: Readonly<Record<string, number>> = {
  'server/discover': 300_000,
  'tools/list': 60_000,
  'prompts/list': 60_000,
  'resources/list': 60_000,
  'resources/templates/list': 60_000,
  'resources/read': 0,
};

export function createRevision(info: Implementation, log: Logger): Revision {
  const projection = createProjection({
    implementation: ['name', 'title', 'version', 'description', 'websiteUrl', 'icons'],
    tool: ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations', 'icons'],
    resource: ['uri', 'name', 'title', 'description', 'mimeType', 'size', 'annotations', 'icons'],
    resourceTemplate: ['uriTemplate', 'name', 'title', 'description', 'mimeType', 'annotations', 'icons'],
    prompt: ['name', 'title', 'description', 'arguments', 'icons'],
    promptArgument: ['name', 'title', 'description', 'required'],
    annotations: ['audience', 'priority', 'lastModified'],
    content: new Set(['text', 'image', 'audio', 'resource', 'resource_link']),
    meta: true,
    structured: 'any',
  });
  const self = { [SERVER_INFO]: projection.implementation(info) };
  const seal = (method: string, result: JsonObject): JsonObject => ({
    resultType: 'complete',
    ...result,
    // Private: what a caller may see depends on who calls.
    ...(Object.hasOwn(CACHED_MS, method) && { ttlMs: CACHED_MS[method], cacheScope: 'private' }),
    _meta: { ...((result._meta as JsonObject | undefined) ?? {}), ...self },
  });
  const capabilities = ['tools', 'resources', 'prompts', 'logging', 'completions', 'experimental'];
  return {
    ...projection,
    revision: '2026-07-28',
    requests: new Set([
      'server/discover',
      'tools/list',
      'tools/call',
      'tools/batch',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'prompts/list',
      'prompts/get',
      'completion/complete',
      'subscriptions/listen',
      'tasks/get',
      'tasks/update',
      'tasks/cancel',
    ]),
    opening: 'each-request',
    batches: false,
    noId: 'omit',
    progressMessages: true,
    errorCode: (code) => (code === RESOURCE_NOT_FOUND ? INVALID_PARAMS : code),
    capabilities: (all) => ({ ...keysOf(all, capabilities), extensions: { [TASKS_EXTENSION]: {} } }),
    serverInfo: () => projection.implementation(info),
    inputs: {
      by: 'results',
      features: new Set(['roots', 'sampling', 'sampling.tools', 'elicitation', 'elicitation.url']),
      shape: ({ params }) => params,
    },
    tasks: createTaskDialect({ toolResult: projection.toolResult, seal }, log),
    seal,
    http: {
      assumedWithoutHeader: false,
      sessions: false,
      primesStreams: false,
      disconnectCancels: true,
      errorStatus: true,
      checkHeaders: createHeaderCheck(),
    },
  };
}
