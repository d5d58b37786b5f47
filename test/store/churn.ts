// A process that changes a data directory without rest until it is killed: loads, replaces, grants, unloads. Started by
// the store's tests, several at once. Argument: the data directory and a seed.

import { grantPermission, resetPermissions } from '../../src/policy/edit.ts';
import { createStore } from '../../src/store/store.ts';
import { createRandom } from '../random-types.ts';

const [directory, seed] = process.argv.slice(2) as [string, string];
const store = createStore(directory);
const random = createRandom(Number(seed));
process.stdout.write('ready\n');

for (;;) {
  const name = `part${random.below(4)}`;
  const known = store.list().some(({ id }) => id === name);
  // Other processes do the same, so that a component may be gone by now: that error is part of the game.
  const act = async (): Promise<unknown> => {
    if (!known || random.chance(0.2)) {
      const bytes = new Uint8Array(1000 + random.below(3)).fill(random.below(5));
      return store.load({
        uri: `file:///${name}.wasm`,
        name: `${name}.wasm`,
        bytes,
        tools: `of: ${bytes.length}`,
        requested: undefined,
      });
    }
    if (random.chance(0.2)) return store.unload(name);
    if (random.chance(0.2)) return store.changePolicy(name, (text) => resetPermissions(text));
    // The grant says which bytes it was given to, so that the test can see one that outlived them.
    return store.changePolicy(name, (text) => {
      const value = `K_${store.get(name).digest.slice(7, 15)}_${random.below(30)}`;
      return grantPermission(text, { kind: 'environment', value });
    });
  };
  await act().catch((error: { code?: string }) => {
    if (error.code !== 'component-unknown') throw error;
  });
}
