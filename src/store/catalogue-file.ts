// `catalogue.json`: which components are loaded. The one place that says so: a directory or blob that it does not name is
// litter of an interrupted change. Read strictly, since other programs and people can write to it.

import { WitboxError } from '../core/errors.ts';
import { isComponentId } from './component-id.ts';

export interface ComponentConfig {
  /** A fresh instance for each call, or one per session for components with state. */
  readonly instance?: 'call' | 'session';
}

export interface StoredComponent {
  readonly id: string;
  /** `sha256:…` of the bytes. */
  readonly digest: string;
  readonly size: number;
  /** Where it came from, as a URI. */
  readonly source: string;
  /** ISO 8601. */
  readonly loadedAt: string;
  readonly config: ComponentConfig;
}

export const CATALOGUE_FILE = 'catalogue.json';
const FORMAT = 1;

export function formatCatalogue(components: readonly StoredComponent[]): string {
  return `${JSON.stringify({ format: FORMAT, components }, null, 2)}\n`;
}

/** Sorted by id. Without a file there are no components. */
export function parseCatalogue(text: string | undefined): readonly StoredComponent[] {
  if (text === undefined) return [];
  const components = readComponents(text);
  const ids = new Set(components.map(({ id }) => id));
  if (ids.size < components.length) throw corrupt('an id is there twice');
  return components.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function readComponents(text: string): readonly StoredComponent[] {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw corrupt('it is not JSON', error);
  }
  const { format, components } = (data ?? {}) as { format?: unknown; components?: unknown };
  if (format !== FORMAT)
    throw corrupt(`its format is ${JSON.stringify(format) ?? 'missing'}, expected ${FORMAT}`);
  if (!Array.isArray(components)) throw corrupt('it has no list of components');
  return components.map(readComponent);
}

function readComponent(entry: unknown): StoredComponent {
  const { id, digest, size, source, loadedAt, config } = (entry ?? {}) as Record<
    keyof StoredComponent,
    unknown
  >;
  if (typeof id !== 'string' || !isComponentId(id)) throw corrupt('an entry has no valid id');
  if (typeof digest !== 'string' || !isDigest(digest)) throw corrupt(`"${id}" has no valid digest`);
  if (typeof size !== 'number' || typeof source !== 'string' || typeof loadedAt !== 'string') {
    throw corrupt(`"${id}" is incomplete`);
  }
  return { id, digest, size, source, loadedAt, config: readConfig(id, config) };
}

function readConfig(id: string, config: unknown): ComponentConfig {
  if (typeof config !== 'object' || config === null) throw corrupt(`"${id}" has no config`);
  const { instance } = config as { instance?: unknown };
  if (instance === undefined) return {};
  if (instance !== 'call' && instance !== 'session') throw corrupt(`"${id}" has an unknown instance mode`);
  return { instance };
}

export function isDigest(text: string): boolean {
  return /^sha256:[0-9a-f]{64}$/.test(text);
}

function corrupt(problem: string, cause?: unknown): WitboxError {
  return new WitboxError('store-corrupt', { file: CATALOGUE_FILE, problem }, cause);
}
