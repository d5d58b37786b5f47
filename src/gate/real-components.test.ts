// The gate around the catalogue of real components in real cells: names, owners, management and turns as they are.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callContext } from '../../test/support/call-context.ts';
import type { AuditEntry } from '../audit/entry.ts';
import type { Catalog, ToolComplete } from '../catalog/catalog.ts';
import { type Components, createComponents } from '../catalog/components.ts';
import { createLocalCatalog } from '../catalog/local-catalog.ts';
import { type Cells, createCells } from '../cell/cells.ts';
import type { Caller } from '../core/caller.ts';
import type { JsonObject } from '../core/json.ts';
import { createLogger } from '../core/log.ts';
import { fetchComponent } from '../store/source/source.ts';
import { createStore } from '../store/store.ts';
import { NO_METER, NO_TRACER } from '../telemetry/ports.ts';
import { createAccess } from './access/access.ts';
import { gateCatalog } from './gated-catalog.ts';
import { createCallLimits } from './limits/call-limits.ts';
import type { Reach } from './options.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'test', 'fixtures');
const NOTHING: Reach = { tools: [], components: [], resources: [], prompts: [], management: [] };

const key = (name: string): Caller => ({
  id: `key:${name}`,
  kind: 'key',
  name,
  scopes: [],
  groups: [],
  address: null,
  expiresAt: null,
});
const [user, admin, noisy] = [key('user'), key('admin'), key('noisy')];

