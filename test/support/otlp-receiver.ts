// A collector for tests: takes OTLP/HTTP in JSON on loopback and refuses what the protocol's JSON encoding does not
// allow, field by field. Written from trace.proto and the specification; shares nothing with the exporter.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly flags: number;
  readonly name: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface Receiver {
  readonly origin: string;
  readonly spans: ReceivedSpan[];
  readonly resources: Readonly<Record<string, unknown>>[];
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly spans: number;
  }[];
  /** What was wrong with what came. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** `answer` is asked for each request, counted from 0; without it all is taken. */
export async function startReceiver(
  answer: (request: number) => Answer = () => ({ status: 200 }),
): Promise<Receiver> {
  const received: Omit<Receiver, 'origin' | 'close'> = { spans: [], resources: [], requests: [], faults: [] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const { status, headers = {}, body = '{}' } = answer(received.requests.length);
    try {
      assert.equal(request.method, 'POST');
      assert.equal(request.headers['content-type'], 'application/json');
      const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
      const spans = readRequest(JSON.parse(text.toString()), received.resources);
      received.requests.push({ path: request.url ?? '', headers: request.headers, spans: spans.length });
      if (status === 200) received.spans.push(...spans);
    } catch (error) {
      received.faults.push(`${error}`);
    }
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...received,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Fields = Record<string, unknown>;

function readRequest(value: Fields, resources: Readonly<Fields>[]): ReceivedSpan[] {
  only(value, ['resourceSpans']);
  return list(value.resourceSpans).flatMap((one) => {
    only(one, ['resource', 'scopeSpans', 'schemaUrl']);
    only(one.resource as Fields, ['attributes', 'droppedAttributesCount']);
    resources.push(readAttributes((one.resource as Fields).attributes));
    return list(one.scopeSpans).flatMap((scoped) => {
      only(scoped, ['scope', 'spans', 'schemaUrl']);
      only(scoped.scope as Fields, ['name', 'version', 'attributes']);
      return list(scoped.spans).map(readSpan);
    });
  });
}

function readSpan(span: Fields): ReceivedSpan {
  only(span, [
    ...['traceId', 'spanId', 'parentSpanId', 'traceState', 'flags', 'name', 'kind', 'startTimeUnixNano'],
    ...['endTimeUnixNano', 'attributes', 'droppedAttributesCount', 'status'],
  ]);
  assert.match(`${span.traceId}`, /^(?!0+$)[0-9a-f]{32}$/);
  assert.match(`${span.spanId}`, /^(?!0+$)[0-9a-f]{16}$/);
  if (span.parentSpanId !== undefined) assert.match(`${span.parentSpanId}`, /^(?!0+$)[0-9a-f]{16}$/);
  assert.ok(Number.isInteger(span.flags) && (span.flags as number) >= 0);
  assert.equal(span.kind, 2, 'SPAN_KIND_SERVER, as a number');
  for (const time of [span.startTimeUnixNano, span.endTimeUnixNano]) {
    assert.equal(typeof time, 'string');
    assert.match(`${time}`, /^[1-9]\d{18}$/, 'nanoseconds of our days');
  }
  assert.ok(BigInt(`${span.endTimeUnixNano}`) >= BigInt(`${span.startTimeUnixNano}`));
  only(span.status as Fields, ['code', 'message']);
  return { ...(span as unknown as ReceivedSpan), attributes: readAttributes(span.attributes) };
}

function readAttributes(value: unknown): Readonly<Record<string, unknown>> {
  const read = list(value).map(({ key, value: tagged }) => {
    assert.ok(typeof key === 'string' && key !== '');
    const [[kind, inner] = [], ...more] = Object.entries(tagged as Fields);
    assert.equal(more.length, 0, 'one of');
    if (kind === 'intValue') assert.match(`${inner}`, /^-?\d+$/);
    if (kind === 'intValue' || kind === 'stringValue') assert.equal(typeof inner, 'string');
    else if (kind === 'boolValue') assert.equal(typeof inner, 'boolean');
    else assert.equal(kind, 'doubleValue');
    return [key, kind === 'intValue' ? Number(inner) : inner] as const;
  });
  assert.equal(new Set(read.map(([key]) => key)).size, read.length, 'keys are unique');
  return Object.fromEntries(read);
}

function list(value: unknown): Fields[] {
  assert.ok(Array.isArray(value));
  return value as Fields[];
}

function only(value: Fields, names: readonly string[]): void {
  for (const name of Object.keys(value)) assert.ok(names.includes(name), `No field is called ${name}`);
}
