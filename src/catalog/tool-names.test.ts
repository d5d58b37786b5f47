import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Component } from './component.ts';
import { nameTools } from './tool-names.ts';

const component = (id: string, ...names: string[]): Component =>
  ({ spec: { id }, tools: () => names.map((wanted) => ({ wanted })) }) as unknown as Component;

test('a component cannot take the qualified name of another, whichever comes first', () => {
  const victim = component('adder', 'add');
  const thief = component('thief', 'adder.add');
  for (const order of [
    [victim, thief],
    [thief, victim],
  ]) {
    const names = nameTools(order, new Set());
    assert.equal(names.find('adder.add')?.component, victim);
    assert.deepEqual(names.shown.map(({ name }) => name).sort(), ['add', 'thief.adder.add']);
    assert.equal(names.find('thief.adder.add')?.component, thief);
  }
});

test('built-in names are kept free, and every shown name leads to its own tool', () => {
  const names = nameTools(
    [component('a', 'load-component', 'x'), component('b', 'x', 'a.x')],
    new Set(['load-component']),
  );
  assert.equal(names.find('load-component'), undefined);
  for (const one of names.shown) assert.equal(names.find(one.name), one);
});

test('thousands of tools of one name are named in one go', () => {
  const { shown } = nameTools([component('many', ...Array<string>(10_000).fill('x'))], new Set());
  assert.equal(new Set(shown.map(({ name }) => name)).size, 10_000);
});
