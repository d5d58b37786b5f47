import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { parseExposition } from '../../test/support/exposition.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { watchProcess } from './process-metrics.ts';

const call = (metrics: Metrics, tool: string, more: { component?: string; seconds?: number } = {}) =>
  metrics.called({ method: 'tools/call', component: 'calc', outcome: 'ok', seconds: 0.02, tool, ...more });

function busy(): Metrics {
  const metrics = createMetrics();
  call(metrics, 'add');
  call(metrics, 'add', { seconds: 3_600 });
  call(metrics, 'a"b\\c\nd\u{1F600}\uD800', { component: 'evil"} 1\nx' });
  metrics.denied('forbidden', 'calc');
  metrics.denied('forbidden', 'calc');
  metrics.queued(3);
  metrics.gauge('witbox_cells', 'Cells', () => [
    { labels: { state: 'warm' }, value: 1 },
    { labels: { state: 'loaded' }, value: Number.POSITIVE_INFINITY },
  ]);
  watchProcess(metrics, { version: '1.2.3', now: () => new Date() });
  return metrics;
}

test('calls are counted by method, component, tool and outcome, and their durations put into buckets', () => {
  const families = parseExposition(busy().text());
  const labels = 'method="tools/call",component="calc",tool="add",outcome="ok"';
  assert.equal(families.get('witbox_calls_total')?.samples.get(`witbox_calls_total{${labels}}`), 2);
  const durations = families.get('witbox_call_duration_seconds')?.samples;
  assert.equal(durations?.get(`witbox_call_duration_seconds_bucket{${labels},le="0.01"}`), 0);
  assert.equal(durations?.get(`witbox_call_duration_seconds_bucket{${labels},le="0.025"}`), 1);
  assert.equal(durations?.get(`witbox_call_duration_seconds_bucket{${labels},le="60"}`), 1);
  assert.equal(durations?.get(`witbox_call_duration_seconds_bucket{${labels},le="+Inf"}`), 2);
  assert.equal(durations?.get(`witbox_call_duration_seconds_sum{${labels}}`), 3_600.02);
});

test('denials, the queue and what is read on demand are on the page', () => {
  const families = parseExposition(busy().text());
  const value = (name: string, labels = '') => families.get(name)?.samples.get(`${name}{${labels}}`);
  assert.equal(value('witbox_denials_total', 'reason="forbidden",component="calc"'), 2);
  assert.equal(value('witbox_queue_waiting'), 3);
  assert.equal(value('witbox_cells', 'state="warm"'), 1);
  assert.equal(value('witbox_build_info', `version="1.2.3",node="${process.versions.node}"`), 1);
  const begun = value('process_start_time_seconds') ?? 0;
  assert.ok(Math.abs(begun - (Date.now() / 1_000 - process.uptime())) < 2);
  assert.ok((value('process_resident_memory_bytes') ?? 0) > 1e6);
});

test('names beyond the limit are counted as one, and names that nobody owns are not kept', () => {
  const metrics = createMetrics({ names: { tools: 3, components: 2 } });
  for (let at = 0; at < 100; at += 1) {
    call(metrics, `invented-${at}`, { component: '' });
    call(metrics, `tool-${at}`, { component: `component-${at}` });
    metrics.called({
      method: 'resources/read',
      component: 'component-0',
      tool: `memo://${at}`,
      outcome: 'ok',
      seconds: 1,
    });
    metrics.denied('rate', `component-${at}`);
  }
  const families = parseExposition(metrics.text());
  const totals = families.get('witbox_calls_total')?.samples ?? new Map();
  assert.equal(
    [...totals.values()].reduce((sum, value) => sum + value, 0),
    300,
  );
  assert.ok(totals.size <= 7, `${totals.size} series`);
  assert.ok(![...totals.keys()].some((key) => /invented|memo/.test(key)));
  assert.ok([...totals.keys()].some((key) => key.includes('component="other",tool="other"')));
  assert.equal(families.get('witbox_denials_total')?.samples.size, 3);
});

test('a source that fails leaves the rest of the page as it is; a name is taken once', () => {
  const metrics = createMetrics();
  metrics.gauge('witbox_broken', 'Fails', () => {
    throw new Error('gone');
  });
  metrics.gauge('witbox_whole', 'Works', () => 7);
  const families = parseExposition(metrics.text());
  assert.ok(!families.has('witbox_broken'));
  assert.equal(families.get('witbox_whole')?.samples.get('witbox_whole{}'), 7);
  assert.throws(() => metrics.counter('witbox_whole', 'Again', () => 1));
});

const promtool = spawnSync('promtool', ['--version']).status === 0;
test('promtool takes the page', { skip: promtool ? false : 'promtool is not installed' }, () => {
  const { status, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input: busy().text(),
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  assert.equal(status, 0);
});
