// Tasks as 2025-11-25 has them, experimental: the client asks for a task, polls it, and fetches the result apart.

import { WitboxError } from '../../../core/errors.ts';
import { type JsonObject, own } from '../../../core/json.ts';
import type { TaskDialect } from '../../../server/dialect.ts';
import type { TaskView } from '../../../server/tasks.ts';

export const tasks: TaskDialect = {
  decidedBy: 'client',
  possible: (_, params) => own(params, 'task') !== undefined,
  refusal: () => new WitboxError('method-not-found', { method: 'tools/call with this use of "task"' }),
  created: (task) => ({ task: shown(task) }),
  shown,
  cancelled: shown,
};

// Here a tool result with `isError` is a failed task; the extension of 2026-07-28 says the opposite.
function shown(task: TaskView): JsonObject {
  return {
    taskId: task.id,
    status: task.result?.isError ? 'failed' : task.status,
    ...(task.message !== undefined && { statusMessage: task.message }),
    createdAt: task.createdAt.toISOString(),
    lastUpdatedAt: task.updatedAt.toISOString(),
    ttl: task.ttlMs,
    pollInterval: task.pollMs,
  };
}
