// What the small server can keep between two requests: the state of a call that has asked for input, and tasks. Each is
// bound to what it belongs to, unless it is told not to.

import { randomUUID } from 'node:crypto';
import type { Fault, Json, Outgoing } from './server.ts';

const META = 'io.modelcontextprotocol/';
const ELICIT = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Who?',
    requestedSchema: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
  },
};

const said = (id: unknown, body: Json, status = 200): Outgoing => ({
  answer: { jsonrpc: '2.0', id, ...body },
  before: [],
  status,
});
const refusal = (id: unknown, message: string): Outgoing =>
  said(id, { error: { code: -32602, message } }, 400);

interface Told {
  readonly id: unknown;
  readonly method: unknown;
  readonly params: Json;
  readonly capabilities: Json;
}

function read(message: unknown): Told {
  const { id, method, params } = (message ?? {}) as Json;
  const meta = ((params as Json | undefined)?._meta ?? {}) as Json;
  return {
    id,
    method,
    params: (params ?? {}) as Json,
    capabilities: (meta[`${META}clientCapabilities`] ?? {}) as Json,
  };
}

const isGoodCall = ({ method, params }: Told): boolean =>
  method === 'tools/call' && typeof (params.arguments as Json | undefined)?.text === 'string';

export interface StateBinding {
  readonly anyRequest?: boolean;
  readonly anyCaller?: boolean;
}

/** Asks for a name in every call; its states are made here, and others are refused. */
export function keepsState({ anyRequest = false, anyCaller = false }: StateBinding): Fault {
  const states = new Map<string, { request: string; caller: string | undefined }>();
  return {
    message(message, { owner }) {
      const told = read(message);
      const { id, params, capabilities } = told;
      if (!isGoodCall(told) || capabilities.elicitation === undefined) return undefined;
      const request = JSON.stringify([params.name, params.arguments]);
      const given = params.requestState;
      if (given === undefined) {
        const requestState = randomUUID();
        states.set(requestState, { request, caller: owner });
        const result = { resultType: 'input_required', inputRequests: { who: ELICIT }, requestState };
        return said(id, { result });
      }
      const known = states.get(String(given));
      if (known === undefined) return refusal(id, 'Not a state of mine');
      if (known.request !== request && !anyRequest) return refusal(id, 'A state of another request');
      if (known.caller !== owner && !anyCaller) return refusal(id, 'A state of another caller');
      return undefined;
    },
  };
}

/** Makes a task of every call whose client knows tasks (2026-07-28). */
export function keepsTasks({ anyCaller = false, taskId = randomUUID as () => string }): Fault {
  const owners = new Map<string, string | undefined>();
  return {
    message(message, { owner }) {
      const told = read(message);
      const { id, method, params, capabilities } = told;
      if (isGoodCall(told) && capabilities.extensions !== undefined) {
        const made = taskId();
        owners.set(made, owner);
        return said(id, { result: { resultType: 'task', taskId: made, status: 'working' } });
      }
      if (method !== 'tasks/get' && method !== 'tasks/cancel') return undefined;
      const task = String(params.taskId);
      const isTheirs = owners.has(task) && (anyCaller || owners.get(task) === owner);
      if (!isTheirs) return refusal(id, 'No such task');
      return said(id, { result: { resultType: 'complete', taskId: task, status: 'working' } });
    },
  };
}

/** Several at once; the first that has something to say says it. */
export function together(...faults: readonly Fault[]): Fault {
  return {
    message(message, connection) {
      for (const fault of faults) {
        const outgoing = fault.message?.(message, connection);
        if (outgoing !== undefined) return outgoing;
      }
      return undefined;
    },
  };
}

/** Fetches every $ref in the arguments of a call before it answers as usual. */
export function followsReferences(): Fault {
  return {
    message(message) {
      const { params } = read(message);
      const { $ref } = (params.arguments ?? {}) as Json;
      if (typeof $ref === 'string') fetch($ref).catch(() => {});
      return undefined;
    },
  };
}
