import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, type Receiver, startReceiver } from '../../../test/support/otlp-receiver.ts';
import { createLogger } from '../../core/log.ts';
import { createRedactor } from '../../core/redact.ts';
import type { Environment } from './environment.ts';
import { createTracer, NO_TRACES, type TraceExport } from './tracer.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

const SECRET = 'correct-horse-battery-staple';

interface Run {
  readonly tracer: TraceExport;
  readonly receiver: Receiver;
  readonly logs: string[];
}

async function withTracer(
  env: Environment,
  run: (parts: Run) => Promise<void>,
  answer?: (request: number) => Answer,
) {
  const receiver = await startReceiver(answer);
  const logs: string[] = [];
  const log = createLogger({ write: (line) => logs.push(line) });
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.origin}/base/` };
  const redactor = createRedactor();
  redactor.add(SECRET);
  const tracer = createTracer({ ...endpoint, ...env }, { version: '1.2.3', log, redactor, retryMs: 1 });
  try {
    await run({ tracer, receiver, logs });
    assert.deepEqual(receiver.faults, []);
  } finally {
    await tracer.close();
    await receiver.close();
  }
}

test('no secret leaves in a span: not in its name, its attributes, its error, nor half of one at a bound', () =>
  withTracer({}, async ({ tracer, receiver }) => {
    const span = tracer.start(`resources/read notes://${SECRET}`, {});
    span.set('mcp.resource.uri', `notes://${SECRET}/1`);
    span.set('long', `${'x'.repeat(1_010)}${SECRET}`);
    span.end('error', `Cannot read ${SECRET}`);
    await tracer.flush();
    const [told] = receiver.spans;
    assert.match(JSON.stringify(told), /redacted/);
    assert.doesNotMatch(JSON.stringify(told), /correct|horse/);
  }));

test('a span reaches the collector as OTLP, a child of what _meta names', () =>
  withTracer(
    {
      OTEL_SERVICE_NAME: 'team-tools',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=not-this,deployment.environment.name=pro%20d',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20s3cret,x-tenant=a',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    },
    async ({ tracer, receiver, logs }) => {
      const before = BigInt(Date.now() - 1) * 1_000_000n;
      const span = tracer.start('tools/call add', {
        traceparent: `00-${TRACE}-${PARENT}-01`,
        tracestate: 'vendor=1, other@sys=2',
      });
      span.set('mcp.method.name', 'tools/call');
      span.set('answer', 42);
      span.set('share', 0.5);
      span.set('cold', true);
      span.end('error', 'It broke');
      span.end('ok');
      tracer.start('ping', {}).end('ok');
      await tracer.flush();
      const [child, root] = receiver.spans;
      assert.ok(child && root && receiver.spans.length === 2);
      assert.deepEqual(
        [child.traceId, child.parentSpanId, child.traceState, child.flags],
        [TRACE, PARENT, 'vendor=1,other@sys=2', 0x301],
      );
      assert.deepEqual(child.attributes, {
        'mcp.method.name': 'tools/call',
        answer: 42,
        share: 0.5,
        cold: true,
      });
      assert.deepEqual(child.status, { code: 2, message: 'It broke' });
      assert.ok(BigInt(child.startTimeUnixNano) >= before);
      assert.ok(BigInt(child.endTimeUnixNano) <= BigInt(Date.now() + 1) * 1_000_000n);
      assert.deepEqual([root.parentSpanId, root.status, root.flags], [undefined, {}, 0x101]);
      assert.notEqual(root.traceId, TRACE);
      const [request] = receiver.requests;
      assert.equal(request?.path, '/base/v1/traces');
      assert.deepEqual(
        [request?.headers.authorization, request?.headers['x-tenant']],
        ['Bearer s3cret', 'a'],
      );
      const [resource] = receiver.resources;
      assert.deepEqual(
        [
          resource?.['service.name'],
          resource?.['deployment.environment.name'],
          resource?.['service.version'],
        ],
        ['team-tools', 'pro d', '1.2.3'],
      );
      assert.deepEqual(tracer.figures, { exported: 2, dropped: 0 });
      assert.ok(!logs.join('').includes('s3cret'));
    },
  ));

test('spans go out in batches, and what finds no place is dropped and counted', () =>
  withTracer(
    { OTEL_BSP_MAX_QUEUE_SIZE: '10', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '4', OTEL_BSP_SCHEDULE_DELAY: '600000' },
    async ({ tracer, receiver, logs }) => {
      for (let at = 0; at < 30; at += 1) tracer.start(`span ${at}`, {}).end('ok');
      await tracer.flush();
      assert.deepEqual(
        receiver.requests.map(({ spans }) => spans),
        [4, 4, 4, 2],
      );
      assert.deepEqual(tracer.figures, { exported: 14, dropped: 16 });
      assert.equal(logs.filter((line) => line.includes('spans dropped')).length, 1, 'told once');
    },
  ));