describe('the gate around real components', () => {
  let folder: string;
  let cells: Cells;
  let components: Components;
  let gated: Catalog;
  const lines: AuditEntry[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'witbox-gate-'));
    cells = await createCells({ warm: 0, cellsPerComponent: 1 });
    const store = createStore(join(folder, 'data'));
    const log = createLogger({ levels: 'silent', write() {} });
    components = createComponents({ cells, store, log, env: {}, now: () => new Date() });
    for (const [id, ...file] of [
      ['adder', 'wat', 'adder.wasm'],
      ['second', 'wat', 'adder.wasm'],
      ['sleep', 'cell', 'sleep.wasm'],
    ]) {
      const fetched = await fetchComponent(join(FIXTURES, ...file), { directory: folder });
      await store.load({ ...fetched, uri: `file:///${id}.wasm` }, { id: id! });
    }
    await components.reconcile();
    const deps = { store, components, directory: folder, ready: Promise.resolve() };
    const access = createAccess(
      {
        rules: [
          {
            who: ['key:user', 'key:noisy'],
            allow: { ...NOTHING, components: ['*'] },
            deny: { ...NOTHING, components: ['second'], tools: ['loop'] },
            arguments: [{ tool: 'add', schema: { properties: { a: { maximum: 100 } } } }],
          },
          {
            who: ['key:admin'],
            allow: { ...NOTHING, components: ['*'], management: ['*'] },
            deny: { ...NOTHING, tools: ['add'] },
            arguments: [],
          },
        ],
      },
      'authenticated',
    );
    const limits = createCallLimits({
      caller: { requests: null, concurrent: null, sessions: null, bytesPerDay: null },
      address: { requests: null, failures: null, connections: null },
      tools: [],
      concurrent: 4,
      queue: 1_000,
    });
    const audit = {
      check() {},
      record(entry: AuditEntry) {
        lines.push(entry);
        return { durable: Promise.resolve() };
      },
    };
    gated = gateCatalog(createLocalCatalog(deps, { manage: true, grant: true }), {
      access,
      limits,
      audit,
      meter: NO_METER,
      tracer: NO_TRACER,
    });
  });
  after(async () => {
    components.close();
    await cells.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (caller: Caller, name: string, args: JsonObject, signal?: AbortSignal) =>
    gated.callTool({ name, arguments: args }, callContext(caller, signal)) as Promise<ToolComplete>;

  test('each sees and calls their own', async () => {
    const names = (caller: Caller) => gated.tools(caller).items.map(({ name }) => name);
    assert.deepEqual(names(user), ['add', 'sleep']);
    assert.ok(names(admin).includes('load-component'));
    assert.ok(!names(admin).some((name) => name.endsWith('add')), 'denied under every name it has');
    assert.equal((await call(user, 'add', { a: 1, b: 2 })).structured, 3);
    assert.equal((await call(user, 'adder.add', { a: 1, b: 2 })).structured, 3);
    for (const [caller, name] of [
      [user, 'second.add'],
      [user, 'loop'],
      [user, 'sleep.loop'],
      [user, 'load-component'],
      [admin, 'add'],
      [admin, 'adder.add'],
      [admin, 'second.add'],
    ] as const) {
      assert.equal(gated.tool(caller, name), undefined, name);
      await assert.rejects(call(caller, name, { a: 1, b: 2 }), { code: 'unknown-tool' }, name);
    }
  });

  test('rules for arguments hold under every name of a tool', async () => {
    for (const name of ['add', 'adder.add']) {
      const refused = await call(user, name, { a: 101, b: 2 });
      assert.equal(refused.isError, true);
      assert.match(JSON.stringify(refused.content), /\/a must be at most 100/);
    }
  });

  test('what a component is, may do and did is for those who manage', async () => {
    const read = (caller: Caller, uri: string) => gated.readResource({ uri }, callContext(caller));
    assert.deepEqual(gated.resources(user).items, []);
    assert.deepEqual(gated.resourceTemplates(user).items, []);
    assert.deepEqual(gated.prompts(user).items, []);
    assert.ok(gated.resources(admin).items.length > 0 && gated.prompts(admin).items.length > 0);
    for (const uri of ['component://adder/log', 'COMPONENT://adder/policy', 'component://nobody/log'])
      await assert.rejects(read(user, uri), { code: 'resource-not-found' }, uri);
    assert.equal((await read(admin, 'component://adder/log')).kind, 'complete');
    const complete = (caller: Caller) =>
      gated.complete(
        { type: 'ref/prompt', name: 'write-policy' },
        { name: 'component_id', value: '' },
        {},
        callContext(caller),
      );
    assert.deepEqual((await complete(user)).values, []);
    assert.ok((await complete(admin)).values.includes('adder'));
    assert.equal(gated.sees?.(user, { kind: 'resource', uri: 'component://adder/log' }), false);
    assert.equal(gated.sees?.(admin, { kind: 'resource', uri: 'component://adder/log' }), true);
  });

  test('arguments of the wrong type are told by their place and never reach a cell', async () => {
    const before = components.get('adder')!.log.recent().length;
    const misfit = await call(user, 'add', { a: 1, b: 'two' });
    assert.equal(misfit.isError, true);
    assert.match(JSON.stringify(misfit.content), /\$\.b/);
    const [entry] = components.get('adder')!.log.recent().slice(before);
    assert.deepEqual([entry?.outcome, entry?.milliseconds], ['misfit', 0]);
  });

  test('a caller with hundreds of slow calls delays those of another by about one call each', async () => {
    const flood = new AbortController();
    const sleep = { nanoseconds: 20_000_000 };
    let ended = 0;
    const pending = Array.from({ length: 300 }, () =>
      call(noisy, 'sleep', sleep, flood.signal).then(
        () => ended++,
        () => {},
      ),
    );
    const between: number[] = [];
    for (let at = 0; at < 5; at++) {
      const start = ended;
      assert.equal((await call(user, 'sleep', sleep)).isError, undefined);
      between.push(ended - start);
    }
    // Four run at once, two of them in the cell.
    assert.ok(
      between.every((count) => count <= 10),
      `calls of the other in between: ${between}`,
    );
    flood.abort();
    await Promise.all(pending);
    const calls = lines.filter(({ caller, action }) => caller === noisy.id && action === 'tools/call');
    assert.equal(calls.length, 300, 'each has its line, those that were cancelled too');
  });
});
