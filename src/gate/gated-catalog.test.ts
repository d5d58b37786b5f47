import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFixtureCatalog } from '../../test/mcp/fixture/catalog.ts';
import { define, text } from '../../test/mcp/fixture/define.ts';
import { callContext } from '../../test/support/call-context.ts';
import type { AuditEntry } from '../audit/entry.ts';
import { BUILT_IN, type CallContext, type Catalog, type Owner } from '../catalog/catalog.ts';
import type { Caller } from '../core/caller.ts';
import { WitboxError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { createLogger } from '../core/log.ts';
import { Refusal } from '../core/refusal.ts';
import { readMessage } from '../protocol/envelope.ts';
import { createProtocol } from '../protocol/protocol.ts';
import { pipeRoute } from '../protocol/route.ts';
import { createServer } from '../server/server.ts';
import { NO_TRACER } from '../telemetry/ports.ts';
import { createAccess } from './access/access.ts';
import { gateCatalog } from './gated-catalog.ts';
import { createCallLimits } from './limits/call-limits.ts';
import type { AccessRule, LimitOptions, Reach, ToolLimits } from './options.ts';

const NOTHING: Reach = { tools: [], components: [], resources: [], prompts: [], management: [] };
const rule = (
  who: string[],
  parts: { allow?: Partial<Reach>; deny?: Partial<Reach>; arguments?: AccessRule['arguments'] },
): AccessRule => ({
  who,
  allow: { ...NOTHING, ...parts.allow },
  deny: { ...NOTHING, ...parts.deny },
  arguments: parts.arguments ?? [],
});
const limits = (tools: ToolLimits[] = [], more: Partial<LimitOptions> = {}): LimitOptions => ({
  caller: { requests: null, concurrent: null, sessions: null, bytesPerDay: null },
  address: { requests: null, failures: null, connections: null },
  tools,
  concurrent: 8,
  queue: 8,
  ...more,
});
const key = (name: string): Caller => ({
  id: `key:${name}`,
  kind: 'key',
  name,
  scopes: [],
  groups: [],
  address: '192.0.2.1',
  expiresAt: null,
});
const some = key('some');
const all = key('all');

const RULES = [
  rule(['key:some'], {
    allow: {
      tools: ['greet', 'test_*', 'job'],
      resources: ['test://static-*', 'test://template/*'],
      prompts: ['test_simple_*'],
    },
    deny: { tools: ['test_error_*'], resources: ['test://template/secret/*'] },
    arguments: [{ tool: 'greet', schema: { properties: { name: { pattern: '^[A-Z]' } } } }],
  }),
  rule(['key:all'], { allow: { components: ['*'], management: ['*'] } }),
];

/** Fixtures that belong to components, and one that is Witbox's own. */
function owned(): Catalog & Pick<ReturnType<typeof createFixtureCatalog>, 'change' | 'addTool'> {
  const fixture = createFixtureCatalog([define('load-component', 'Manages', () => text('managed'))]);
  const names: Record<'tool' | 'resource' | 'prompt', () => string[]> = {
    tool: () => fixture.tools(all).items.map(({ name }) => name),
    resource: () => [
      ...fixture.resources(all).items.map(({ uri }) => uri),
      ...fixture.resourceTemplates(all).items.map(({ uriTemplate }) => uriTemplate),
    ],
    prompt: () => fixture.prompts(all).items.map(({ name }) => name),
  };
  const owner: Owner = { component: 'fixture', digest: 'sha256:1' };
  return {
    ...fixture,
    owner(kind, name) {
      if (name === 'load-component') return BUILT_IN;
      const isTemplated = kind === 'resource' && name.startsWith('test://template/');
      return isTemplated || names[kind]().includes(name) ? owner : undefined;
    },
    async readResource(read, context) {
      if (context.reaches?.('fixture') === false)
        throw new WitboxError('resource-not-found', { uri: read.uri });
      return fixture.readResource(read, context);
    },
    async complete(reference, argument, known, context) {
      const name = reference.type === 'ref/prompt' ? reference.name : reference.uri;
      const isKnown = [...names.prompt(), ...names.resource()].includes(name);
      if (!isKnown || context.reaches?.('fixture') === false) return { values: [] };
      return fixture.complete(reference, argument, known, context);
    },
  };
}

function setup(
  options: { limits?: LimitOptions; unwritable?: boolean; check?: (caller: Caller) => void } = {},
) {
  const catalog = owned();
  const lines: AuditEntry[] = [];
  const events: string[] = [];
  const audit = {
    check() {
      if (options.unwritable) throw new WitboxError('audit-unwritable', { reason: 'ENOSPC' });
    },
    record(entry: AuditEntry) {
      lines.push(entry);
      const durable = new Promise<void>((resolve) =>
        setImmediate(() => {
          events.push(`durable ${entry.target}`);
          resolve();
        }),
      );
      return { durable };
    },
  };
  const denied: string[] = [];
  const meter = { called() {}, queued() {}, denied: (reason: string) => void denied.push(reason) };
  const access = createAccess({ rules: RULES }, 'authenticated');
  const callLimits = createCallLimits(options.limits ?? limits());
  const gated = gateCatalog(catalog, {
    access,
    limits: callLimits,
    audit,
    meter,
    tracer: NO_TRACER,
    check: options.check ?? (() => {}),
  });
  const server = createServer(gated, { info: { name: 'gated', version: '1' }, pageSize: 3 });
  const protocol = createProtocol(server, createLogger({ levels: 'silent', write() {} }));
  return { catalog, gated, access, callLimits, lines, events, denied, ...client() };

  function client() {
    const connect = (caller: Caller) => {
      const notices: string[] = [];
      const waiting = new Map<number, (answer: string) => void>();
      let last = 0;
      const connection = protocol.connect({ transport: 'http', caller, send: (one) => notices.push(one) });
      const take = (answer: string): void => {
        const { id } = JSON.parse(answer) as { id?: number };
        if (id === undefined) notices.push(answer);
        else waiting.get(id)?.(answer);
      };
      const ask = (method: string, params: JsonObject = {}): Promise<string> =>
        new Promise((resolve) => {
          const id = ++last;
          // Answers differ by their id alone, so it is taken out.
          waiting.set(id, (answer) => resolve(answer.replace(`"id":${id}`, '"id":0')));
          const message = JSON.stringify({ jsonrpc: '2.0', id, method, params });
          connection.receive(readMessage(message), pipeRoute(take));
        });
      const open = async (protocolVersion = '2025-06-18') => {
        const clientInfo = { name: 'test', version: '1' };
        await ask('initialize', { protocolVersion, capabilities: {}, clientInfo });
        const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
        connection.receive(readMessage(initialized), pipeRoute(take));
      };
      return { ask, open, notices };
    };
    const opened = async (caller: Caller) => {
      const one = connect(caller);
      await one.open();
      return one;
    };
    return { opened };
  }
}

/** Notices go out in the turn after the change. */
const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

async function listed(
  ask: (method: string, params?: JsonObject) => Promise<string>,
  method: string,
  listKey: string,
  nameKey: string,
): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const { result } = JSON.parse(await ask(method, cursor === undefined ? {} : { cursor }));
    names.push(...result[listKey].map((item: Record<string, string>) => item[nameKey]));
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return names;
}

