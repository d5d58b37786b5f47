import {
  component,
  coreBag,
  coreFunc,
  coreInstance,
  coreItems,
  func,
  imports,
  is,
  lift,
  list,
  lower,
  memory,
  moduleImport,
  type Part,
  type,
} from '../../../test/support/component-ast.ts';
import { testRules } from '../../../test/support/rules.ts';
import type { CanonOptionsAst } from '../decode/ast.ts';

const i32 = 'i32' as const;
const i64 = 'i64' as const;
/** Core functions: 0 realloc, 1 realloc of a 64-bit memory, 2 the one to lift; memories: 0 plain, 1 64-bit, 2 shared. */
const around = (params: ('i32' | 'i64' | 'f32' | 'f64')[], results: ('i32' | 'i64' | 'f64')[] = []): Part[] =>
  coreItems({
    realloc: [[i32, i32, i32, i32], [i32]],
    realloc64: [[i64, i64, i64, i64], [i64]],
    f: [params, results],
    mem: memory(),
    mem64: memory({ is64: true }),
    shared: memory({ shared: true, max: 2n }),
    post: [[i32]],
    callback: [[i32, i32, i32], [i32]],
  });
const all: Partial<CanonOptionsAst> = { memory: 0, realloc: 0 };
const params = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, 'u32' as const]));
const importing = (of: ReturnType<typeof func>): Part[] => [type(of), imports('g', is.func(0))];

/** Lowers an imported function and gives the result to a module that imports it with this signature. */
const lowered = (
  of: ReturnType<typeof func>,
  signature: [('i32' | 'i64' | 'f32' | 'f64')[], ('i32' | 'i64')[]?],
  some: Partial<CanonOptionsAst> = {},
) =>
  component(
    around([]),
    importing(of),
    lower(0, some),
    moduleImport(1, { g: signature }, {}),
    coreBag([['g', 'func', 5]]),
    coreInstance(1, { m: 1 }),
  );

