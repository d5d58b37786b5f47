// Designs in a bucket: one key for each, whose value is the design as JSON. Two calls that change the same design at the
// same moment leave the later one's version.

import { open } from 'wasi:keyvalue/store@0.2.0-draft';
import { UserError } from '../lib/mcp.js';
import { decode, encode } from '../lib/utf8.js';

const PREFIX = 'design/';
const MOST_ELEMENTS = 1_000;

const bucket = () => open('designs');
const read = (bytes) => JSON.parse(decode(bytes));

export const uriOf = (id) => `design://${id}`;

export function listDesigns() {
  const store = bucket();
  const keys = [];
  let cursor = null;
  do {
    const page = store.listKeys(cursor);
    keys.push(...page.keys);
    cursor = page.cursor ?? null;
  } while (cursor !== null);
  const found = keys.filter((key) => key.startsWith(PREFIX)).map((key) => store.get(key));
  return found.filter((bytes) => bytes !== null && bytes !== undefined).map(read);
}

/** Null if there is none. */
export function findDesign(id) {
  const bytes = bucket().get(PREFIX + id);
  return bytes === null || bytes === undefined ? null : read(bytes);
}

export function getDesign(id) {
  const design = findDesign(id);
  if (design === null) throw new UserError(`There is no design "${id}": list_designs shows what there is`);
  return design;
}

export function saveDesign(design) {
  const saved = { ...design, updated: new Date().toISOString() };
  bucket().set(PREFIX + design.id, encode(JSON.stringify(saved)));
  return saved;
}

export function createDesign({ name, width = 1920, height = 1080, background = '#ffffff' }) {
  const id = freeId(name);
  return saveDesign({ id, name, width, height, background, elements: [], created: new Date().toISOString() });
}

export function deleteDesign(id) {
  getDesign(id);
  bucket().delete(PREFIX + id);
}

export function addElement(id, element) {
  const design = getDesign(id);
  if (design.elements.length >= MOST_ELEMENTS)
    throw new UserError(`A design has at most ${MOST_ELEMENTS} elements`);
  const last = Math.max(0, ...design.elements.map((one) => Number(one.id.slice(2))));
  const added = { id: `e-${last + 1}`, ...element };
  saveDesign({ ...design, elements: [...design.elements, added] });
  return added;
}

export function updateElement(id, elementId, changes) {
  const design = getDesign(id);
  const before = design.elements.find((one) => one.id === elementId);
  if (before === undefined) throw new UserError(`Design "${id}" has no element "${elementId}"`);
  const after = { ...before, ...changes };
  saveDesign({ ...design, elements: design.elements.map((one) => (one === before ? after : one)) });
  return after;
}

/** From the name, so that people recognise it; with a number if that is taken. */
function freeId(name) {
  const store = bucket();
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  const base = plain === '' ? 'design' : plain;
  for (let n = 1; ; n++) {
    const id = n === 1 ? base : `${base}-${n}`;
    if (!store.exists(PREFIX + id)) return id;
  }
}
