// Every result that can be had is held to the schema of the revision that was negotiated.

import type { Bench } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { laterField } from '../later-fields.ts';
import { isObject, resultOf } from '../message.ts';
import { type Check, fail, pass, REVISIONS, since, TRANSPORTS, until, type Verdict } from '../model.ts';
import { observe } from '../observe.ts';
import { shapeFault } from '../shape.ts';

async function fitsSchema(bench: Bench): Promise<Verdict> {
  for (const { method, exchange } of await observe(bench)) {
    const result = resultOf(exchange.answer);
    const fault = result === null ? null : shapeFault(method, result, bench.revision);
    if (fault !== null)
      return fail(`The result of ${method} does not fit the schema of this revision: ${fault}`, exchange);
  }
  return pass;
}

async function noLaterFields(bench: Bench): Promise<Verdict> {
  for (const { method, exchange } of await observe(bench)) {
    const result = resultOf(exchange.answer);
    const field = result === null ? null : laterField(result, bench.revision);
    if (field !== null)
      return fail(`The result of ${method} has a field of a later revision: ${field}`, exchange);
  }
  return pass;
}

const LABEL = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const META_KEY = new RegExp(
  `^(?:${LABEL}(?:\\.${LABEL})*/)?(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?)?$`,
);

async function metaKeys(bench: Bench): Promise<Verdict> {
  for (const { method, exchange } of await observe(bench)) {
    const meta = resultOf(exchange.answer)?._meta;
    const wrong = isObject(meta) ? Object.keys(meta).find((key) => !META_KEY.test(key)) : undefined;
    if (wrong !== undefined)
      return fail(`The result of ${method} has the _meta key ${JSON.stringify(wrong)}`, exchange);
  }
  return pass;
}

export const resultChecks: readonly Check[] = [
  {
    id: 'V03',
    title: 'Results fit the schema of the negotiated revision',
    level: 'must',
    severity: 'critical',
    clause: clauses.schema,
    revisions: REVISIONS,
    transports: TRANSPORTS,
    remedy:
      'Send only what this revision defines, with the types it defines; project results down for older clients',
    run: fitsSchema,
  },
  {
    id: 'V10',
    title: 'Results have no fields that came with a later revision',
    level: 'practice',
    severity: 'low',
    clause: clauses.schema,
    revisions: until('2025-11-25'),
    transports: TRANSPORTS,
    remedy: 'Leave out what a client of this revision cannot know',
    run: noLaterFields,
  },
  {
    id: 'V13',
    title: 'Keys in _meta are well formed',
    level: 'must',
    severity: 'low',
    clause: clauses.meta,
    revisions: since('2025-06-18'),
    transports: TRANSPORTS,
    remedy: 'Name the key "name" or "prefix/name": labels separated by dots, then letters and digits',
    run: metaKeys,
  },
];
