import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startReceiver } from '../../test/support/otlp-receiver.ts';
import type { CallContext } from '../catalog/catalog.ts';
import { LOCAL } from '../core/caller.ts';
import { createLogger } from '../core/log.ts';
import { createTracer } from '../telemetry/otlp/tracer.ts';
import { NO_METER } from '../telemetry/ports.ts';
import { type Attempt, createRecorder } from './recorder.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const context: CallContext = {
  caller: LOCAL,
  client: { info: null, revision: '2025-11-25', capabilities: {} },
  transport: 'websocket',
  session: null,
  signal: new AbortController().signal,
  meta: { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` },
  tasks: false,
  progress() {},
  log() {},
  closeStream() {},
};

test('a call is a span of its caller’s trace, with the names that conventions have', async () => {
  const receiver = await startReceiver();
  const log = createLogger({ write: () => {} });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin };
  const tracer = createTracer(env, { version: '1', log });
  const now = () => performance.now();
  const recorder = createRecorder({ audit: null, meter: NO_METER, tracer, now });
  const owner = { component: 'calc', digest: 'sha256:0' };
  const call = (attempt: Omit<Attempt, 'owner' | 'reads'>, outcome: string) =>
    recorder.begin({ ...attempt, owner, reads: true }, context).end(outcome, undefined);
  try {
    await call({ method: 'tools/call', target: 'add' }, 'tool-error');
    await call({ method: 'resources/read', target: 'memo://a/b?token=s3cret#x' }, 'ok');
    await tracer.flush();
    assert.deepEqual(receiver.faults, []);
    const [tool, resource] = receiver.spans;
    assert.deepEqual([tool?.name, tool?.traceId, tool?.status.code], ['tools/call add', TRACE, 2]);
    assert.deepEqual(tool?.attributes, {
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': '2025-11-25',
      'network.transport': 'tcp',
      'witbox.transport': 'websocket',
      'enduser.id': 'local',
      'witbox.component': 'calc',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'add',
      'witbox.outcome': 'tool-error',
      'error.type': 'tool_error',
    });
    assert.deepEqual(
      [resource?.name, resource?.attributes['mcp.resource.uri']],
      ['resources/read', 'memo://a/b'],
    );
    assert.ok(!JSON.stringify(receiver.spans).includes('s3cret'));
  } finally {
    await tracer.close();
    await receiver.close();
  }
});
