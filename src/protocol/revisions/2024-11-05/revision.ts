// MCP 2024-11-05, the first: text, images and embedded resources; HTTP+SSE or stdio.

import type { Implementation } from '../../../server/canonical.ts';
import { plainQuestion } from '../../inputs.ts';
import { createProjection } from '../../projection.ts';
import { keysOf, type Revision, SESSION_HTTP, SESSION_REQUESTS, sameCode } from '../../revision.ts';

export function createRevision(info: Implementation): Revision {
  const projection = createProjection({
    implementation: ['name', 'version'],
    tool: ['name', 'description', 'inputSchema'],
    resource: ['uri', 'name', 'description', 'mimeType', 'size', 'annotations'],
    resourceTemplate: ['uriTemplate', 'name', 'description', 'mimeType', 'annotations'],
    prompt: ['name', 'description', 'arguments'],
    promptArgument: ['name', 'description', 'required'],
    annotations: ['audience', 'priority'],
    content: new Set(['text', 'image', 'resource']),
    meta: false,
    structured: 'none',
  });
  return {
    ...projection,
    revision: '2024-11-05',
    requests: new Set<string>(SESSION_REQUESTS),
    opening: 'handshake',
    batches: false,
    noId: 'null',
    progressMessages: false,
    errorCode: sameCode,
    capabilities: (all) => keysOf(all, ['tools', 'resources', 'prompts', 'logging', 'experimental']),
    serverInfo: () => projection.implementation(info),
    inputs: { by: 'requests', features: new Set(['roots', 'sampling']), shape: plainQuestion },
    tasks: null,
    seal: (_, result) => result,
    http: SESSION_HTTP,
  };
}
