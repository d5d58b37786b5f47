// MCP 2025-11-25, the last with sessions: adds icons, tasks, URL elicitation, sampling with tools, stream polling.

import { randomUUID } from 'node:crypto';
import type { Implementation, InputRequest, JsonObject } from '../../../server/canonical.ts';
import { createProjection } from '../../projection.ts';
import { keysOf, type Revision, SESSION_HTTP, SESSION_REQUESTS, sameCode } from '../../revision.ts';
import { tasks } from './tasks.ts';

export function createRevision(info: Implementation): Revision {
  const projection = createProjection({
    implementation: ['name', 'title', 'version', 'description', 'websiteUrl', 'icons'],
    tool: [
      'name',
      'title',
      'description',
      'inputSchema',
      'outputSchema',
      'annotations',
      'icons',
      'execution',
    ],
    resource: ['uri', 'name', 'title', 'description', 'mimeType', 'size', 'annotations', 'icons'],
    resourceTemplate: ['uriTemplate', 'name', 'title', 'description', 'mimeType', 'annotations', 'icons'],
    prompt: ['name', 'title', 'description', 'arguments', 'icons'],
    promptArgument: ['name', 'title', 'description', 'required'],
    annotations: ['audience', 'priority', 'lastModified'],
    content: new Set(['text', 'image', 'audio', 'resource', 'resource_link']),
    meta: true,
    structured: 'objects',
  });
  const capabilities = ['tools', 'resources', 'prompts', 'logging', 'completions', 'experimental'];
  return {
    ...projection,
    revision: '2025-11-25',
    requests: new Set<string>([
      ...SESSION_REQUESTS,
      'tasks/get',
      'tasks/result',
      'tasks/list',
      'tasks/cancel',
    ]),
    opening: 'handshake',
    batches: false,
    noId: 'omit',
    progressMessages: true,
    errorCode: sameCode,
    capabilities: (all) => ({
      ...keysOf(all, capabilities),
      tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
    }),
    serverInfo: () => projection.implementation(info),
    inputs: {
      by: 'requests',
      features: new Set(['roots', 'sampling', 'sampling.tools', 'elicitation', 'elicitation.url']),
      shape,
    },
    tasks,
    seal: (_, result) => result,
    http: { ...SESSION_HTTP, primesStreams: true },
  };
}

// This revision alone wants an id for a URL that the user is sent to.
function shape({ params }: InputRequest): JsonObject {
  return params.mode === 'url' ? { elicitationId: randomUUID(), ...params } : params;
}
