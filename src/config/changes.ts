// What differs between two configurations, by path, and which of it a running server cannot take up.

import type { Json } from '../core/json.ts';
import { canonical } from '../core/json-schema/json.ts';
import type { Config } from './config.ts';
import { configJson } from './show.ts';

/** Decided when the server starts. Everything else is applied to the running one. */
const AT_START = [
  'listen.host',
  'listen.port',
  'listen.transports',
  'listen.limits',
  'listen.tls',
  'listen.trust-proxy',
  'components',
  'watch',
  'data-dir',
  'management',
  'secrets',
];

/** Paths of keys that differ: `limits.caller.requests.rate`, lists as a whole. */
export function changedKeys(before: Config, after: Config): readonly string[] {
  return differences(configJson(before), configJson(after), '');
}

export const needsRestart = (path: string): boolean =>
  AT_START.some((start) => path === start || path.startsWith(`${start}.`));

/** The next configuration with everything in it that was decided at the start. */
export function keepStart(start: Config, next: Config): Config {
  const { components, watch, management, secrets } = start;
  const { host, port, transports, limits, tls, trustProxy } = start.listen;
  const listen = { ...next.listen, host, port, transports, limits, tls, trustProxy };
  return { ...next, components, watch, management, secrets, listen };
}

function differences(before: Json | undefined, after: Json | undefined, path: string): string[] {
  if (!isMapping(before) || !isMapping(after)) return canonical(before) === canonical(after) ? [] : [path];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) =>
    differences(before[key], after[key], path === '' ? key : `${path}.${key}`),
  );
}

function isMapping(value: Json | undefined): value is { readonly [key: string]: Json | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
