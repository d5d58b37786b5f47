// Loading fixtures into the engine, and saying what errors a test expects.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ErrorCode, WitboxError } from '../src/core/errors.ts';
import {
  type CompiledComponent,
  compile,
  type Imports,
  type Instance,
  Trap,
  type TrapKind,
} from '../src/engine/engine.ts';

export const bytesOf = (name: string): Uint8Array =>
  readFileSync(new URL(`fixtures/wat/${name}.wasm`, import.meta.url));

export async function component(name: string): Promise<CompiledComponent> {
  const compiled = await compile(bytesOf(name));
  assert.ok(compiled.kind === 'component');
  return compiled;
}

export async function start(name: string, imports: Imports = {}): Promise<Instance> {
  return (await component(name)).instantiate(imports);
}

const isError =
  (code: ErrorCode, pattern: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof WitboxError, `expected a WitboxError, got ${error}`);
    assert.equal(error.code, code, error.message);
    assert.match(error.message, pattern);
    return true;
  };

export function throwsCode(run: () => unknown, code: ErrorCode, pattern = /./): void {
  assert.throws(run, isError(code, pattern));
}

export function rejectsCode(run: Promise<unknown>, code: ErrorCode, pattern = /./): Promise<void> {
  return assert.rejects(run, isError(code, pattern));
}

export const isTrap =
  (kind: TrapKind, pattern = /./) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof Trap, `expected a trap, got ${error}`);
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, pattern);
    return true;
  };

/** A promise that takes a turn of the event loop. */
export const later = <T>(value: T): Promise<T> => new Promise((done) => setImmediate(() => done(value)));
