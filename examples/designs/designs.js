// A small design studio that speaks MCP itself: tools that change designs, designs as resources with change notices,
// prompts, completion. Designs live in one granted bucket, a key for each, so that an instance per call is enough.

import * as host from 'witbox:mcp/host@0.1.0';
import { createTools, embedded, object, text } from '../lib/mcp.js';
import { encode } from '../lib/utf8.js';
import { COLOR, KINDS, toSvg } from './drawing.js';
import { platforms } from './prompts.js';
import {
  addElement,
  createDesign,
  deleteDesign,
  findDesign,
  getDesign,
  listDesigns,
  updateElement,
  uriOf,
} from './studio.js';

export { prompts } from './prompts.js';

// ---- tools ----

const ID = { type: 'string', minLength: 1, maxLength: 64, description: 'Id of the design' };
const SIDE = { type: 'integer', minimum: 1, maximum: 10_000 };
const color = (description, more) => ({ type: 'string', pattern: COLOR, description, ...more });
const number = (description, more) => ({
  type: 'number',
  minimum: -100_000,
  maximum: 100_000,
  description,
  ...more,
});

const LOOK = {
  x: number('From the left, in pixels'),
  y: number('From the top, in pixels'),
  width: number('In pixels', { minimum: 0 }),
  height: number('In pixels', { minimum: 0 }),
  fill: color('Colour: a name or #rrggbb'),
  text: { type: 'string', maxLength: 10_000, description: 'What a text element says' },
  size: number('Height of letters in pixels', { minimum: 1, maximum: 2_000 }),
};

const DEFAULTS = { x: 0, y: 0, width: 100, height: 100, fill: '#222222', text: '', size: 48 };
const withDefaults = Object.fromEntries(
  Object.entries(LOOK).map(([name, schema]) => [name, { ...schema, default: DEFAULTS[name] }]),
);

const summary = ({ id, name, width, height, elements, updated }) => ({
  id,
  name,
  width,
  height,
  elements: elements.length,
  updated,
  uri: uriOf(id),
});

const SUMMARY = object(
  {
    id: { type: 'string' },
    name: { type: 'string' },
    width: SIDE,
    height: SIDE,
    elements: { type: 'integer' },
    updated: { type: 'string' },
    uri: { type: 'string' },
  },
  ['id', 'name', 'width', 'height', 'elements', 'updated', 'uri'],
);

/** Those who look at the design or at its picture hear of it. */
function changed(id) {
  host.resourceChanged(uriOf(id));
  host.resourceChanged(`${uriOf(id)}/svg`);
}

const ADD = {
  title: 'Add an element',
  description: 'Puts a shape or a text on top of a design',
  input: object({ design_id: ID, type: { type: 'string', enum: KINDS }, ...withDefaults }, [
    'design_id',
    'type',
  ]),
  annotations: { destructive: false, openWorld: false },
  run({ design_id, ...element }) {
    const added = addElement(design_id, { ...DEFAULTS, ...element });
    changed(design_id);
    return added;
  },
};

export const tools = createTools({
  list_designs: {
    title: 'List designs',
    description: 'Every design there is, with its size and the number of its elements',
    output: object({ designs: { type: 'array', items: SUMMARY } }, ['designs']),
    annotations: { readOnly: true, openWorld: false },
    run: () => ({ designs: listDesigns().map(summary) }),
  },
  create_design: {
    title: 'Create a design',
    description: 'Makes an empty design and gives its id',
    input: object(
      {
        name: { type: 'string', minLength: 1, maxLength: 200, description: 'Name of the design' },
        width: { ...SIDE, default: 1920, description: 'Width of the canvas in pixels' },
        height: { ...SIDE, default: 1080, description: 'Height of the canvas in pixels' },
        background: color('Colour behind everything', { default: '#ffffff' }),
      },
      ['name'],
    ),
    output: SUMMARY,
    annotations: { destructive: false, openWorld: false },
    run(args) {
      const design = createDesign(args);
      changed(design.id);
      return summary(design);
    },
  },
  add_element: ADD,
  // Some clients number the tools of a server and remember that name.
  '590_add_element': { ...ADD, description: `${ADD.description}; another name for add_element` },
  update_element: {
    title: 'Change an element',
    description: 'Changes what is given and leaves the rest of an element as it is',
    input: object({ design_id: ID, element_id: { type: 'string', maxLength: 32 }, ...LOOK }, [
      'design_id',
      'element_id',
    ]),
    annotations: { destructive: false, idempotent: true, openWorld: false },
    run({ design_id, element_id, ...changes }) {
      const after = updateElement(design_id, element_id, changes);
      changed(design_id);
      return after;
    },
  },
  delete_design: {
    title: 'Delete a design',
    description: 'Removes a design for good',
    input: object({ design_id: ID }, ['design_id']),
    annotations: { destructive: true, openWorld: false },
    run({ design_id }) {
      deleteDesign(design_id);
      changed(design_id);
      return `Deleted "${design_id}"`;
    },
  },
  export_design: {
    title: 'Export a design',
    description: 'Gives a design as SVG: as an image to look at and as a resource to keep',
    input: object({ design_id: ID }, ['design_id']),
    annotations: { readOnly: true, openWorld: false },
    run({ design_id }) {
      const design = getDesign(design_id);
      const svg = toSvg(design);
      return {
        content: [
          text(`"${design.name}", ${design.width} × ${design.height}`),
          { tag: 'image', val: { data: encode(svg), mimeType: 'image/svg+xml' } },
          embedded(`${uriOf(design_id)}/svg`, 'image/svg+xml', svg),
        ],
      };
    },
  },
});

// ---- resources ----

/** Lists are asked for before anything is granted: then there is nothing to show yet. */
function shownDesigns() {
  try {
    return listDesigns();
  } catch {
    return [];
  }
}

export const resources = {
  listResources: () =>
    shownDesigns().map(({ id, name, width, height }) => ({
      uri: uriOf(id),
      name,
      title: name,
      description: `Design of ${width} × ${height} pixels`,
      mimeType: 'application/json',
    })),
  listTemplates: () => [
    {
      uriTemplate: 'design://{id}',
      name: 'design',
      description: 'A design with its elements',
      mimeType: 'application/json',
    },
    {
      uriTemplate: 'design://{id}/svg',
      name: 'picture',
      description: 'A design as SVG',
      mimeType: 'image/svg+xml',
    },
  ],
  read(uri) {
    const [, id, picture] = /^design:\/\/([a-z0-9-]{1,64})(\/svg)?$/.exec(uri) ?? [];
    const design = id === undefined ? null : findDesign(id);
    if (design === null) return undefined;
    const [mimeType, body] = picture
      ? ['image/svg+xml', toSvg(design)]
      : ['application/json', JSON.stringify(design, null, 2)];
    return { contents: [{ uri, mimeType, body: { tag: 'text', val: body } }] };
  },
};

// ---- completion ----

export const completion = {
  complete(_reference, name, value) {
    const known =
      name === 'platform'
        ? platforms
        : name === 'design_id' || name === 'id'
          ? shownDesigns().map(({ id }) => id)
          : [];
    const values = known.filter((one) => one.startsWith(value.toLowerCase()));
    return { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 };
  },
};
