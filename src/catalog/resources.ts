// Components as resources: component://{id}/config, …/policy, …/metadata, and the call log …/log, which can be read by
// range. Everything is made at the moment it is read.

import { WitboxError } from '../core/errors.ts';
import type { Resource, ResourceContents, ResourceTemplate } from '../core/mcp.ts';
import type { Component } from './component.ts';
import { componentConfig, componentMetadata } from './component-facts.ts';
import type { Components } from './components.ts';

interface View {
  readonly title: string;
  readonly mimeType: string;
  text(component: Component): string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);

const VIEWS: Readonly<Record<string, View>> = {
  config: { title: 'Configuration', mimeType: 'application/json', text: (one) => json(componentConfig(one)) },
  policy: { title: 'Permission policy', mimeType: 'application/yaml', text: ({ spec }) => spec.policyText() },
  metadata: { title: 'Metadata', mimeType: 'application/json', text: (one) => json(componentMetadata(one)) },
  log: { title: 'Call log', mimeType: 'application/jsonl', text: ({ log }) => log.text() },
};

export const resourceUri = (id: string, view: string): string => `component://${id}/${view}`;

export function listResources(components: Components): Resource[] {
  return components.list().flatMap(({ spec }) =>
    Object.entries(VIEWS).map(([view, { title, mimeType }]) => ({
      uri: resourceUri(spec.id, view),
      name: `${spec.id}/${view}`,
      title: `${title} of ${spec.id}`,
      mimeType,
    })),
  );
}

export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = Object.entries(VIEWS).map(
  ([view, { title, mimeType }]) => ({
    uriTemplate: `component://{id}/${view}`,
    name: `component-${view}`,
    title: `${title} of a component`,
    mimeType,
  }),
);

/** Throws `resource-not-found`. */
export function readResource(components: Components, uri: string): ResourceContents {
  const [, id, name] = /^component:\/\/([^/]+)\/([a-z]+)$/.exec(uri) ?? [];
  const view = name !== undefined && Object.hasOwn(VIEWS, name) ? VIEWS[name] : undefined;
  const component = id === undefined ? undefined : components.get(id);
  if (view === undefined || component === undefined) throw new WitboxError('resource-not-found', { uri });
  return { uri, mimeType: view.mimeType, text: view.text(component) };
}
