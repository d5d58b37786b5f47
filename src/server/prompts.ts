// prompts/list, prompts/get, and completion/complete for the arguments of prompts and resource templates.

import type { Catalog, PromptComplete } from '../catalog/catalog.ts';
import type { JsonObject } from '../core/json.ts';
import type { CompletionReference } from '../core/mcp.ts';
import { callContext } from './context.ts';
import type { Request, Result } from './dialect.ts';
import type { Lists } from './lists.ts';
import { invalid, objectParam, optionalObject, stringMap, stringParam } from './params.ts';
import type { Rounds } from './rounds.ts';

/** The specification's bound on the values of one completion. */
const MAX_VALUES = 100;

export interface PromptDeps {
  readonly catalog: Catalog;
  readonly lists: Lists;
  readonly rounds: Rounds;
}

export function promptMethods({ catalog, lists, rounds }: PromptDeps) {
  return {
    'prompts/list': (request: Request): Result => {
      const { dialect, caller } = request;
      const listing = catalog.prompts(caller);
      return lists.page(
        request,
        listing,
        'prompts',
        (prompt) => dialect.prompt(prompt),
        (prompt) => prompt.name,
      );
    },

    'prompts/get': async (request: Request): Promise<Result> => {
      const { dialect, params } = request;
      const asked = { name: stringParam(params, 'name'), arguments: stringMap(params, 'arguments') };
      const context = callContext(request);
      const ended = await rounds.run<PromptComplete>(request, asked, (from) =>
        catalog.getPrompt({ ...asked, ...from }, context),
      );
      if ('result' in ended) return ended.result;
      return dialect.seal(request.method, dialect.promptResult(ended.outcome));
    },

    'completion/complete': async (request: Request): Promise<Result> => {
      const { params } = request;
      const argument = objectParam(params, 'argument');
      const known = stringMap(optionalObject(params, 'context') ?? {}, 'arguments');
      const { values, total, hasMore } = await catalog.complete(
        referenceOf(objectParam(params, 'ref')),
        { name: stringParam(argument, 'name'), value: stringParam(argument, 'value') },
        known,
        callContext(request),
      );
      const completion = {
        values: values.slice(0, MAX_VALUES),
        total: total ?? values.length,
        hasMore: hasMore ?? values.length > MAX_VALUES,
      };
      return request.dialect.seal(request.method, { completion });
    },
  };
}

function referenceOf(ref: JsonObject): CompletionReference {
  const type = stringParam(ref, 'type');
  if (type === 'ref/prompt') return { type, name: stringParam(ref, 'name') };
  if (type === 'ref/resource') return { type, uri: stringParam(ref, 'uri') };
  throw invalid(`"ref.type" must be "ref/prompt" or "ref/resource", it is "${type}"`);
}
