import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostHandler } from '../../core/port.ts';
import { EMPTY_POLICY } from '../../policy/policy.ts';
import { idleContext } from '../idle-context.ts';
import { withMcpOperations } from './host-operations.ts';

function operations(): { host: HostHandler; heard: string[]; changed: string[] } {
  const heard: string[] = [];
  const changed: string[] = [];
  const host = withMcpOperations<HostHandler>(
    { handle: () => Promise.resolve(null), close: () => Promise.resolve() },
    { ...idleContext(), log: (_level, data) => void heard.push(String(data)) },
    EMPTY_POLICY,
    {
      register() {},
      unregister: () => false,
      resourceChanged: (uri) => void changed.push(uri),
      listsChanged() {},
    },
  );
  return { host, heard, changed };
}

test('what a guest says in one call is bounded in length, not in number alone', async () => {
  const { host, heard } = operations();
  const text = 'x'.repeat(1 << 16);
  const said = Array.from({ length: 1_000 }, () => host.handle('mcp.log', ['info', text, null]));
  const outcomes = await Promise.allSettled(said);
  assert.equal(outcomes.at(-1)!.status, 'rejected');
  assert.ok(heard.length > 100 && heard.length <= 128, String(heard.length));
});

test('tools that are too large to register often do not get as far as being checked', async () => {
  const { host } = operations();
  const tool = { name: 'x', 'input-schema': 'x'.repeat(9 << 20) };
  await assert.rejects(host.handle('mcp.register', [tool]), { code: 'insufficient-memory' });
  await assert.rejects(host.handle('mcp.register', [{ name: 'x' }]), { code: 'insufficient-memory' });
});

test('a guest cannot say that what Witbox tells about components has changed', async () => {
  const { host, changed } = operations();
  for (const uri of ['component://other/policy', 'COMPONENT://other/log', 'mine://x'])
    await host.handle('mcp.changed', [uri]);
  assert.deepEqual(changed, ['mine://x']);
});
