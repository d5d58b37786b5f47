// tasks/get, tasks/update, tasks/cancel, and tasks/result and tasks/list of the revision that has them. A task is
// found by its owner only; a stranger's id is as unknown as one that never was.

import { WitboxError } from '../core/errors.ts';
import { callContext, taskOwner } from './context.ts';
import type { Request, Result, TaskDialect } from './dialect.ts';
import type { Lists } from './lists.ts';
import { invalid, stringParam, wrong } from './params.ts';
import { readResponses } from './rounds.ts';
import { hasEnded, type Tasks } from './tasks.ts';

export function taskMethods({ tasks, lists }: { readonly tasks: Tasks; readonly lists: Lists }) {
  const dialectOf = (request: Request): TaskDialect => {
    const { tasks: dialect } = request.dialect;
    if (!dialect) throw new WitboxError('method-not-found', { method: request.method });
    if (dialect.decidedBy === 'server' && !callContext(request).tasks) throw dialect.refusal('task-needed');
    return dialect;
  };

  return {
    'tasks/get': (request: Request): Result => {
      const dialect = dialectOf(request);
      const task = tasks.get(taskOwner(request), stringParam(request.params, 'taskId'));
      return request.dialect.seal(request.method, dialect.shown(task));
    },

    'tasks/update': (request: Request): Result => {
      dialectOf(request);
      const responses = readResponses(request.params);
      if (!responses) throw wrong('inputResponses', 'an object', undefined);
      tasks.answer(taskOwner(request), stringParam(request.params, 'taskId'), responses);
      return request.dialect.seal(request.method, {});
    },

    'tasks/cancel': (request: Request): Result => {
      const dialect = dialectOf(request);
      const owner = taskOwner(request);
      const id = stringParam(request.params, 'taskId');
      if (dialect.decidedBy === 'client' && hasEnded(tasks.get(owner, id))) {
        throw invalid(`task "${id}" has already ended`);
      }
      return request.dialect.seal(request.method, dialect.cancelled(tasks.cancel(owner, id)));
    },

    // Waits for the end; meanwhile it is the stream on which the task's questions go out.
    'tasks/result': async (request: Request): Promise<Result> => {
      dialectOf(request);
      const owner = taskOwner(request);
      const id = stringParam(request.params, 'taskId');
      const related = { 'io.modelcontextprotocol/related-task': { taskId: id } };
      let task = tasks.get(owner, id);
      while (!hasEnded(task)) {
        if (task.status === 'input_required' && Object.keys(task.pending).length > 0 && request.ask) {
          tasks.answer(owner, id, await request.ask(task.pending, related));
        } else {
          await tasks.changed(owner, id, request.signal);
        }
        request.signal.throwIfAborted();
        task = tasks.get(owner, id);
      }
      if (task.status === 'failed') throw task.error;
      if (!task.result) throw invalid(`task "${id}" was cancelled`);
      const result = request.dialect.toolResult(task.result, task.tool);
      return request.dialect.seal(request.method, { ...result, _meta: { ...metaOf(result), ...related } });
    },

    'tasks/list': (request: Request): Result => {
      const dialect = dialectOf(request);
      // Strangers without a session are one owner: each of them knows the ids of their own, and of nobody else's.
      const isShared = request.caller.kind === 'anybody' && request.session.id === null;
      const items = isShared ? [] : tasks.list(taskOwner(request));
      const version = items.map((task) => `${task.id}${task.updatedAt.getTime()}${task.status}`).join();
      return lists.page(
        request,
        { version, items },
        'tasks',
        (task) => dialect.shown(task),
        (task) => task.id,
      );
    },
  };
}

function metaOf(result: { readonly _meta?: unknown }): object {
  return (result._meta ?? {}) as object;
}
