import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceSettings } from './environment.ts';
import { traceContextOf } from './trace-context.ts';

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };
const read = (env: Record<string, string>) => readTraceSettings({ ...BASE, ...env }, '1');

test('the endpoint for traces is taken as it is, the one for all signals is a base', () => {
  assert.equal(read({}).settings?.endpoint.href, 'http://collector:4318/v1/traces');
  const own = read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/x?y=1' });
  assert.equal(own.settings?.endpoint.href, 'https://t.example/x?y=1');
  const implied = readTraceSettings({ OTEL_TRACES_EXPORTER: 'otlp' }, '1');
  assert.equal(implied.settings?.endpoint.href, 'http://localhost:4318/v1/traces');
});

test('what cannot be done is told, and traces are off or go another way', () => {
  const grpc = read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' });
  assert.deepEqual([grpc.settings, grpc.warnings.length], [null, 1]);
  const protobuf = read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' });
  assert.deepEqual([protobuf.settings !== null, protobuf.warnings.length], [true, 1]);
  const preferred = read({
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
  });
  assert.deepEqual([preferred.settings !== null, preferred.warnings], [true, []]);
  for (const wrong of [{ OTEL_TRACES_EXPORTER: 'zipkin' }, { OTEL_EXPORTER_OTLP_ENDPOINT: 'unix:/x' }]) {
    const { settings, warnings } = read(wrong);
    assert.deepEqual([settings, warnings.length], [null, 1]);
  }
});

test('wrong numbers and samplers are told and their defaults hold', () => {
  const { settings, warnings } = read({
    OTEL_EXPORTER_OTLP_TIMEOUT: '-1',
    OTEL_BSP_MAX_QUEUE_SIZE: '1e9',
    OTEL_BSP_SCHEDULE_DELAY: '250',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '2',
  });
  assert.equal(warnings.length, 4);
  assert.equal(settings?.timeoutMs, 10_000);
  assert.deepEqual(settings?.batch, { delayMs: 250, timeoutMs: 30_000, queue: 2_048, size: 512 });
  assert.deepEqual([settings?.sampler, settings?.ratio], ['parentbased_always_on', 1]);
});

test('headers that are none are left out', () => {
  const { settings } = read({
    OTEL_EXPORTER_OTLP_HEADERS: 'a=1, b c=2,d=x%0D%0Ay: z,=e,f,g=%zz,api-key=k%3D1',
  });
  assert.deepEqual(settings?.headers, { a: '1', 'api-key': 'k=1' });
});

const ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

test('traceparent is taken by its grammar alone', () => {
  const context = (traceparent: unknown) => traceContextOf({ traceparent } as { traceparent: string });
  const good = { traceId: ID, spanId: SPAN, state: '' };
  assert.deepEqual(context(`00-${ID}-${SPAN}-01`), { ...good, sampled: true });
  assert.deepEqual(context(`00-${ID}-${SPAN}-00`), { ...good, sampled: false });
  assert.deepEqual(context(`cc-${ID}-${SPAN}-03-what-comes-later`), { ...good, sampled: true });
  const bad = [
    undefined,
    null,
    7,
    '',
    `00-${ID}-${SPAN}-01-more`,
    `00-${ID}-${SPAN}-01 `,
    `00-${ID}-${SPAN}-01\n`,
    `ff-${ID}-${SPAN}-01`,
    `cc-${ID}-${SPAN}-01.later`,
    `00-${ID.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `00-${ID}-${SPAN}-1`,
    `cc-${ID}-${SPAN}-01-${'x'.repeat(1_000)}`,
  ];
  for (const one of bad) assert.equal(context(one), null, `${one}`);
  assert.equal(traceContextOf(Object.create({ traceparent: `00-${ID}-${SPAN}-01` })), null, 'own only');
});

test('tracestate is kept if it is well formed and left out if not', () => {
  const state = (tracestate: unknown) =>
    traceContextOf({ traceparent: `00-${ID}-${SPAN}-01`, tracestate } as { traceparent: string })?.state;
  assert.equal(
    state('rojo=00f067aa0ba902b7,\tcongo=t61rcWkgMzE ,'),
    'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE',
  );
  assert.equal(state('0tenant@vendor=a b'), '0tenant@vendor=a b');
  const many = Array.from({ length: 33 }, (_, at) => `k${at}=1`).join(',');
  for (const bad of [
    'A=1',
    'a=',
    'a',
    '=1',
    'a=1,a=2',
    'a=ü',
    'a=b=c',
    '0a=1',
    many,
    `a=${'x'.repeat(600)}`,
    5,
  ])
    assert.equal(state(bad), '', `${bad}`);
});