test('lists show what the caller may use, page by page, to each their own', async () => {
  const { opened } = setup();
  const [few, many] = [await opened(some), await opened(all)];
  const everything = await listed(many.ask, 'tools/list', 'tools', 'name');
  const tools = await listed(few.ask, 'tools/list', 'tools', 'name');
  assert.ok(tools.includes('greet') && tools.includes('test_simple_text'));
  assert.ok(!tools.some((name) => name.startsWith('test_error_') || name === 'load-component'));
  assert.ok(everything.includes('test_error_handling') && everything.includes('load-component'));
  // The other way round, when pages of both have been kept.
  assert.deepEqual(await listed(few.ask, 'tools/list', 'tools', 'name'), tools);
  assert.deepEqual(await listed(many.ask, 'tools/list', 'tools', 'name'), everything);
  assert.deepEqual(await listed(few.ask, 'resources/list', 'resources', 'uri'), [
    'test://static-text',
    'test://static-binary',
  ]);
  assert.deepEqual(await listed(few.ask, 'resources/templates/list', 'resourceTemplates', 'uriTemplate'), [
    'test://template/{id}/data',
  ]);
  assert.deepEqual(await listed(few.ask, 'prompts/list', 'prompts', 'name'), ['test_simple_prompt']);
});

test('a page that another caller was given a cursor for shows nothing but what one may see', async () => {
  const { opened } = setup();
  const [few, many] = [await opened(some), await opened(all)];
  const allowed = new Set(await listed(few.ask, 'tools/list', 'tools', 'name'));
  let cursor: string | undefined = JSON.parse(await many.ask('tools/list')).result.nextCursor;
  for (let pages = 0; cursor !== undefined; pages++) {
    const { result } = JSON.parse(await few.ask('tools/list', { cursor }));
    for (const { name } of result.tools) assert.ok(allowed.has(name), name);
    cursor = JSON.parse(await many.ask('tools/list', { cursor })).result.nextCursor;
    assert.ok(pages < 100);
  }
});

