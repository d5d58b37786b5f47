import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { createRandom, type Random } from '../../../test/random-types.ts';
import {
  alias,
  bag,
  canon,
  component,
  coreItems,
  declare,
  exports,
  func,
  imports,
  instanceType,
  instantiate,
  is,
  lift,
  nested,
  own,
  record,
  resource,
  type,
} from '../../../test/support/component-ast.ts';
import { randomComponent, SEEDS } from '../../../test/support/random-component.ts';
import { replayPlan } from '../../../test/support/replay-plan.ts';
import { WitboxError } from '../../core/errors.ts';
import type { ComponentAst } from '../decode/ast.ts';
import { decodeComponent } from '../decode/component.ts';
import { validateComponent } from './component.ts';

const FIXTURES = new URL('../../../test/fixtures/wat/', import.meta.url);

function fixtures(): ComponentAst[] {
  const asts: ComponentAst[] = [];
  for (const file of readdirSync(FIXTURES)) {
    const bytes = new Uint8Array(readFileSync(new URL(file, FIXTURES)));
    // The fourth and following bytes of a component: version 13, layer 1.
    if (file.endsWith('.wasm') && bytes[4] === 0x0d) asts.push(decodeComponent(bytes));
  }
  assert.ok(asts.length > 5);
  return asts;
}

it('a plan has one step for each definition that exists at run time', () => {
  const plan = validateComponent(
    component(
      coreItems({ f: [[], ['i32']] }),
      type(func({}, 'u32')),
      lift(0, 0),
      exports('f', 'func', 0),
      type(record({ a: 'u8' })),
      exports('t', 'type', 1),
    ),
  );
  assert.deepEqual(
    plan.steps.map((step) => step.op),
    ['import', 'core instantiate', 'core alias', 'lift', 'export', 'export'],
  );
  assert.deepEqual([...plan.type.exports.keys()], ['f', 't']);
  assert.deepEqual(plan.steps.at(-1), {
    op: 'export',
    name: 't',
    item: { sort: 'type', slot: null },
    type: plan.type.exports.get('t'),
  });
});

it('imported, defined and instantiated resources each take a slot, bound where they come in', () => {
  const plan = validateComponent(
    component(
      imports('a', is.resource),
      type(
        instanceType(
          declare.export('r', is.resource),
          declare.type(instanceType(declare.export('s', is.resource))),
          declare.export('inner', is.instance(1)),
        ),
      ),
      imports('b', is.instance(1)),
      type(resource()),
      nested(type(resource()), exports('t', 'type', 0), imports('x', is.resource), exports('y', 'type', 2)),
      instantiate(0, { x: ['type', 0] }),
      alias('type', 0, 'r'),
      alias('type', 1, 't'),
      alias('type', 1, 'y'),
      exports('z', 'type', 5),
    ),
  );
  assert.equal(plan.resourceSlots, 5);
  const binds = plan.steps.flatMap((step) => ('bind' in step ? [step.bind] : []));
  assert.deepEqual(binds, [
    [{ slot: 0, path: [] }],
    [
      { slot: 1, path: ['r'] },
      { slot: 2, path: ['inner', 's'] },
    ],
    [{ slot: 4, path: ['t'] }],
  ]);
  // `y` of the instance is the resource that was given to it.
  const last = plan.steps.at(-1)!;
  assert.ok(last.op === 'export');
  assert.deepEqual(last.item, { sort: 'type', slot: 0 });
  replayPlan(plan);
});

it('handles are typed by the slots of the component that uses them', () => {
  const plan = validateComponent(
    component(
      imports('r', is.resource),
      type(own(0)),
      type(func({ x: 1 })),
      imports('f', is.func(2)),
      canon({ kind: 'resource.drop', type: 0, async: false }),
    ),
  );
  const [, imported, drop] = plan.steps;
  assert.ok(imported?.op === 'import' && imported.type.kind === 'func');
  const [param] = imported.type.type.params;
  assert.deepEqual(param, { name: 'x', type: { kind: 'own', resource: { slot: 0, name: 'r' } } });
  assert.deepEqual(drop, { op: 'resource.drop', slot: 0 });
});

it('a resource is known by the name of its first import or export, also within an instance', () => {
  const plan = validateComponent(
    component(type(resource()), bag({ counter: ['type', 0] }), exports('a:b/c', 'instance', 0)),
  );
  const exported = plan.type.exports.get('a:b/c');
  assert.ok(exported?.kind === 'instance');
  assert.deepEqual(exported.type.exports.get('counter'), {
    kind: 'type',
    type: { kind: 'resource', type: { slot: 0, name: 'counter' } },
  });
});

