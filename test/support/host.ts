// A real host for tests: a policy as a person writes it, a fresh directory, and an `ask` that gives the failure's code
// instead of throwing, so that a test reads as question and answer.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { HostFailure, type WireValue } from '../../src/core/port.ts';
import { grantsOf } from '../../src/host/grants.ts';
import { createHost, type Host, type HostOptions } from '../../src/host/host.ts';
import { parsePolicy } from '../../src/policy/parse.ts';

export function temporaryDirectory(t: TestContext): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'witbox-host-')));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export interface TestHost extends Host {
  ask(op: string, ...args: WireValue[]): Promise<WireValue>;
}

/** `permissions` is the body of a policy document below `permissions:`, as YAML flow or block text. */
export function hostWith(
  t: TestContext,
  permissions: string,
  options: Partial<Omit<HostOptions, 'grants'>> = {},
): TestHost {
  const policy = parsePolicy(`version: "1.0"\npermissions: ${permissions}\n`);
  const host = createHost({ componentId: 'test', ...options, grants: grantsOf(policy) });
  t.after(() => host.close());
  return {
    ...host,
    async ask(op, ...args) {
      try {
        return await host.handle(op, args);
      } catch (error) {
        if (error instanceof HostFailure) return `!${error.code}`;
        throw error;
      }
    },
  };
}

/** A policy with one directory granted. */
export const directoryGrant = (path: string, access = 'read, write'): string =>
  `{storage: {allow: [{uri: "fs://${path}/**", access: [${access}]}]}}`;

/** The handle of the first granted directory. */
export async function firstDirectory(host: TestHost): Promise<number> {
  const [, , , preopens] = (await host.handle('begin', [])) as [unknown, unknown, unknown, [[number]]];
  return preopens[0][0];
}