test('what is forbidden is answered byte for byte like what never was', async () => {
  const { opened, lines, denied } = setup();
  const { ask } = await opened(some);
  const pairs: [string, (name: string) => JsonObject, string, string][] = [
    ['tools/call', (name) => ({ name, arguments: {} }), 'test_error_handling', 'test_error_handlinh'],
    ['tools/call', (name) => ({ name, arguments: {} }), 'load-component', 'load-componens'],
    ['resources/read', (uri) => ({ uri }), 'test://long', 'test://lonh'],
    ['resources/read', (uri) => ({ uri }), 'test://template/secret/data', 'test://nomplate/secret/data'],
    ['resources/subscribe', (uri) => ({ uri }), 'test://watched-resource', 'test://watched-resourcf'],
    ['prompts/get', (name) => ({ name }), 'test_prompt_with_arguments', 'test_prompt_with_argumentx'],
    [
      'completion/complete',
      (name) => ({ ref: { type: 'ref/prompt', name }, argument: { name: 'arg1', value: 'pa' } }),
      'test_prompt_with_arguments',
      'test_prompt_with_argumentx',
    ],
    [
      'tools/batch',
      (name) => ({ calls: [{ name, arguments: {} }] }),
      'test_error_handling',
      'test_error_handlinh',
    ],
  ];
  for (const [method, params, forbidden, unknown] of pairs) {
    const one = await ask(method, params(forbidden));
    const other = await ask(method, params(unknown));
    assert.equal(
      one.replaceAll(forbidden, 'NAME'),
      other.replaceAll(unknown, 'NAME'),
      `${method} ${forbidden}`,
    );
  }
  const refusals = lines.filter(({ outcome }) => outcome === 'denied').map(({ target }) => target);
  for (const name of ['test_error_handling', 'load-component', 'test://long', 'test_prompt_with_arguments'])
    assert.ok(refusals.includes(name), `${name} was refused and is not written down`);
  assert.ok(denied.includes('forbidden'));
});

test('who may use them is answered by the very same things', async () => {
  const { opened } = setup();
  const { ask } = await opened(all);
  assert.match(await ask('tools/call', { name: 'load-component', arguments: {} }), /managed/);
  assert.match(await ask('resources/read', { uri: 'test://long' }), /αβγδ/);
  assert.match(
    await ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'pa' },
    }),
    /paris/,
  );
});

