// Questions in the middle of a request. A catalogue only ever returns `input-required`; here that becomes a result for
// the client to retry (revisions without requests from the server) or a loop that asks and calls again (all others).

import type { Continuation, InputRequired } from '../catalog/catalog.ts';
import { isJsonObject, type JsonObject, own } from '../core/json.ts';
import type { InputResponses } from '../core/mcp.ts';
import type { Request } from './dialect.ts';
import { invalid, optionalString, wrong } from './params.ts';
import type { RequestStates } from './request-state.ts';

const MAX_ROUNDS = 32;

export interface Rounds {
  /** Runs to a final outcome, or to the result that asks the client to come again. */
  run<T extends { kind: string }>(
    request: Request,
    subject: JsonObject,
    call: (continuation: Continuation) => Promise<T | InputRequired>,
  ): Promise<{ outcome: T } | { result: JsonObject }>;
}

export function createRounds(states: RequestStates): Rounds {
  return {
    async run(request, subject, call) {
      const owner = { caller: request.caller, method: request.method, subject };
      let continuation = request.ask ? {} : readContinuation(request, (sealed) => states.open(sealed, owner));
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const outcome = await call(continuation);
        if (!isInputRequired(outcome)) return { outcome };
        const state = outcome.state === undefined ? {} : { state: outcome.state };
        if (!request.ask) {
          request.checkInputs(outcome.requests);
          const sealed = outcome.state === undefined ? undefined : states.seal(outcome.state, owner);
          return { result: inputRequired(outcome, sealed) };
        }
        continuation = { responses: await request.ask(outcome.requests), ...state };
      }
      throw invalid(`more than ${MAX_ROUNDS} rounds of questions for one request`);
    },
  };
}

function isInputRequired(outcome: { kind: string }): outcome is InputRequired {
  return outcome.kind === 'input-required';
}

// The specification wants at least one of the two members.
function inputRequired(outcome: InputRequired, sealed: string | undefined): JsonObject {
  const asks = Object.keys(outcome.requests).length > 0 || sealed === undefined;
  return {
    resultType: 'input_required',
    ...(asks && { inputRequests: outcome.requests as unknown as JsonObject }),
    ...(sealed !== undefined && { requestState: sealed }),
  };
}

function readContinuation(request: Request, open: (sealed: string) => string): Continuation {
  const sealed = optionalString(request.params, 'requestState');
  const responses = readResponses(request.params);
  return {
    ...(responses && { responses }),
    ...(sealed !== undefined && { state: open(sealed) }),
  };
}

export function readResponses(params: JsonObject): InputResponses | undefined {
  const value = own(params, 'inputResponses');
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw wrong('inputResponses', 'an object', value);
  const responses: Record<string, JsonObject> = Object.create(null);
  for (const [key, answer] of Object.entries(value)) {
    if (!isJsonObject(answer)) throw wrong(`inputResponses.${key}`, 'an object', answer);
    responses[key] = answer;
  }
  return responses;
}
