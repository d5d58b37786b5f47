// Spans as OTLP/HTTP wants them in JSON: ids as hex, 64-bit integers as decimal text, enumerations as numbers
// (opentelemetry-proto, "JSON Protobuf Encoding").

export type AttributeValue = string | number | boolean;

export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: ReadonlyMap<string, AttributeValue>;
  readonly droppedAttributes: number;
  /** Null: it went well. */
  readonly error: string | null;
}

export interface Origin {
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
}

const KIND_SERVER = 2;
const STATUS_ERROR = 2;
/** Sampled; and whether the parent is elsewhere is known. */
const FLAGS = 0x101;
const PARENT_IS_REMOTE = 0x200;

export function encodeSpans(spans: readonly FinishedSpan[], { resource, version }: Origin): string {
  const scope = { name: 'witbox', version };
  const attributes = Object.entries(resource).map(([key, value]) => attribute(key, value));
  return JSON.stringify({
    resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans: spans.map(encodeSpan) }] }],
  });
}

function encodeSpan(span: FinishedSpan): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.traceState === '' ? {} : { traceState: span.traceState }),
    ...(span.parentSpanId === '' ? {} : { parentSpanId: span.parentSpanId }),
    flags: span.parentSpanId === '' ? FLAGS : FLAGS | PARENT_IS_REMOTE,
    name: span.name,
    kind: KIND_SERVER,
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: [...span.attributes].map(([key, value]) => attribute(key, value)),
    droppedAttributesCount: span.droppedAttributes,
    status: span.error === null ? {} : { code: STATUS_ERROR, message: span.error },
  };
}

function attribute(key: string, value: AttributeValue): object {
  switch (typeof value) {
    case 'string':
      return { key, value: { stringValue: value } };
    case 'boolean':
      return { key, value: { boolValue: value } };
    default:
      return {
        key,
        value: Number.isSafeInteger(value)
          ? { intValue: `${value}` }
          : { doubleValue: Number.isFinite(value) ? value : `${value}` },
      };
  }
}

/** Doubles hold microseconds of today exactly enough; what is below would be noise. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}