test('nobody is told of changes to resources that they may not read', async () => {
  const { opened, catalog } = setup();
  const [few, many] = [await opened(some), await opened(all)];
  for (const { ask } of [few, many])
    for (const uri of ['test://watched-resource', 'test://static-text'])
      await ask('resources/subscribe', { uri });
  catalog.change({ kind: 'resource', uri: 'test://watched-resource' });
  catalog.change({ kind: 'resource', uri: 'test://static-text' });
  await settled();
  const uris = (notices: string[]) => notices.map((one) => JSON.parse(one).params.uri);
  assert.deepEqual(uris(few.notices), ['test://static-text']);
  assert.deepEqual(uris(many.notices), ['test://watched-resource', 'test://static-text']);
});

test('a list that changes where one does not see it changes for others alone', async () => {
  const { opened, catalog } = setup();
  const [few, twin, many] = [await opened(some), await opened(some), await opened(all)];
  for (const { ask } of [few, many]) await ask('tools/list');
  const told = async () => {
    await settled();
    return [few, twin, many].map(({ notices }) => notices.splice(0).length);
  };
  catalog.addTool(define('hidden', 'Not for all', () => text('done')));
  assert.deepEqual(await told(), [0, 0, 1]);
  catalog.addTool(define('job', 'For both', () => text('done')));
  // Who lists before the notice comes takes nothing from those who did not.
  await twin.ask('tools/list');
  assert.deepEqual(await told(), [1, 1, 1]);
});

test('arguments that a rule does not allow are refused by path, and the tool does not run', async () => {
  const { opened, lines, denied } = setup();
  const { ask } = await opened(some);
  const call = (name: string) => ask('tools/call', { name: 'greet', arguments: { name } });
  assert.match(await call('Ada'), /Hello, Ada!/);
  const refused = JSON.parse(await call('ada')).result;
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /^Arguments are not allowed for this caller: \/name must match/);
  assert.deepEqual(denied, ['arguments']);
  assert.deepEqual(
    lines.map(({ outcome }) => outcome),
    ['ok', 'denied'],
  );
  assert.match(
    await (await opened(all)).ask('tools/call', { name: 'greet', arguments: { name: 'ada' } }),
    /Hello/,
  );
});

test('a call is written down before its answer leaves, a read need not be', async () => {
  const { opened, events, lines, catalog } = setup();
  catalog.addTool(define('job', 'Changes something', () => text('done'), { annotations: {} }));
  const { ask } = await opened(some);
  await ask('tools/call', { name: 'job', arguments: { name: 'Ada' } });
  assert.deepEqual(events, ['durable job'], 'it may have changed something');
  await ask('tools/call', { name: 'greet', arguments: { name: 'Ada' } });
  await ask('resources/read', { uri: 'test://static-text' });
  assert.deepEqual(events, ['durable job'], 'these only read');
  const [call, , read] = lines;
  assert.equal(read!.target, 'test://static-text');
  const { milliseconds: _, ...told } = call!;
  assert.deepEqual(told, {
    kind: 'call',
    action: 'tools/call',
    caller: 'key:some',
    address: '192.0.2.1',
    session: null,
    client: 'test 1',
    revision: '2025-06-18',
    transport: 'http',
    component: 'fixture',
    digest: 'sha256:1',
    target: 'job',
    outcome: 'ok',
    granted: [],
    denied: [],
    arguments: { name: 'Ada' },
    result: { content: [{ type: 'text', text: 'done' }] },
  });
});

test('that it only reads is not believed of a component that was let out', async () => {
  const { opened, gated, events, catalog } = setup();
  const run = { component: 'fixture', digest: 'sha256:1', outcome: 'ok', milliseconds: 1, denied: [] };
  const { readResource } = catalog;
  const goOut = (context: CallContext): void =>
    context.observe?.({ ...run, granted: ['network:https://api.example.com'] });
  catalog.addTool(
    define('job', 'Says that it reads', (_, context) => {
      goOut(context);
      return text('done');
    }),
  );
  catalog.readResource = (read, context) => {
    goOut(context);
    return readResource(read, context);
  };
  const { ask } = await opened(some);
  await ask('tools/call', { name: 'job', arguments: {} });
  assert.deepEqual(events, ['durable job']);
  const { signal } = new AbortController();
  await gated.readResource({ uri: 'test://static-text' }, callContext(some, signal));
  assert.deepEqual(events, ['durable job', 'durable test://static-text']);
});

