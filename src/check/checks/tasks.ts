// Tasks: their ids are the key to what a call has made, so they must not be guessed, and must not help anybody else.
// 2025-11-25 has tasks in its core, where the client asks for one; 2026-07-28 as an extension, where the server decides.

import { type Bench, callParams, NO_CALLS } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { openConversation } from '../conversation.ts';
import { isObject, type JsonObject, resultOf } from '../message.ts';
import { type Check, fail, isModern, pass, type Revision, skip, TRANSPORTS, type Verdict } from '../model.ts';

const EXTENSION = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const WITH_TASKS: readonly Revision[] = ['2025-11-25', '2026-07-28'];
const TTL = 60_000;
const MOST_TOOLS = 30;

interface Made {
  readonly id: string;
  readonly tool: string;
}

/** Calls tools until so many tasks were made of the same one; the reason if there is none. */
async function makeTasks(bench: Bench, count: number): Promise<readonly Made[] | string> {
  const tools = await bench.callables();
  if (tools.length === 0) return NO_CALLS;
  const modern = isModern(bench.revision);
  if (!modern && !declaresTasks(bench.conversation.capabilities))
    return 'The server does not declare tasks for tools/call';
  const { items } = await bench.list('tools/list');
  const able = tools.filter(({ name }) => modern || supportsTasks(items.find((one) => one.name === name)));
  for (const tool of able.slice(0, MOST_TOOLS)) {
    const made: Made[] = [];
    for (let index = 0; index < count; index++) {
      const params = modern ? callParams(tool) : { ...callParams(tool), task: { ttl: TTL } };
      const exchange = await bench.conversation.request('tools/call', params, {
        ...(modern && { capabilities: EXTENSION }),
        headers: tool.headers,
      });
      const id = taskIdIn(resultOf(exchange.answer));
      if (id === null) break;
      made.push({ id, tool: tool.name });
    }
    if (made.length === count) return made;
  }
  return 'No tool that may be called became a task';
}

function taskIdIn(result: JsonObject | null): string | null {
  const task = isObject(result?.task) ? result.task : result;
  return typeof task?.taskId === 'string' ? task.taskId : null;
}

function declaresTasks({ tasks }: JsonObject): boolean {
  const requests = isObject(tasks) && isObject(tasks.requests) ? tasks.requests : {};
  return isObject(requests.tools) && isObject(requests.tools.call);
}

function supportsTasks(tool: JsonObject | undefined): boolean {
  const execution = isObject(tool?.execution) ? tool.execution : {};
  return execution.taskSupport === 'optional' || execution.taskSupport === 'required';
}

async function idsSecret(bench: Bench): Promise<Verdict> {
  const made = await makeTasks(bench, 2);
  if (typeof made === 'string') return skip(made);
  const [first, second] = made.map(({ id }) => id) as [string, string];
  const raw = `${first}\n${second}`;
  if (first === second) return fail('Two tasks have the same id', { raw });
  return first.length >= 16 ? pass : fail(`A task id of ${first.length} characters can be guessed`, { raw });
}

async function ownTasksOnly(bench: Bench): Promise<Verdict> {
  const other = bench.options.otherHeaders;
  if (other === undefined)
    return skip('Needs a second caller: give headers of another one with --other-header');
  const made = await makeTasks(bench, 1);
  if (typeof made === 'string') return skip(made);
  const { id, tool } = made[0]!;
  const link = await bench.freshLink(other);
  const own = await openConversation(link, bench.revision, { milliseconds: bench.options.milliseconds });
  if (own === null) return skip('The second caller cannot open a conversation of its own');
  const capabilities = isModern(bench.revision) ? { capabilities: EXTENSION } : {};
  const asked = isModern(bench.revision)
    ? ['tasks/get', 'tasks/cancel']
    : ['tasks/get', 'tasks/result', 'tasks/cancel'];
  for (const method of asked) {
    const exchange = await own.request(method, { taskId: id }, capabilities);
    if (resultOf(exchange.answer) !== null)
      return fail(`${method} of another caller was answered for a task of "${tool}"`, exchange);
  }
  if (isModern(bench.revision) || !isObject(own.capabilities.tasks) || !own.capabilities.tasks.list)
    return pass;
  const listed = await own.request('tasks/list');
  return listed.raw.includes(JSON.stringify(id))
    ? fail('tasks/list of another caller tells the task', listed)
    : pass;
}

export const taskChecks: readonly Check[] = [
  {
    id: 'X06',
    title: 'Task ids differ and cannot be guessed',
    level: 'practice',
    severity: 'critical',
    clause: clauses.taskIds,
    revisions: WITH_TASKS,
    transports: TRANSPORTS,
    remedy: 'Make task ids from at least 128 random bits',
    run: idsSecret,
  },
  {
    id: 'X09',
    title: 'A task serves only the caller who made it',
    level: (revision) => (isModern(revision) ? 'practice' : 'must'),
    severity: 'critical',
    clause: clauses.taskIds,
    revisions: WITH_TASKS,
    transports: ['http', 'sse', 'websocket'],
    remedy: 'Bind a task to who was authorized when it was made, and compare on every request about it',
    run: ownTasksOnly,
  },
];
