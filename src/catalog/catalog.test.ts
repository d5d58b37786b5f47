import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { callContext } from '../../test/support/call-context.ts';
import { type Cells, createCells } from '../cell/cells.ts';
import { ANYBODY } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { createLogger } from '../core/log.ts';
import { fetchComponent } from '../store/source/source.ts';
import { createStore, type Store } from '../store/store.ts';
import type { CallContext, Catalog, CatalogChange, ComponentRun, ToolComplete } from './catalog.ts';
import { type Components, createComponents } from './components.ts';
import { createLocalCatalog } from './local-catalog.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'test', 'fixtures');
const CALLER = ANYBODY;

const context = (signal?: AbortSignal): CallContext => callContext(CALLER, signal, 's1');

describe('the catalogue of loaded components', () => {
  let folder: string;
  let cells: Cells;
  let store: Store;
  let components: Components;
  let catalog: Catalog;
  const changes: CatalogChange[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'witbox-catalog-'));
    cells = await createCells({ warm: 0 });
    store = await createStore(join(folder, 'data'));
    const log = createLogger({ levels: 'silent', write() {} });
    components = createComponents({
      cells,
      store,
      log,
      env: { SECRET: 'x', SHOWN: 'yes' },
      now: () => new Date(),
    });
    const deps = { store, components, directory: folder, ready: components.reconcile() };
    catalog = createLocalCatalog(deps, { manage: true, grant: true });
    catalog.watch((change) => changes.push(change));
  });
  after(async () => {
    components.close();
    await cells.close();
    await rm(folder, { recursive: true, force: true });
  });

  const call = async (name: string, args: JsonObject): Promise<ToolComplete> => {
    const outcome = await catalog.callTool({ name, arguments: args }, context());
    assert.equal(outcome.kind, 'complete');
    return outcome as ToolComplete;
  };
  const text = (outcome: ToolComplete): string => {
    const [block] = outcome.content;
    assert.equal(block?.type, 'text');
    return block.type === 'text' ? block.text : '';
  };
  const fixture = (...names: string[]): string => join(FIXTURES, ...names);

  test('what a component keeps for a session is gone when the session is over', async () => {
    const fetched = await fetchComponent(fixture('cell', 'ask.wasm'), { directory: folder });
    const { spec } = await components.add(fetched, { instance: 'session' });
    const count = async () => text(await call(`${spec.id}.count`, {}));
    assert.deepEqual([await count(), await count()], ['1', '2']);
    catalog.endSession?.('another');
    assert.equal(await count(), '3');
    catalog.endSession?.('s1');
    assert.equal(await count(), '1');
    components.remove(spec.id);
  });

  test('load-component stores a component, whose functions are tools from then on', async () => {
    const loaded = await call('load-component', { path: fixture('wat', 'adder.wasm') });
    assert.equal(loaded.isError, undefined, text(loaded));
    assert.ok(changes.some(({ kind }) => kind === 'tools'));
    assert.deepEqual(
      store.list().map(({ id }) => id),
      ['adder'],
    );
    const names = catalog.tools(CALLER).items.map(({ name }) => name);
    assert.ok(names.includes('add'), names.join());
    assert.equal(text(await call('add', { a: 5, b: 3 })), '8');
  });

  test('a second tool of the same name is shown as component.function, and both qualified names work', async () => {
    await components.add(await fetchComponent(fixture('cell', 'add.wasm'), { directory: folder }));
    const names = catalog
      .tools(CALLER)
      .items.map(({ name }) => name)
      .filter((name) => name.endsWith('add'));
    assert.equal(names.length, 2, names.join());
    assert.ok(names.includes('add') && names.some((name) => name.includes('.')), names.join());
    for (const name of ['adder.add', ...names]) assert.notEqual(catalog.tool(CALLER, name), undefined, name);
  });

  test('a result of a core module says which module and function it comes from', async () => {
    await components.add(await fetchComponent(fixture('wat', 'calc.wasm'), { directory: folder }));
    const tool = components.get('calc')!.tools()[0]!;
    const args = Object.fromEntries(
      Object.keys(tool.tool.inputSchema.properties as object).map((name, index) => [name, index + 2]),
    );
    const outcome = await call(`calc.${tool.wanted}`, args);
    assert.match(text(outcome), /^WASM calculation result: .+ \(from calc::.+\)$/);
    assert.equal(typeof outcome.structured, 'number');
  });

  test('arguments that do not fit are told with their path, and an unknown tool is an error', async () => {
    const misfit = await call('adder.add', { a: 'five', b: 3 });
    assert.equal(misfit.isError, true);
    assert.match(text(misfit), /\ba\b.*"five"/);
    await assert.rejects(
      call('no-such-tool', {}),
      (error) => error instanceof WitboxError && error.code === 'unknown-tool',
    );
    const builtin = await call('load-component', { path: 5 });
    assert.match(text(builtin), /\/path must be string/);
  });

  test('what is not a component is refused, and the state stays as it was', async () => {
    const html = join(folder, 'page.wasm');
    await writeFile(html, '<!doctype html>');
    const before = store.list();
    for (const path of [html, join(folder, 'nowhere.wasm'), fixture('wat', 'wasi03.wasm')]) {
      const outcome = await call('load-component', { path });
      assert.equal(outcome.isError, true, path);
      assert.doesNotMatch(text(outcome), /\n\s+at /);
    }
    assert.deepEqual(store.list(), before);
  });

  test('a grant by tool changes the policy, its resource, and what the next call may do', async () => {
    await call('load-component', { path: fixture('wasi', 'process.component.wasm'), id: 'process' });
    changes.length = 0;
    const granted = await call('grant-environment-variable-permission', {
      component_id: 'process',
      details: { key: 'SHOWN' },
    });
    assert.equal(granted.isError, undefined, text(granted));
    assert.match(
      await readFile(join(store.directory, 'components', 'process', 'policy.yaml'), 'utf8'),
      /SHOWN/,
    );
    assert.ok(
      changes.some((change) => change.kind === 'resource' && change.uri === 'component://process/policy'),
    );
    await call('revoke-environment-variable-permission', {
      component_id: 'process',
      details: { key: 'SHOWN' },
    });
    await call('reset-permission', { component_id: 'process' });
    assert.doesNotMatch(store.policyText('process'), /SHOWN/);
    const unknown = await call('grant-memory-permission', {
      component_id: 'nobody',
      details: { limit: '64Mi' },
    });
    assert.equal(unknown.isError, true);
  });

  test('whoever observes a call is told which component ran, and what it asked for and got', async () => {
    const { digest } = await store.load(
      await fetchComponent(fixture('wasi', 'process.component.wasm'), { directory: folder }),
      { id: 'observed' },
    );
    await components.reconcile();
    const runs: ComponentRun[] = [];
    const observed = { ...context(), observe: (run: ComponentRun) => void runs.push(run) };
    const details = { component_id: 'observed', details: { key: 'SHOWN' } };
    await catalog.callTool({ name: 'observed.run', arguments: {} }, observed);
    await call('grant-environment-variable-permission', details);
    await catalog.callTool({ name: 'observed.run', arguments: {} }, observed);
    await call('unload-component', { id: 'observed' });
    assert.deepEqual(
      runs.map(({ milliseconds, ...rest }) => [milliseconds > 0, rest]),
      [[], ['environment:SHOWN']].map((granted) => [
        true,
        { component: 'observed', digest, outcome: 'ok', granted, denied: [] },
      ]),
    );
  });

  test('resources tell configuration, policy, metadata and the call log of a component', async () => {
    const uris = catalog.resources(CALLER).items.map(({ uri }) => uri);
    for (const view of ['config', 'policy', 'metadata', 'log'])
      assert.ok(uris.includes(`component://adder/${view}`), view);
    const read = async (uri: string): Promise<string> => {
      const outcome = await catalog.readResource({ uri }, context());
      assert.equal(outcome.kind, 'complete');
      const [contents] = outcome.kind === 'complete' ? outcome.contents : [];
      return contents !== undefined && 'text' in contents ? contents.text : '';
    };
    const metadata = JSON.parse(await read('component://adder/metadata'));
    assert.ok(metadata.counters.calls >= 2);
    assert.match(metadata.digest, /^sha256:/);
    assert.equal(
      (await read('component://adder/log'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))[0].outcome,
      'ok',
    );
    for (const uri of [
      'component://adder/__proto__',
      'component://nobody/config',
      'component://adder/config/..',
      'file:///etc/passwd',
    ]) {
      await assert.rejects(
        read(uri),
        (error) => error instanceof WitboxError && error.code === 'resource-not-found',
      );
    }
  });

  test('prompts gather what is known of a component, and its id is completed', async () => {
    const get = (name: string, args: Record<string, string>) =>
      catalog.getPrompt({ name, arguments: args }, context());
    const outcome = await get('component-troubleshooting', { component_id: 'adder' });
    assert.match(JSON.stringify(outcome), /adder\.add: misfit|add: misfit/);
    assert.doesNotMatch(JSON.stringify(outcome), /five/, "arguments are nobody's but the caller's");
    assert.ok(!JSON.stringify(outcome).includes(FIXTURES), 'paths of this machine are not told');
    assert.match(JSON.stringify(await get('write-policy', { component_id: 'adder' })), /denied nothing/);
    await assert.rejects(get('no-such-prompt', {}), { code: 'unknown-prompt' });
    await assert.rejects(get('write-policy', {}), { code: 'invalid-params' });
    const completion = await catalog.complete(
      { type: 'ref/prompt', name: 'write-policy' },
      { name: 'component_id', value: 'ad' },
      {},
      context(),
    );
    assert.ok(completion.values.includes('adder'));
  });

  test('unloading removes the tools while a call that runs still ends', async () => {
    const running = call('adder.add', { a: 1, b: 1 });
    await call('unload-component', { id: 'adder' });
    const outcome = await running;
    assert.ok(outcome.content.length > 0);
    assert.equal(catalog.tool(CALLER, 'adder.add'), undefined);
  });

  test('a change that another process makes in the data directory is served without a restart', async () => {
    const other = await createStore(store.directory);
    await other.load(await fetchComponent(fixture('wat', 'adder.wasm'), { directory: folder }), {
      id: 'elsewhere',
    });
    const end = performance.now() + 10_000;
    while (components.get('elsewhere') === undefined && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.equal(text(await call('elsewhere.add', { a: 20, b: 22 })), '42');
  });
});

describe('management tools', () => {
  test('are off as the operator says, and those that grant are off by default', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'witbox-catalog-'));
    const cells = await createCells({ warm: 0 });
    const store = await createStore(folder);
    const log = createLogger({ levels: 'silent', write() {} });
    const components = createComponents({ cells, store, log, env: {}, now: () => new Date() });
    const deps = { store, components, directory: folder, ready: components.reconcile() };
    const names = (manage: boolean, grant: boolean) =>
      createLocalCatalog(deps, { manage, grant })
        .tools(CALLER)
        .items.map(({ name }) => name);
    assert.deepEqual(names(false, false), []);
    assert.ok(names(true, false).includes('load-component'));
    assert.equal(names(true, false).filter((name) => /^(grant|revoke|reset)-/.test(name)).length, 0);
    assert.equal(names(true, true).filter((name) => /^(grant|revoke|reset)-/.test(name)).length, 9);
    components.close();
    await cells.close();
    await rm(folder, { recursive: true, force: true });
  });
});
