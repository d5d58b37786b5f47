// MCP 2025-03-26: adds Streamable HTTP, batches, audio, tool annotations and messages with progress.

import type { Implementation } from '../../../server/canonical.ts';
import { plainQuestion } from '../../inputs.ts';
import { createProjection } from '../../projection.ts';
import { keysOf, type Revision, SESSION_HTTP, SESSION_REQUESTS, sameCode } from '../../revision.ts';

export function createRevision(info: Implementation): Revision {
  const projection = createProjection({
    implementation: ['name', 'version'],
    tool: ['name', 'description', 'inputSchema', 'annotations'],
    resource: ['uri', 'name', 'description', 'mimeType', 'size', 'annotations'],
    resourceTemplate: ['uriTemplate', 'name', 'description', 'mimeType', 'annotations'],
    prompt: ['name', 'description', 'arguments'],
    promptArgument: ['name', 'description', 'required'],
    annotations: ['audience', 'priority'],
    content: new Set(['text', 'image', 'audio', 'resource']),
    meta: false,
    structured: 'none',
  });
  return {
    ...projection,
    revision: '2025-03-26',
    requests: new Set<string>(SESSION_REQUESTS),
    opening: 'handshake',
    batches: true,
    noId: 'null',
    progressMessages: true,
    errorCode: sameCode,
    capabilities: (all) =>
      keysOf(all, ['tools', 'resources', 'prompts', 'logging', 'completions', 'experimental']),
    serverInfo: () => projection.implementation(info),
    inputs: { by: 'requests', features: new Set(['roots', 'sampling']), shape: plainQuestion },
    tasks: null,
    seal: (_, result) => result,
    http: { ...SESSION_HTTP, assumedWithoutHeader: true },
  };
}
