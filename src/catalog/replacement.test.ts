// What happens to a loaded component when its bytes change under it.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Cells, createCells } from '../cell/cells.ts';
import { createLogger } from '../core/log.ts';
import { fetchComponent } from '../store/source/source.ts';
import { createStore, type Store } from '../store/store.ts';
import { type Components, createComponents } from './components.ts';

const FIXTURES = join(import.meta.dirname, '..', '..', 'test', 'fixtures');
describe('a component that changes while it is loaded', () => {
  let folder: string;
  let cells: Cells;
  let store: Store;
  let components: Components;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'witbox-replacement-'));
    cells = await createCells({ warm: 0 });
    store = createStore(folder);
    const log = createLogger({ levels: 'silent', write() {} });
    components = createComponents({ cells, store, log, env: { SECRET: 'x' }, now: () => new Date() });
  });
  after(async () => {
    components.close();
    await cells.close();
    await rm(folder, { recursive: true, force: true });
  });

  const stored = async (id: string, ...file: string[]) => {
    const fetched = await fetchComponent(join(FIXTURES, ...file), { directory: folder });
    // One source, whichever file: other bytes from the same place.
    return store.load({ ...fetched, uri: `file:///${id}.wasm` }, { id });
  };
  test('grants for new bytes are not for the old ones that are still loaded', async () => {
    await stored('swap', 'wat', 'adder.wasm');
    await components.reconcile();
    const { spec } = components.get('swap')!;
    await stored('swap', 'cell', 'add.wasm');
    await store.changePolicy(
      'swap',
      () => 'version: "1.0"\npermissions:\n  environment: { allow: [{ key: SECRET }] }\n',
    );
    assert.equal(store.policy('swap').environment.allow.length, 1);
    assert.equal(spec.policy().environment.allow.length, 0);
    await assert.rejects(spec.bytes(), { code: 'component-unusable' });
    await components.reconcile();
    assert.equal(components.get('swap')!.spec.policy().environment.allow.length, 1);
  });

  test('one of this run and a stored one never share an id, whichever was there first', async () => {
    const fetched = await fetchComponent(join(FIXTURES, 'wat', 'adder.wasm'), { directory: folder });
    await stored('adder', 'wat', 'calc.wasm');
    await components.reconcile();
    const second = await components.add(fetched);
    assert.equal(second.spec.id, 'adder-2');
    await stored('adder-2', 'wat', 'calc.wasm');
    await components.reconcile();
    assert.match(components.problems().get('adder-2') ?? '', /one of this run has that id/);
    assert.equal(components.get('adder-2'), second);
  });
});
