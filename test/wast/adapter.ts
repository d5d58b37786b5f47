// The engine behind the interface of a runner for component-model scripts (.wast files turned into JSON commands).
// Run by `npm run test:wast -- FOLDER`, see run.ts.

import {
  compile as compileComponent,
  type HostResource,
  hostResource,
  type Import,
  type Imports,
  suspending,
} from '../../src/engine/engine.ts';
import type { Value } from '../../src/wit/value.ts';

export const name = 'witbox';

/** A value as a script writes it: `t` is its type. */
interface Literal {
  readonly t: string;
  readonly v?: unknown;
  readonly case?: string;
  readonly ok?: boolean;
}

export async function compile(bytes: Uint8Array) {
  const compiled = await compileComponent(bytes);
  return {
    async instantiate(given: Record<string, unknown>) {
      if (compiled.kind !== 'component') throw new Error('not a component');
      const instance = await compiled.instantiate(convert(given) as Imports);
      return {
        exports: instance.exports,
        call(path: readonly string[], args: readonly Value[], literals: { args: readonly Literal[] }) {
          return instance.call(
            path,
            args.map((arg, i) => fitted(arg, literals.args[i]!)),
          );
        },
      };
    },
  };
}

/** The runner writes flags as `{ name: true }`. */
function fitted(value: Value, literal: Literal): Value {
  if (literal.t === 'flags') return literal.v as string[];
  if (literal.t !== 'list' && literal.t !== 'tuple') return value;
  return (value as Value[]).map((item, i) => fitted(item, (literal.v as Literal[])[i]!));
}

/** The runner's host: classes are resources, async functions suspend. */
function convert(item: unknown): Import {
  if (typeof item === 'function') {
    if (String(item).startsWith('class')) return resourceOf(item);
    return item.constructor.name === 'AsyncFunction' ? suspending(item as never) : (item as never);
  }
  if (typeof item !== 'object' || item === null || Object.getPrototypeOf(item) !== Object.prototype) {
    return item as Import;
  }
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [key, convert(value)]));
}

const resources = new WeakMap<object, HostResource>();

function resourceOf(type: { readonly name: string } & object): HostResource {
  const drop = (rep: object): void => (rep as { [Symbol.dispose]?(): void })[Symbol.dispose]?.();
  const known = resources.get(type) ?? hostResource({ name: type.name, drop });
  resources.set(type, known);
  return known;
}
