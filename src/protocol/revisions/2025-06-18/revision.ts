// MCP 2025-06-18: adds titles, structured output (objects), resource links and elicitation; removes batches.

import type { Implementation } from '../../../server/canonical.ts';
import { plainQuestion } from '../../inputs.ts';
import { createProjection } from '../../projection.ts';
import { keysOf, type Revision, SESSION_HTTP, SESSION_REQUESTS, sameCode } from '../../revision.ts';

export function createRevision(info: Implementation): Revision {
  const projection = createProjection({
    implementation: ['name', 'title', 'version'],
    tool: ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'],
    resource: ['uri', 'name', 'title', 'description', 'mimeType', 'size', 'annotations'],
    resourceTemplate: ['uriTemplate', 'name', 'title', 'description', 'mimeType', 'annotations'],
    prompt: ['name', 'title', 'description', 'arguments'],
    promptArgument: ['name', 'title', 'description', 'required'],
    annotations: ['audience', 'priority', 'lastModified'],
    content: new Set(['text', 'image', 'audio', 'resource', 'resource_link']),
    meta: true,
    structured: 'objects',
  });
  return {
    ...projection,
    revision: '2025-06-18',
    requests: new Set<string>(SESSION_REQUESTS),
    opening: 'handshake',
    batches: false,
    noId: 'null',
    progressMessages: true,
    errorCode: sameCode,
    capabilities: (all) =>
      keysOf(all, ['tools', 'resources', 'prompts', 'logging', 'completions', 'experimental']),
    serverInfo: () => projection.implementation(info),
    inputs: { by: 'requests', features: new Set(['roots', 'sampling', 'elicitation']), shape: plainQuestion },
    tasks: null,
    seal: (_, result) => result,
    http: SESSION_HTTP,
  };
}
