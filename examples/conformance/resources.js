// The resources of the scenarios, and completion.

import { PIXEL } from './samples.js';

const words = (value) => ({ tag: 'text', val: value });
const RESOURCES = {
  'test://static-text': {
    name: 'static-text',
    mimeType: 'text/plain',
    body: words('This is the content of the static text resource.'),
  },
  'test://static-binary': { name: 'static-binary', mimeType: 'image/png', body: { tag: 'blob', val: PIXEL } },
  'test://watched-resource': { name: 'watched', mimeType: 'text/plain', body: words('Watched') },
};

export const resources = {
  listResources: () =>
    Object.entries(RESOURCES).map(([uri, { name, mimeType }]) => ({ uri, name, mimeType })),
  listTemplates: () => [
    {
      uriTemplate: 'test://template/{id}/data',
      name: 'template',
      description: 'Data by id',
      mimeType: 'application/json',
    },
  ],
  read(uri) {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? [];
    if (id !== undefined) {
      const body = words(JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }));
      return { contents: [{ uri, mimeType: 'application/json', body }] };
    }
    if (!Object.hasOwn(RESOURCES, uri)) return undefined;
    const { mimeType, body } = RESOURCES[uri];
    return { contents: [{ uri, mimeType, body }] };
  },
};

export const completion = {
  complete(_reference, _name, value) {
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(value));
    return { values, total: values.length, hasMore: false };
  },
};