test('nothing is done that cannot be written down', async () => {
  const { opened, catalog } = setup({ unwritable: true });
  let ran = 0;
  catalog.addTool(
    define('job', 'Counts', () => {
      ran++;
      return text('done');
    }),
  );
  const { ask } = await opened(some);
  assert.match(await ask('tools/call', { name: 'job', arguments: {} }), /audit log cannot be written/);
  assert.equal(ran, 0);
});

test('a tool has its own rate and number at once, per caller or for all', async () => {
  const { opened, catalog, denied } = setup({
    limits: limits([
      { tool: 'greet', per: 'caller', calls: { rate: 0.001, burst: 1 }, concurrent: null },
      { tool: 'jo?', per: 'all', calls: null, concurrent: 1 },
    ]),
  });
  const gate = Promise.withResolvers<void>();
  catalog.addTool(define('job', 'Waits', () => gate.promise.then(() => text('done'))));
  const [few, many] = [await opened(some), await opened(all)];
  const greet = { name: 'greet', arguments: { name: 'Ada' } };
  assert.match(await few.ask('tools/call', greet), /Hello/);
  const { error } = JSON.parse(await few.ask('tools/call', greet));
  assert.equal(error.code, -32000);
  assert.equal(error.data.limit, 'limits.tools.calls');
  assert.ok(error.data.retryAfterMs > 900_000);
  assert.match(await many.ask('tools/call', greet), /Hello/, 'another caller has tokens of their own');
  const running = few.ask('tools/call', { name: 'job', arguments: {} });
  const second = JSON.parse(await many.ask('tools/call', { name: 'job', arguments: {} }));
  assert.equal(second.error.data.limit, 'limits.tools.concurrent');
  gate.resolve();
  assert.match(await running, /done/);
  assert.match(await many.ask('tools/call', { name: 'job', arguments: {} }), /done/);
  assert.deepEqual(denied, ['rate', 'concurrent']);
});

test('a right that is taken away while a call waits is gone when its turn comes', async () => {
  const { gated, access, catalog } = setup({ limits: limits([], { concurrent: 1 }) });
  const gate = Promise.withResolvers<void>();
  catalog.addTool(define('job', 'Waits', () => gate.promise.then(() => text('done'))));
  const { signal } = new AbortController();
  const first = gated.callTool({ name: 'job', arguments: {} }, callContext(all, signal));
  const second = gated.callTool({ name: 'greet', arguments: { name: 'Ada' } }, callContext(some, signal));
  const read = gated.readResource({ uri: 'test://static-text' }, callContext(some, signal));
  const prompt = gated.getPrompt({ name: 'test_simple_prompt', arguments: {} }, callContext(some, signal));
  access.set({ rules: RULES.slice(1) }, 'authenticated');
  gate.resolve();
  await first;
  await assert.rejects(second, { code: 'unknown-tool' });
  await assert.rejects(read, { code: 'resource-not-found' });
  await assert.rejects(prompt, { code: 'unknown-prompt' });
  await gated.callTool({ name: 'greet', arguments: { name: 'Ada' } }, callContext(all, signal));
});

test('rules for arguments that come while a call waits hold when its turn comes', async () => {
  const { gated, access, catalog } = setup({ limits: limits([], { concurrent: 1 }) });
  const gate = Promise.withResolvers<void>();
  catalog.addTool(define('job', 'Waits', () => gate.promise.then(() => text('done'))));
  const { signal } = new AbortController();
  const first = gated.callTool({ name: 'job', arguments: {} }, callContext(all, signal));
  const second = gated.callTool({ name: 'greet', arguments: { name: 'Ada' } }, callContext(some, signal));
  const strict = rule(['key:some'], {
    allow: { tools: ['greet'] },
    arguments: [{ tool: 'greet', schema: { properties: { name: { pattern: '^B' } } } }],
  });
  access.set({ rules: [strict] }, 'authenticated');
  gate.resolve();
  await first;
  assert.match(JSON.stringify(await second), /not allowed for this caller/);
});

