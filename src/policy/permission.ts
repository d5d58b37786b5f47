// Requests as the short strings that people and error answers use, and back: `network:api.example.com`,
// `storage:fs:///data/x (read)`, `environment:API_KEY`, `secret:API_KEY`. The string names what would have to be granted.

import { WitboxError } from '../core/errors.ts';
import { parsePort, splitAuthority } from './endpoint.ts';
import { canonicalHost } from './host.ts';
import { NAMED_SECTIONS, type NamedSection } from './policy.ts';
import type { PolicyRequest } from './request.ts';
import { pathSegments, pathToUri, uriToPath } from './storage-uri.ts';

const MAX_TEXT = 512;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443 };

export function permissionOf(request: PolicyRequest): string {
  if (request.kind === 'storage')
    return clip(
      `storage:${pathSegments(request.path) ? pathToUri(request.path) : request.path} (${request.access})`,
    );
  if (request.kind !== 'network') return clip(`${request.kind}:${request.name}`);
  const host = canonicalHost(request.host)?.text ?? request.host;
  const { port, scheme } = request;
  const shown = port == null || port === DEFAULT_PORTS[scheme ?? ''] ? '' : `:${port}`;
  return clip(`network:${host.includes(':') && shown ? `[${host}]` : host}${shown}`);
}

/** A storage permission without an access stands for both, so that there can be two requests. */
export function parsePermission(text: string): readonly PolicyRequest[] {
  const match = /^([a-z]+):(.+)$/s.exec(text);
  const requests = match && text.length <= 8192 ? parseRest(match[1]!, match[2]!) : undefined;
  if (requests) return requests;
  throw new WitboxError('permission-invalid', { permission: clip(text) });
}

function parseRest(section: string, rest: string): readonly PolicyRequest[] | undefined {
  if (section === 'storage') return parseStorage(rest);
  if (section === 'network') return parseNetwork(rest);
  if (section === 'secret') return [{ kind: 'secret', name: rest }];
  return Object.hasOwn(NAMED_SECTIONS, section) ? [{ kind: section as NamedSection, name: rest }] : undefined;
}

function parseStorage(rest: string): readonly PolicyRequest[] | undefined {
  const match = /^(.*?)(?: \((read|write|read, ?write)\))?$/s.exec(rest);
  const path = match && uriToPath(match[1]!);
  if (path === null || path === undefined) return undefined;
  const asked = match?.[2] ?? 'read, write';
  return (['read', 'write'] as const)
    .filter((access) => asked.includes(access))
    .map((access) => ({ kind: 'storage', path, access }));
}

function parseNetwork(rest: string): readonly PolicyRequest[] | undefined {
  const authority = splitAuthority(rest);
  if (!authority || !canonicalHost(authority.host)) return undefined;
  const { scheme, host } = authority;
  const port = authority.port === undefined ? DEFAULT_PORTS[scheme ?? ''] : parsePort(authority.port);
  if (authority.port !== undefined && port === undefined) return undefined;
  return [{ kind: 'network', host, scheme: scheme ?? null, port: port ?? null }];
}

function clip(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
