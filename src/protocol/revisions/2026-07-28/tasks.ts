// Tasks as the extension io.modelcontextprotocol/tasks has them: the server decides, results are inlined.

import { isJsonObject, type JsonObject, own } from '../../../core/json.ts';
import type { Logger } from '../../../core/log.ts';
import type { Dialect, TaskDialect } from '../../../server/dialect.ts';
import type { TaskView } from '../../../server/tasks.ts';
import { ProtocolError, toWire } from '../../errors.ts';

export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

export function createTaskDialect(results: Pick<Dialect, 'toolResult' | 'seal'>, log: Logger): TaskDialect {
  const head = (task: TaskView): JsonObject => ({
    taskId: task.id,
    status: task.status,
    ...(task.message !== undefined && { statusMessage: task.message }),
    createdAt: task.createdAt.toISOString(),
    lastUpdatedAt: task.updatedAt.toISOString(),
    ttlMs: task.ttlMs,
    pollIntervalMs: task.pollMs,
  });
  const body = (task: TaskView): JsonObject => {
    if (task.status === 'input_required') return { inputRequests: task.pending as unknown as JsonObject };
    if (task.result)
      return { result: results.seal('tools/call', results.toolResult(task.result, task.tool)) };
    if (task.status !== 'failed') return {};
    const { code, message, data } = toWire(task.error, log);
    return { error: { code, message, ...(data !== undefined && { data }) } };
  };
  return {
    decidedBy: 'server',
    possible(capabilities) {
      const extensions = own(capabilities, 'extensions');
      return isJsonObject(extensions) && isJsonObject(own(extensions, TASKS_EXTENSION));
    },
    refusal() {
      const requiredCapabilities = { extensions: { [TASKS_EXTENSION]: {} } };
      return new ProtocolError('missing-capability', { names: TASKS_EXTENSION }, { requiredCapabilities });
    },
    created: (task) => ({ ...results.seal('tools/call', head(task)), resultType: 'task' }),
    shown: (task) => ({ ...head(task), ...body(task) }),
    cancelled: () => ({}),
  };
}