test('who lost their key while a call or a task of theirs waits is not served by it', async () => {
  let revoked = false;
  const check = ({ id }: Caller): void => {
    if (revoked && id === some.id) throw new Refusal('unauthenticated', { reason: 'it was revoked' }, {});
  };
  const { gated, catalog, lines } = setup({ limits: limits([], { concurrent: 1 }), check });
  const gate = Promise.withResolvers<void>();
  catalog.addTool(define('job', 'Waits', () => gate.promise.then(() => text('done'))));
  const { signal } = new AbortController();
  const greet = () =>
    gated.callTool({ name: 'greet', arguments: { name: 'Ada' } }, callContext(some, signal));
  const first = gated.callTool({ name: 'job', arguments: {} }, callContext(all, signal));
  const waiting = greet();
  revoked = true;
  gate.resolve();
  await first;
  await assert.rejects(waiting, { code: 'unauthenticated' });
  // As the next round of a task, which asks for no admission.
  await assert.rejects(greet(), { code: 'unauthenticated' });
  assert.deepEqual(
    lines.filter(({ caller }) => caller === some.id).map(({ outcome }) => outcome),
    ['unauthenticated', 'unauthenticated'],
  );
  await gated.callTool({ name: 'greet', arguments: { name: 'Ada' } }, callContext(all, signal));
});

test('a cancelled call leaves the line, and its slot goes to others', async () => {
  const { gated, catalog, lines } = setup({ limits: limits([], { concurrent: 1, queue: 1 }) });
  const gate = Promise.withResolvers<void>();
  catalog.addTool(define('job', 'Waits', () => gate.promise.then(() => text('done'))));
  const job = (signal: AbortSignal) =>
    gated.callTool({ name: 'job', arguments: {} }, callContext(some, signal));
  const { signal } = new AbortController();
  const leaving = new AbortController();
  const first = job(signal);
  const second = job(leaving.signal);
  await assert.rejects(job(signal), { code: 'too-many-calls' });
  leaving.abort(new Error('gone'));
  await assert.rejects(second, /gone/);
  const third = job(signal);
  gate.resolve();
  await Promise.all([first, third]);
  assert.deepEqual(lines.map(({ outcome }) => outcome).sort(), ['cancelled', 'limited', 'ok', 'ok']);
});

test('a call that asks a person holds no slot meanwhile', async () => {
  const { gated } = setup({ limits: limits([], { concurrent: 1, queue: 0 }) });
  const { signal } = new AbortController();
  const asking = { name: 'test_elicitation', arguments: { message: 'who?' } };
  assert.equal((await gated.callTool(asking, callContext(some, signal))).kind, 'input-required');
  assert.equal((await gated.callTool(asking, callContext(some, signal))).kind, 'input-required');
});

test('versions of filtered lists differ by view, and of whole lists not', () => {
  const { gated, catalog } = setup();
  assert.notEqual(gated.tools(some).version, gated.tools(all).version);
  assert.equal(gated.tools(some), gated.tools(key('some')), 'looked through once for the same rules');
  const before = gated.tools(some);
  catalog.addTool(define('job', 'New', () => text('done')));
  assert.notEqual(gated.tools(some).version, before.version);
  assert.ok(gated.tools(some).items.some(({ name }) => name === 'job'));
  const open = gateCatalog(catalog, {
    access: createAccess(null, 'open'),
    limits: createCallLimits(limits()),
    audit: null,
    meter: { called() {}, denied() {}, queued() {} },
    tracer: NO_TRACER,
  });
  assert.equal(open.tools({ ...some, kind: 'local' }), catalog.tools(some));
});
