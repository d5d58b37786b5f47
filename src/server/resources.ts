// resources/list, resources/templates/list, resources/read (with a range, as an extension of ours) and the
// subscriptions of revisions that keep them in the session.

import type { Catalog, ResourceComplete } from '../catalog/catalog.ts';
import type { JsonObject } from '../core/json.ts';
import { callContext } from './context.ts';
import type { Request, Result } from './dialect.ts';
import type { Lists } from './lists.ts';
import { invalid, optionalObject, stringParam, wholeNumber } from './params.ts';
import { cut, type Range } from './range.ts';
import type { Rounds } from './rounds.ts';

const MAX_SUBSCRIPTIONS = 1_000;

export interface ResourceDeps {
  readonly catalog: Catalog;
  readonly lists: Lists;
  readonly rounds: Rounds;
}

export function resourceMethods({ catalog, lists, rounds }: ResourceDeps) {
  return {
    'resources/list': (request: Request): Result => {
      const { dialect, caller } = request;
      const listing = catalog.resources(caller);
      return lists.page(
        request,
        listing,
        'resources',
        (item) => dialect.resource(item),
        (item) => item.uri,
      );
    },

    'resources/templates/list': (request: Request): Result => {
      const { dialect, caller } = request;
      return lists.page(
        request,
        catalog.resourceTemplates(caller),
        'resourceTemplates',
        (item) => dialect.resourceTemplate(item),
        (item) => item.uriTemplate,
      );
    },

    'resources/read': async (request: Request): Promise<Result> => {
      const { dialect, params } = request;
      const uri = stringParam(params, 'uri');
      const range = readRange(params);
      const asked = range ? { uri, range } : { uri };
      const context = callContext(request);
      const ended = await rounds.run<ResourceComplete>(request, asked, (from) =>
        catalog.readResource({ ...asked, ...from }, context),
      );
      if ('result' in ended) return ended.result;
      if (!range) return dialect.seal(request.method, dialect.readResult(ended.outcome));
      const { contents, told } = cut(ended.outcome, range);
      return dialect.seal(request.method, {
        ...dialect.readResult({ kind: 'complete', contents }),
        range: told,
      });
    },

    'resources/subscribe': (request: Request): Result => {
      const { subscriptions } = request.session;
      if (subscriptions.size >= MAX_SUBSCRIPTIONS)
        throw invalid(`more than ${MAX_SUBSCRIPTIONS} subscriptions`);
      subscriptions.add(stringParam(request.params, 'uri'));
      return request.dialect.seal(request.method, {});
    },

    'resources/unsubscribe': (request: Request): Result => {
      request.session.subscriptions.delete(stringParam(request.params, 'uri'));
      return request.dialect.seal(request.method, {});
    },
  };
}

function readRange(params: JsonObject): Range | undefined {
  const range = optionalObject(params, 'range');
  if (!range) return undefined;
  return { start: wholeNumber(range, 'start'), length: wholeNumber(range, 'length') };
}
