// A rule of validation is shown by a component that keeps it and components that break it, with the words of refusal.
// What is kept is also replayed, so that every accepted component of every table has a plan that can be run.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WitboxError } from '../../src/core/errors.ts';
import type { ComponentAst } from '../../src/engine/decode/ast.ts';
import { validateComponent } from '../../src/engine/validate/component.ts';
import { replayPlan } from './replay-plan.ts';

export interface Rule {
  readonly rule: string;
  readonly kept: readonly ComponentAst[];
  readonly broken: readonly (readonly [component: ComponentAst, reason: RegExp])[];
}

export function testRules(rules: readonly Rule[]): void {
  for (const { rule, kept, broken } of rules) {
    it(rule, () => {
      for (const ast of kept) replayPlan(validateComponent(ast));
      for (const [ast, reason] of broken) assertRefused(ast, reason);
    });
  }
}

export function assertRefused(ast: ComponentAst, reason: RegExp): void {
  assert.throws(
    () => validateComponent(ast),
    (error) => {
      assert.ok(error instanceof WitboxError, `refused with an error of ours, not ${error}`);
      assert.equal(error.code, 'component-invalid');
      assert.match(String(error.details.reason), reason);
      assert.equal(typeof error.details.at, 'number');
      return true;
    },
  );
}
