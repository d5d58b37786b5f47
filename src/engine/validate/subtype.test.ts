import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ExternType, ResourceType } from '../../wit/type.ts';
import { matchExtern } from './subtype.ts';

const func = (resource: ResourceType): ExternType => ({
  kind: 'func',
  type: { params: [{ name: 'self', type: { kind: 'borrow', resource } }], result: null, async: false },
});
const instance = (entries: Readonly<Record<string, ExternType>>): ExternType => ({
  kind: 'instance',
  type: { exports: new Map(Object.entries(entries)), fresh: [] },
});
const resource = (type: ResourceType): ExternType => ({ kind: 'type', type: { kind: 'resource', type } });

it('matchExtern() compares resources by identity', () => {
  const one = { slot: 0 };
  assert.equal(matchExtern(func(one), func(one)), null);
  assert.match(matchExtern(func(one), func({ slot: 0 }))!, /resource types are not the same/);
});

it('matchExtern() asks the caller when resources belong to different components', () => {
  const [given, asked] = [{ slot: 3 }, { slot: 0 }];
  const actual = instance({ r: resource(given), '[method]r.m': func(given) });
  const expected = instance({ r: resource(asked), '[method]r.m': func(asked) });
  const bound = new Map<ResourceType, ResourceType>([[asked, given]]);
  const sameResource = (a: ResourceType, b: ResourceType) => bound.get(b) === a;
  assert.equal(matchExtern(actual, expected, { sameResource }), null);
  bound.set(asked, { slot: 1 });
  assert.match(
    matchExtern(actual, expected, { sameResource })!,
    /type mismatch in instance export "r": resource types are not the same/,
  );
});

it('matchExtern() puts what is given in place of what a component binds', () => {
  const make = (): ExternType => {
    const [imported, defined] = [{ slot: 0 }, { slot: 1 }];
    return {
      kind: 'component',
      type: {
        imports: new Map([['a', resource(imported)]]),
        exports: new Map([
          ['b', resource(defined)],
          ['f', func(imported)],
          ['g', func(defined)],
        ]),
        importedResources: [imported],
        definedResources: [defined],
      },
    };
  };
  const swapped = (): ExternType => {
    const type = make();
    assert.ok(type.kind === 'component');
    const exports = new Map(type.type.exports);
    exports.set('f', type.type.exports.get('g')!);
    return { kind: 'component', type: { ...type.type, exports } };
  };
  assert.equal(matchExtern(make(), make()), null);
  const same = make();
  assert.equal(matchExtern(same, same), null);
  assert.match(
    matchExtern(make(), swapped())!,
    /type mismatch for export "f".*resource types are not the same/,
  );
  // The caller's notion of sameness is about resources from outside, never about those bound within.
  assert.notEqual(matchExtern(make(), swapped(), { sameResource: () => true }), null);
});

it('matchExtern() tells sync from async functions', () => {
  const of = (async: boolean): ExternType => ({ kind: 'func', type: { params: [], result: null, async } });
  assert.match(matchExtern(of(true), of(false))!, /expected a sync function, found an async one/);
});
