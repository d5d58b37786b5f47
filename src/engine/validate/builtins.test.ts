import {
  borrow,
  builtin,
  canon,
  component,
  coreFunc,
  coreItems,
  imports,
  is,
  memory,
  options,
  type,
} from '../../../test/support/component-ast.ts';
import { testRules } from '../../../test/support/rules.ts';

const i32 = 'i32' as const;
/** Core function 0 is a realloc, memory 0 a plain memory. */
const around = () => coreItems({ realloc: [[i32, i32, i32, i32], [i32]], mem: memory() });
const all = { memory: 0, realloc: 0 };
const table = (heap: string) =>
  ({
    kind: 'table',
    element: { nullable: true, shared: false, heap },
    limits: { min: 1n, max: null, is64: false, shared: false },
  }) as const;

testRules([
  {
    rule: 'built-ins on streams and futures name a type of that kind, and memory for elements',
    kept: [
      component(
        around(),
        type({ kind: 'stream', element: 'u8' }),
        type({ kind: 'future', element: null }),
        builtin('stream.new', { type: 0 }),
        builtin('stream.read', { type: 0, options: options({ memory: 0, async: true }) }),
        builtin('future.write', { type: 1, options: options({ async: true }) }),
        builtin('future.drop-readable', { type: 1 }),
      ),
    ],
    broken: [
      [
        component(type({ kind: 'future', element: 'u8' }), builtin('stream.new', { type: 0 })),
        /requires a stream type/,
      ],
      [
        component(
          type({ kind: 'stream', element: 'u8' }),
          builtin('stream.write', { type: 0, options: options() }),
        ),
        /`memory` is required/,
      ],
      [
        component(
          around(),
          type({ kind: 'stream', element: 'string' }),
          builtin('stream.read', { type: 0, options: options({ memory: 0 }) }),
        ),
        /`realloc` is required/,
      ],
      [component(builtin('future.new', { type: 3 })), /unknown type 3/],
    ],
  },
  {
    rule: 'built-ins of tasks, contexts, waitables and error contexts keep their own rules',
    kept: [
      component(
        around(),
        builtin('task.return', { result: 'string', options: options({ memory: 0 }) }),
        builtin('context.get', { immediates: ['i32', 0] }),
        builtin('context.set', { immediates: ['i32', 1] }),
        builtin('waitable-set.wait', { immediates: [false, 0] }),
        builtin('waitable-set.new'),
        builtin('error-context.new', { options: options({ memory: 0 }) }),
        builtin('error-context.debug-message', { options: options({ memory: 0, realloc: 0 }) }),
        builtin('thread.yield', { immediates: [false] }),
      ),
    ],
    broken: [
      [component(around(), builtin('task.return', { options: options(all) })), /cannot specify `realloc`/],
      [
        component(around(), builtin('task.return', { result: 'string', options: options() })),
        /`memory` is required/,
      ],
      [component(builtin('task.return', { options: options({ async: true }) })), /cannot specify `async`/],
      [
        component(
          imports('r', is.resource),
          type(borrow(0)),
          builtin('task.return', { result: 1, options: options() }),
        ),
        /cannot contain a `borrow` type/,
      ],
      [component(builtin('context.get', { immediates: ['f32', 0] })), /only supports `i32` or `i64`/],
      [component(builtin('context.get', { immediates: ['i32', 2] })), /must be zero or one/],
      [
        component(
          builtin('context.get', { immediates: ['i32', 0] }),
          builtin('context.set', { immediates: ['i64', 0] }),
        ),
        /must match previous context type/,
      ],
      [component(builtin('waitable-set.poll', { immediates: [false, 0] })), /unknown memory 0/],
      [component(builtin('error-context.new', { options: options() })), /`memory` is required/],
      [
        component(builtin('thread.available-parallelism', { immediates: [true] })),
        /shared-everything-threads/,
      ],
    ],
  },
  {
    rule: 'a thread starts at a function of one number, from a table of functions',
    kept: [
      component(
        coreItems({ t: table('func') }),
        { kind: 'core type', type: coreFunc([i32]) },
        builtin('thread.new-indirect', { immediates: [1, 0] }),
      ),
    ],
    broken: [
      [
        component(
          coreItems({ t: table('extern') }),
          { kind: 'core type', type: coreFunc([i32]) },
          builtin('thread.new-indirect', { immediates: [1, 0] }),
        ),
        /not a table of/,
      ],
      [
        component(coreItems({ t: table('func') }), builtin('thread.new-indirect', { immediates: [0, 0] })),
        /start type must be a function/,
      ],
      [
        component(
          { kind: 'core type', type: coreFunc([]) },
          builtin('thread.new-indirect', { immediates: [0, 0] }),
        ),
        /single `i32` argument/,
      ],
      [
        component(
          { kind: 'core type', type: coreFunc([i32], [i32]) },
          builtin('thread.new-indirect', { immediates: [0, 0] }),
        ),
        /must not return/,
      ],
      [
        component(
          { kind: 'core type', type: coreFunc([i32]) },
          builtin('thread.new-indirect', { immediates: [0, 0] }),
        ),
        /unknown table 0/,
      ],
      [
        component(
          canon({
            kind: 'builtin',
            name: 'thread.new-indirect',
            type: null,
            result: null,
            options: null,
            immediates: [5, 0],
          }),
        ),
        /unknown core type 5/,
      ],
    ],
  },
]);