it('a type that is used twice is one object', () => {
  const plan = validateComponent(
    component(
      type(record({ a: 'u8' })),
      imports('t', is.type(0)),
      type(func({ x: 1, y: 1 })),
      imports('f', is.func(2)),
    ),
  );
  const f = plan.type.imports.get('f');
  assert.ok(f?.kind === 'func');
  assert.equal(f.type.params[0]?.type, f.type.params[1]?.type);
});

it('core modules are numbered through the whole file', () => {
  const empty = { kind: 'core module', bytes: Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0) } as const;
  const plan = validateComponent(component(empty, nested(empty, empty), empty));
  const ordinals = (steps: typeof plan.steps): number[] =>
    steps.flatMap((step) =>
      step.op === 'module' ? [step.module.ordinal] : step.op === 'component' ? ordinals(step.plan.steps) : [],
    );
  assert.deepEqual(ordinals(plan.steps), [0, 1, 2, 3]);
});

it('an error names the offset of the definition', () => {
  assert.throws(
    () => validateComponent(component(type(func()), type(func()), exports('f', 'func', 0))),
    (error) => error instanceof WitboxError && error.details.at === 2,
  );
});

it('the plans of all fixtures can be replayed', () => {
  for (const ast of fixtures()) replayPlan(validateComponent(ast));
});

const RANDOM = 50;

it(`${RANDOM} random components that pass resources to one another have plans that can be replayed`, () => {
  const random = createRandom(7);
  const validate = (ast: ComponentAst) => {
    try {
      return validateComponent(ast, { work: 100_000 });
    } catch (error) {
      if (error instanceof WitboxError) return null;
      throw error;
    }
  };
  const pool = [...SEEDS, ...SEEDS];
  let instances = 0;
  for (let made = 0; made < RANDOM; made++) {
    const ast = randomComponent({ random, validate, pool });
    const plan = validateComponent(ast);
    replayPlan(plan);
    instances += plan.steps.filter((step) => step.op === 'instantiate').length;
    // Half of what is nested stays simple, or components would soon be too large to try many.
    if (ast.definitions.length < 25) pool[SEEDS.length + random.below(SEEDS.length)] = ast;
  }
  assert.ok(instances > RANDOM / 2, `${instances} instances`);
});

const MUTANTS = 2_000;

it(`${MUTANTS} components with wrong indices, names and order are refused, or have plans that can be replayed`, () => {
  const seeds = fixtures();
  let accepted = 0;
  for (let seed = 1; seed <= MUTANTS; seed++) {
    const random = createRandom(seed);
    const mutant = mutate(random, random.pick(seeds), 10 + random.below(150));
    try {
      const plan = validateComponent(mutant as ComponentAst);
      replayPlan(plan);
      accepted++;
    } catch (error) {
      if (!(error instanceof WitboxError)) throw new Error(`Seed ${seed} throws`, { cause: error });
    }
  }
  // Mutants that are all refused, or none, would test nothing.
  assert.ok(accepted > MUTANTS / 20 && accepted < MUTANTS * 0.95, `${accepted} accepted`);
});

const NAMES = ['a', 'A', '', 'r', 'add', '[method]r.m', 'a:b/c@1.0.0', '__proto__', 'constructor'];
const NAMED = new Set(['name', 'names', 'module', 'implements']);

/** A copy in which about one of `rate` numbers, names and flags is wrong, and now and then the order of a list. */
function mutate(random: Random, value: unknown, rate: number, key = ''): unknown {
  if (value === null || value instanceof Uint8Array || typeof value === 'bigint') return value;
  if (Array.isArray(value)) {
    const copy = value.map((item) => mutate(random, item, rate, key));
    if (copy.length > 0 && random.chance(1 / (rate * 4))) copy.splice(random.below(copy.length), 1);
    if (copy.length > 0 && random.chance(1 / (rate * 4)))
      copy.splice(random.below(copy.length), 0, random.pick(copy));
    return copy;
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(([name, item]) => {
      return [name, name === 'kind' || name === 'at' ? item : mutate(random, item, rate, name)];
    });
    return Object.fromEntries(entries);
  }
  if (!random.chance(1 / rate)) return value;
  if (typeof value === 'number') return random.chance(0.9) ? random.below(8) : 2 ** 32 - 1;
  if (typeof value === 'boolean') return !value;
  return NAMED.has(key) && !String(value).includes('.') ? random.pick(NAMES) : value;
}
