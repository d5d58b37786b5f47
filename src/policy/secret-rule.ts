// A rule of `secrets.allow`: one secret that the host adds to requests to one exact host, as a header or in the query,
// so that the component never holds it. Without a scheme it is https, without a port the one of the scheme: nothing is
// sent anywhere that the rule does not name.

import { CONNECTION_HEADERS } from '../core/connection-headers.ts';
import { parsePort, splitAuthority } from './endpoint.ts';
import { canonicalHost } from './host.ts';

export const SECRET_KEY = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/;
/** Stands for the secret in `value`. */
const BLANK = '{secret}';
const HEADER = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const QUERY = /^[\x21-\x7e]{1,128}$/;
const TEMPLATE = /^[\x20-\x7e]{1,1024}$/;
/** These say what the message is, and are the guest's or the connection's. */
const FRAMING: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-encoding',
  'content-type',
  'expect',
]);
const DEFAULT_PORTS = { https: 443, http: 80 } as const;

export interface SecretParts {
  readonly key: string;
  readonly host: string;
  readonly scheme?: string | undefined;
  readonly port?: string | undefined;
  readonly header?: string | undefined;
  readonly query?: string | undefined;
  readonly value?: string | undefined;
}

/** Where one secret goes. */
export interface SecretUse {
  readonly key: string;
  readonly scheme: 'http' | 'https';
  /** In the form that hosts are compared in. */
  readonly host: string;
  readonly port: number;
  readonly place: 'header' | 'query';
  readonly name: string;
  readonly template: string;
}

type Problem = { readonly field: keyof SecretParts; readonly problem: string };

/** The use, or which field is wrong and how. */
export function parseSecretUse(parts: SecretParts): SecretUse | Problem {
  const bad = (field: keyof SecretParts, problem: string): Problem => ({ field, problem });
  if (!SECRET_KEY.test(parts.key)) return bad('key', 'is not a name that a secret can have');
  const split = splitAuthority(parts.host);
  const host = split && canonicalHost(split.host);
  if (!split || !host) return bad('host', 'must be one host, as [scheme://]host[:port], without wildcards');
  if (split.scheme !== undefined && parts.scheme !== undefined) return bad('scheme', 'is given twice');
  if (split.port !== undefined && parts.port !== undefined) return bad('port', 'is given twice');
  const scheme = parts.scheme ?? split.scheme ?? 'https';
  if (scheme !== 'https' && scheme !== 'http')
    return bad(
      parts.scheme === undefined ? 'host' : 'scheme',
      'must have the scheme https, or http if you say so',
    );
  const portText = parts.port ?? split.port;
  const port = portText === undefined ? DEFAULT_PORTS[scheme] : parsePort(portText);
  if (port === undefined)
    return bad(parts.port === undefined ? 'host' : 'port', 'must have a port from 1 to 65535');
  const place = parts.header === undefined ? 'query' : 'header';
  const name = parts.header ?? parts.query ?? '';
  const problem =
    place === 'header' ? headerProblem(name) : QUERY.test(name) ? null : 'must be the name of a parameter';
  if (problem !== null) return bad(place, problem);
  const template = parts.value ?? BLANK;
  if (!TEMPLATE.test(template) || template.split(BLANK).length !== 2)
    return bad('value', `must be one line of ASCII with ${BLANK} in it once`);
  return { key: parts.key, scheme, host: host.text, port, place, name, template };
}

/** Equal for two uses that would be in each other's way. */
export function secretUseKey({ scheme, host, port, place, name }: SecretUse): string {
  return JSON.stringify([scheme, host, port, place, place === 'header' ? name.toLowerCase() : name]);
}

export function secretUseText({ key, scheme, host, port, place, name }: SecretUse): string {
  const shown = host.includes(':') ? `[${host}]` : host;
  const origin = `${scheme}://${shown}${port === DEFAULT_PORTS[scheme] ? '' : `:${port}`}`;
  return `${key} to ${origin} (${place} ${name})`;
}

export function fillTemplate({ template }: SecretUse, secret: string): string {
  const [before, after] = template.split(BLANK);
  return `${before}${secret}${after}`;
}

function headerProblem(name: string): string | null {
  if (!HEADER.test(name)) return 'must be the name of a header';
  const lower = name.toLowerCase();
  return CONNECTION_HEADERS.has(lower) || FRAMING.has(lower)
    ? 'is a header that cannot carry a secret'
    : null;
}
