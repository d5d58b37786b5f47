// Cases about getting to know each other: initialize, discover, versions.

import assert from 'node:assert/strict';
import { type Case, MODERN, SESSIONS } from '../case.ts';
import { Peer } from '../wire/peer.ts';

const META = 'io.modelcontextprotocol/';

export const openingCases: readonly Case[] = [
  {
    name: 'initialize echoes the version and shows what the revision knows',
    verifies: ['version-echo', 'projection'],
    revisions: SESSIONS,
    async run({ wire, revision }) {
      const { result } = await new Peer(await wire(), revision).open();
      assert.equal(result?.protocolVersion, revision);
      const titled = revision >= '2025-06-18' ? { title: 'Fixture' } : {};
      assert.deepEqual(result?.serverInfo, { name: 'witbox-fixture', version: '1.0.0', ...titled });
      const { capabilities } = result!;
      assert.deepEqual(capabilities?.tools, { listChanged: true });
      assert.equal('completions' in capabilities!, revision >= '2025-03-26');
      assert.equal('tasks' in capabilities!, revision === '2025-11-25');
      assert.ok(capabilities?.experimental?.['witbox/tools-batch']);
    },
  },
  {
    name: 'initialize with an unknown version is answered with the newest that has sessions',
    verifies: ['version-own'],
    revisions: SESSIONS,
    async run({ wire, revision }) {
      for (const protocolVersion of ['1999-01-01', '2026-07-28', `${revision}x`, 7]) {
        const peer = new Peer(await wire(), revision);
        const { result } = await peer.request('initialize', { protocolVersion, capabilities: {} });
        assert.equal(result?.protocolVersion, '2025-11-25');
      }
    },
  },
  {
    name: 'initialize without params is answered with 2024-11-05',
    verifies: ['version-missing'],
    revisions: ['2024-11-05'],
    async run({ wire }) {
      const one = await wire();
      await one.send('{"jsonrpc":"2.0","id":1,"method":"initialize"}');
      assert.equal((await one.take(() => true)).result?.protocolVersion, '2024-11-05');
    },
  },
  {
    name: 'tools are listed and called without a handshake',
    verifies: ['no-handshake'],
    revisions: ['2024-11-05'],
    async run({ wire, revision }) {
      const peer = new Peer(await wire(), revision);
      assert.ok((await peer.request('tools/list')).result?.tools?.length);
      const { result } = await peer.request('tools/call', { name: 'add', arguments: { a: 5, b: 3 } });
      assert.deepEqual(result?.content, [{ type: 'text', text: '8' }]);
    },
  },
  {
    name: 'a second initialize is refused and changes nothing',
    verifies: ['initialize-once'],
    revisions: SESSIONS,
    async run({ peer }) {
      const one = await peer();
      assert.equal((await one.error('initialize', { protocolVersion: '2024-11-05' })).code, -32600);
      assert.ok((await one.request('ping')).result);
    },
  },
  {
    name: 'the log names client, version, revision and capabilities',
    verifies: ['session-log'],
    async run({ wire, harness, revision, transport }) {
      const peer = new Peer(await wire(), revision, { capabilities: { roots: {} } });
      await peer.open();
      const wanted = { event: 'session started', transport, revision, client: 'peer', clientVersion: '1' };
      const found = harness.logs.some((line) => {
        const entry = JSON.parse(line) as Record<string, unknown>;
        return (
          Object.entries(wanted).every(([key, value]) => entry[key] === value) && 'capabilities' in entry
        );
      });
      assert.ok(found);
    },
  },
  {
    name: 'server/discover tells the versions, capabilities and identity',
    verifies: ['discover', 'result-fields', 'caching'],
    revisions: MODERN,
    async run({ wire, revision }) {
      const peer = new Peer(await wire(), revision);
      const { result } = await peer.open();
      assert.equal(result?.resultType, 'complete');
      assert.deepEqual(result?.supportedVersions, ['2026-07-28']);
      assert.equal(result?._meta?.[`${META}serverInfo`]?.name, 'witbox-fixture');
      assert.equal(result?.cacheScope, 'private');
      assert.ok(Number.isInteger(result?.ttlMs));
      assert.ok(result?.capabilities?.extensions?.[`${META}tasks`]);
      for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']) {
        const listed = await peer.result(method);
        assert.equal(listed.resultType, 'complete');
        assert.equal(listed.cacheScope, 'private');
        assert.ok(Number(listed.ttlMs) >= 0);
      }
      const read = await peer.result('resources/read', { uri: 'test://static-text' });
      assert.deepEqual([read.ttlMs, read.cacheScope], [0, 'private']);
      const called = await peer.result('tools/call', { name: 'test_simple_text' });
      assert.equal('ttlMs' in called, false);
    },
  },
  {
    name: 'a version that is not served per request is -32022, on every request',
    verifies: ['version-per-request'],
    revisions: MODERN,
    async run({ peer }) {
      const one = await peer();
      for (const version of ['1900-01-01', '2025-11-25', '']) {
        for (const method of ['tools/list', 'server/discover', 'nope']) {
          const error = await one.error(method, { _meta: { [`${META}protocolVersion`]: version } });
          assert.equal(error.code, -32022);
          assert.deepEqual(error.data, { supported: ['2026-07-28'], requested: version });
        }
      }
    },
  },
  {
    name: 'requests without the required _meta are -32602',
    verifies: ['meta-required'],
    revisions: MODERN,
    async run({ peer }) {
      const one = await peer();
      const capabilities = `${META}clientCapabilities`;
      assert.equal((await one.error('tools/list', { _meta: { [capabilities]: undefined } })).code, -32602);
      assert.equal((await one.error('tools/list', { _meta: { [capabilities]: [] } })).code, -32602);
      assert.equal((await one.error('tools/list', { _meta: { [`${META}logLevel`]: 'loud' } })).code, -32602);
      assert.ok((await one.request('tools/list', { _meta: { [`${META}clientInfo`]: undefined } })).result);
      await one.wire.send('{"jsonrpc":"2.0","id":5,"method":"server/discover","params":{}}');
      assert.equal((await one.wire.take(({ id }) => id === 5)).error?.code, -32602);
    },
  },
  {
    name: 'what the revision removed is gone',
    verifies: ['removed'],
    revisions: MODERN,
    async run({ peer }) {
      const one = await peer();
      for (const method of [
        'initialize',
        'ping',
        'logging/setLevel',
        'resources/subscribe',
        'resources/unsubscribe',
        'tasks/list',
        'tasks/result',
      ]) {
        assert.equal((await one.error(method)).code, -32601, method);
      }
    },
  },
  {
    name: 'ping is answered while a call runs',
    verifies: ['ping'],
    revisions: SESSIONS,
    async run({ peer }) {
      const one = await peer();
      const slow = one.request('tools/call', { name: 'wait', arguments: { ms: 50 } });
      assert.deepEqual((await one.request('ping')).result, {});
      assert.ok((await slow).result);
    },
  },
];