test('a busy collector is asked again, a refusing one is not', async () => {
  const busy = (request: number): Answer =>
    request < 2 ? { status: 503, headers: { 'retry-after': '0' } } : { status: 200 };
  await withTracer(
    {},
    async ({ tracer, receiver }) => {
      tracer.start('a', {}).end('ok');
      await tracer.flush();
      assert.equal(receiver.requests.length, 3);
      assert.deepEqual(tracer.figures, { exported: 1, dropped: 0 });
    },
    busy,
  );
  await withTracer(
    {},
    async ({ tracer, receiver }) => {
      tracer.start('a', {}).end('ok');
      await tracer.flush();
      assert.equal(receiver.requests.length, 1);
      assert.deepEqual(tracer.figures, { exported: 0, dropped: 1 });
    },
    () => ({ status: 400 }),
  );
});

test('what a collector rejects of a batch is counted as dropped', () =>
  withTracer(
    {},
    async ({ tracer }) => {
      for (let at = 0; at < 5; at += 1) tracer.start('a', {}).end('ok');
      await tracer.flush();
      assert.deepEqual(tracer.figures, { exported: 3, dropped: 2 });
    },
    () => ({ status: 200, body: '{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}' }),
  ));

test('a collector that is gone costs the spans and nothing else; closing sends what is left', async () => {
  const gone = await startReceiver();
  await gone.close();
  await withTracer({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: gone.origin }, async ({ tracer }) => {
    tracer.start('a', {}).end('ok');
    await tracer.flush();
    assert.deepEqual(tracer.figures, { exported: 0, dropped: 1 });
  });
  await withTracer({}, async ({ tracer, receiver }) => {
    tracer.start('last', {}).end('ok');
    await tracer.close();
    assert.equal(receiver.spans[0]?.name, 'last');
    tracer.start('late', {}).end('ok');
    assert.deepEqual(tracer.figures, { exported: 1, dropped: 1 });
  });
});

test('names and attributes of a span are bounded', () =>
  withTracer({}, async ({ tracer, receiver }) => {
    const span = tracer.start('n'.repeat(5_000), {});
    for (let at = 0; at < 500; at += 1) span.set(`key ${at}`, 'v'.repeat(5_000));
    span.set('key 0', '\uD800');
    span.end('error', 'm'.repeat(5_000));
    await tracer.flush();
    const [got] = receiver.spans;
    assert.equal(got?.name.length, 256);
    assert.equal(Object.keys(got?.attributes ?? {}).length, 128);
    assert.equal(`${got?.attributes['key 1']}`.length, 1_024);
    assert.equal(got?.attributes['key 0'], '\uFFFD');
    assert.equal(got?.status.message?.length, 1_024);
  }));

test('samplers decide by the parent and by the trace', async () => {
  const count = async (env: Environment, metas: readonly string[]): Promise<number> => {
    let exported = 0;
    await withTracer(env, async ({ tracer }) => {
      for (const traceparent of metas) tracer.start('a', { traceparent }).end('ok');
      await tracer.flush();
      exported = tracer.figures.exported;
    });
    return exported;
  };
  const [yes, no, none] = [`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-00`, ''];
  const sampler = (OTEL_TRACES_SAMPLER: string, OTEL_TRACES_SAMPLER_ARG = '') => ({
    OTEL_TRACES_SAMPLER,
    OTEL_TRACES_SAMPLER_ARG,
  });
  assert.equal(await count({}, [yes, no, none]), 2, 'parentbased_always_on');
  assert.equal(await count(sampler('always_on'), [yes, no, none]), 3);
  assert.equal(await count(sampler('always_off'), [yes, no, none]), 0);
  assert.equal(await count(sampler('parentbased_always_off'), [yes, no, none]), 1);
  const traces = Array.from({ length: 1_000 }, (_, at) => {
    const id = createHash('sha256').update(`${at}`).digest('hex').slice(0, 32);
    return `00-${id}-${PARENT}-00`;
  });
  const taken = await count(sampler('traceidratio', '0.25'), traces);
  assert.ok(taken > 200 && taken < 300, `${taken} of 1,000`);
  assert.equal(await count(sampler('traceidratio', '0.25'), traces), taken, 'the same ones each time');
});

test('without the variables, or switched off, nothing is traced and nothing loaded for it', () => {
  const log = createLogger({ write: () => assert.fail('nothing to say') });
  const off: Environment[] = [
    {},
    { OTEL_SERVICE_NAME: 'x' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:1', OTEL_SDK_DISABLED: 'TRUE' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:1', OTEL_TRACES_EXPORTER: 'none' },
  ];
  for (const env of off) assert.equal(createTracer(env, { version: '1', log }), NO_TRACES);
});
