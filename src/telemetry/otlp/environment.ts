// The standard environment variables of OpenTelemetry, as far as they speak of traces. Wrong values are told once and
// their defaults hold; headers may be secrets and are never told.

import { isSampler } from './sampler.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface TraceSettings {
  readonly endpoint: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip: boolean;
  /** For one request to the collector. */
  readonly timeoutMs: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: string;
  readonly ratio: number;
  readonly batch: BatchSettings;
}

export interface BatchSettings {
  readonly delayMs: number;
  /** For one batch, all attempts together. */
  readonly timeoutMs: number;
  readonly queue: number;
  readonly size: number;
}

export interface ReadSettings {
  /** Null: no traces. */
  readonly settings: TraceSettings | null;
  readonly warnings: readonly string[];
}

const DEFAULT_ENDPOINT = 'http://localhost:4318';
const DEFAULT_SAMPLER = 'parentbased_always_on';
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** Whether anybody asked for traces at all: nothing else has to be loaded if not. */
export function asksForTraces(env: Environment): boolean {
  const disabled = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  const names = [
    env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT,
    env.OTEL_EXPORTER_OTLP_ENDPOINT,
    env.OTEL_TRACES_EXPORTER,
  ];
  return !disabled && names.some(Boolean) && env.OTEL_TRACES_EXPORTER !== 'none';
}

export function readTraceSettings(env: Environment, version: string): ReadSettings {
  const warnings: string[] = [];
  const off = (warning?: string): ReadSettings => ({ settings: null, warnings: warning ? [warning] : [] });
  if (!asksForTraces(env)) return off();
  const exporter = env.OTEL_TRACES_EXPORTER || 'otlp';
  if (exporter !== 'otlp')
    return off(`OTEL_TRACES_EXPORTER is "${exporter}", only "otlp" is known: no traces are sent`);
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL || 'http/json';
  if (protocol === 'grpc') return off('OTLP over gRPC is not spoken: no traces are sent, set "http/json"');
  if (protocol !== 'http/json') warnings.push(`OTLP is spoken as "http/json", not as "${protocol}"`);
  const endpoint = readEndpoint(env);
  if (endpoint === null) return off('The OTLP endpoint is no http or https address: no traces are sent');

  const number = (name: string, standard: number, most: number, least = 0): number => {
    const text = env[name];
    if (text === undefined || text === '') return standard;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    warnings.push(`${name} is "${text}", expected a number from ${least} to ${most}`);
    return standard;
  };
  let sampler = env.OTEL_TRACES_SAMPLER || DEFAULT_SAMPLER;
  if (!isSampler(sampler)) {
    warnings.push(`OTEL_TRACES_SAMPLER is "${sampler}", which is not known: ${DEFAULT_SAMPLER} is used`);
    sampler = DEFAULT_SAMPLER;
  }
  const given = env.OTEL_TRACES_SAMPLER_ARG;
  let ratio = given === undefined || given === '' ? 1 : Number(given);
  if (!(ratio >= 0 && ratio <= 1)) {
    warnings.push(`OTEL_TRACES_SAMPLER_ARG is "${given}", expected a number from 0 to 1`);
    ratio = 1;
  }
  const queue = number('OTEL_BSP_MAX_QUEUE_SIZE', 2_048, 1 << 20, 1);
  const pairs = readPairs(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS || env.OTEL_EXPORTER_OTLP_HEADERS);
  const timeoutMs = number(
    env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT
      ? 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT'
      : 'OTEL_EXPORTER_OTLP_TIMEOUT',
    10_000,
    600_000,
    1,
  );
  const settings: TraceSettings = {
    endpoint,
    headers: Object.fromEntries(pairs.filter(([name, value]) => TOKEN.test(name) && !/[\r\n\0]/.test(value))),
    gzip: (env.OTEL_EXPORTER_OTLP_TRACES_COMPRESSION || env.OTEL_EXPORTER_OTLP_COMPRESSION) === 'gzip',
    timeoutMs,
    resource: readResource(env, version),
    sampler,
    ratio,
    batch: {
      delayMs: number('OTEL_BSP_SCHEDULE_DELAY', 5_000, 600_000),
      timeoutMs: number('OTEL_BSP_EXPORT_TIMEOUT', 30_000, 600_000, 1),
      queue,
      size: Math.min(queue, number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 1 << 16, 1)),
    },
  };
  return { settings, warnings };
}

/** The endpoint for all signals is a base; the one for traces is used as it is. */
function readEndpoint(env: Environment): URL | null {
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT || DEFAULT_ENDPOINT;
  const url = URL.parse(own || `${base.replace(/\/+$/, '')}/v1/traces`);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : null;
}

function readResource(env: Environment, version: string): Record<string, string> {
  const given = Object.fromEntries(readPairs(env.OTEL_RESOURCE_ATTRIBUTES));
  const name = env.OTEL_SERVICE_NAME || given['service.name'] || 'witbox';
  return {
    'service.version': version,
    'telemetry.sdk.name': 'witbox',
    'telemetry.sdk.language': 'nodejs',
    'telemetry.sdk.version': version,
    ...given,
    'service.name': name,
  };
}

/** `name=value,…` with values percent-encoded; what does not fit is left out. */
function readPairs(text = ''): (readonly [string, string])[] {
  return text.split(',').flatMap((pair) => {
    const equals = pair.indexOf('=');
    if (equals < 1) return [];
    try {
      return [[pair.slice(0, equals).trim(), decodeURIComponent(pair.slice(equals + 1).trim())] as const];
    } catch {
      return [];
    }
  });
}