testRules([
  {
    rule: 'a lifted core function has the flattened signature',
    kept: [
      component(
        around(['i32', 'i64', 'f32', 'f64'], ['f64']),
        type(func({ a: 'u8', b: 's64', c: 'f32', d: 'f64' }, 'f64')),
        lift(2, 0),
      ),
      component(around([i32, i32], [i32]), type(func({ a: 'string' }, 'string')), lift(2, 0, all)),
      component(
        around([i64, i64], [i64]),
        type(func({ a: 'string' }, 'string')),
        lift(2, 0, { memory: 1, realloc: 1 }),
      ),
      component(around(Array(16).fill(i32)), type(func(params(16))), lift(2, 0)),
      component(around([i32]), type(func(params(17))), lift(2, 0, all)),
    ],
    broken: [
      [
        component(around([i32]), type(func({ a: 's64' })), lift(2, 0)),
        /\[i64\] -> \[\] do not match \[i32\] -> \[\]/,
      ],
      [component(around([], [i32]), type(func()), lift(2, 0)), /do not match/],
      [component(around(Array(17).fill(i32)), type(func(params(17))), lift(2, 0, all)), /do not match/],
      [
        component(
          around([i32, i32], [i32]),
          type(func({ a: 'string' })),
          lift(2, 0, { memory: 1, realloc: 1 }),
        ),
        /do not match/,
      ],
      [component(type(func()), lift(0, 0)), /unknown core function 0/],
      [component(around([]), lift(2, 0)), /unknown type 0/],
    ],
  },
  {
    rule: 'variants flatten to a discriminant and joined payloads',
    kept: [
      component(
        around([i32, i64]),
        type({
          kind: 'variant',
          cases: [
            { name: 'a', type: 'f32' },
            { name: 'b', type: 'u64' },
            { name: 'c', type: null },
          ],
        }),
        type(func({ v: 0 })),
        lift(2, 1),
      ),
      component(
        around([i32, i32]),
        type({ kind: 'result', ok: 'f32', err: 'u32' }),
        type(func({ v: 0 })),
        lift(2, 1),
      ),
      component(
        around([i32, 'f32']),
        type({ kind: 'option', some: 'f32' }),
        type(func({ v: 0 })),
        lift(2, 1),
      ),
    ],
    broken: [
      [
        component(
          around([i32, 'f32']),
          type({ kind: 'result', ok: 'f32', err: 'u32' }),
          type(func({ v: 0 })),
          lift(2, 1),
        ),
        /do not match/,
      ],
    ],
  },
  {
    rule: 'a lowered function has the flattened signature, with a pointer for results',
    kept: [
      lowered(func({ a: 'u8' }, 'u64'), [[i32], [i64]]),
      lowered(func({}, 'string'), [[i32]], all),
      lowered(func({}, 'string'), [[i64]], { memory: 1, realloc: 1 }),
      lowered(func(params(17), 'string'), [[i32, i32]], all),
      lowered(func(params(5), 'u8', true), [[i32, i32], [i32]], { ...all, async: true }),
    ],
    broken: [
      [
        lowered(func({ a: 'u8' }, 'u64'), [[i32], [i32]]),
        /expected \[i32\] -> \[i32\], found \[i32\] -> \[i64\]/,
      ],
      [component(lower(0)), /unknown function 0/],
    ],
  },
  {
    rule: 'strings, lists and long signatures need memory, and what allocates needs realloc',
    kept: [
      component(
        around([]),
        type(list('u8')),
        type(func({ a: 0 })),
        imports('g', is.func(1)),
        lower(0, { memory: 0 }),
      ),
    ],
    broken: [
      [component(around([]), importing(func({ a: 'string' })), lower(0)), /`memory` is required/],
      [
        component(around([]), importing(func({}, 'string')), lower(0, { memory: 0 })),
        /`realloc` is required/,
      ],
      [component(around([]), importing(func(params(17))), lower(0)), /`memory` is required/],
      [
        component(around([i32, i32]), type(func({ a: 'string' })), lift(2, 0, { memory: 0 })),
        /`realloc` is required/,
      ],
      [component(around([], [i32]), type(func({}, 'string')), lift(2, 0)), /`memory` is required/],
      [component(around([i32]), type(func(params(17))), lift(2, 0, { memory: 0 })), /`realloc` is required/],
    ],
  },
  {
    rule: '`memory` is an unshared memory, `realloc` fits its addresses',
    kept: [component(around([]), importing(func()), lower(0, all), lower(0, { memory: 1, realloc: 1 }))],
    broken: [
      [component(around([]), importing(func()), lower(0, { memory: 9 })), /unknown memory 9/],
      [component(around([]), importing(func()), lower(0, { memory: 2 })), /shared/],
      [component(around([]), importing(func()), lower(0, { realloc: 0 })), /`realloc` requires `memory`/],
      [
        component(around([]), importing(func()), lower(0, { memory: 0, realloc: 1 })),
        /`realloc` uses a core function/,
      ],
      [
        component(around([]), importing(func()), lower(0, { memory: 0, realloc: 99 })),
        /unknown core function 99/,
      ],
    ],
  },
  {
    rule: '`post-return` takes what the function returns; lowerings have none',
    kept: [component(around([], [i32]), type(func({}, 'u32')), lift(2, 0, { postReturn: 3 }))],
    broken: [
      [
        component(around([], []), type(func()), lift(2, 0, { postReturn: 3 })),
        /`post-return` uses a core function/,
      ],
      [
        component(around([], [i32]), type(func({}, 'u32')), lift(2, 0, { postReturn: 0 })),
        /`post-return` uses/,
      ],
      [
        component(around([]), importing(func()), lower(0, { postReturn: 3 })),
        /cannot be specified for lowerings/,
      ],
    ],
  },
  {
    rule: '`async` and `callback` go together, with async function types',
    kept: [
      component(around([], [i32]), type(func({}, 'u32', true)), lift(2, 0, { async: true, callback: 4 })),
      component(around([], []), type(func({}, 'u32', true)), lift(2, 0, { async: true })),
    ],
    broken: [
      [component(around([], [i32]), type(func()), lift(2, 0, { callback: 4 })), /callback without async/],
      [
        component(around([], [i32]), type(func()), lift(2, 0, { async: true, callback: 4 })),
        /requires an async function type/,
      ],
      [
        component(around([], [i32]), type(func({}, null, true)), lift(2, 0, { async: true, callback: 3 })),
        /`callback` uses/,
      ],
      [
        component(around([], [i32]), type(func({}, null, true)), lift(2, 0, { async: true, postReturn: 3 })),
        /post-return function in async/,
      ],
      [
        component(around([]), importing(func({}, null, true)), lower(0, { async: true, callback: 4 })),
        /cannot be specified for lowerings/,
      ],
    ],
  },
  {
    rule: 'GC options are accepted only where no value is passed',
    kept: [
      component(around([]), type(func()), lift(2, 0, { gc: true })),
      component(
        around([]),
        { kind: 'core type', type: coreFunc([]) },
        importing(func()),
        lower(0, { gc: true, coreType: 1 }),
      ),
    ],
    broken: [
      [
        component(around([i32]), type(func({ a: 'u8' })), lift(2, 0, { gc: true })),
        /`gc` and `core-type` are not accepted/,
      ],
      [
        component(around([]), type(func()), lift(2, 0, { gc: true, coreType: 0 })),
        /not allowed in `canon lift`/,
      ],
      [
        component(around([]), importing(func()), lower(0, { gc: true })),
        /without also specifying a `core-type`/,
      ],
      [
        component(around([]), importing(func()), lower(0, { gc: true, coreType: 0 })),
        /is not a function type/,
      ],
      [
        component(
          around([]),
          { kind: 'core type', type: coreFunc([i32]) },
          importing(func()),
          lower(0, { gc: true, coreType: 1 }),
        ),
        /declared core type/,
      ],
    ],
  },
]);
