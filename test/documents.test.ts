// What the documents promise about the repository, held against it.

import assert from 'node:assert/strict';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

test('every dependency is exact and has its reason in docs/dependencies.md', () => {
  const rows = read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .join('\n');
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    assert.ok(rows.includes(`\`${name}\``), `${name} has no row`);
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, `${name} is not exact`);
  }
});

test('every decision is listed', () => {
  const index = read('docs/decisions/README.md');
  for (const file of readdirSync(join(root, 'docs/decisions'))) {
    if (file !== 'README.md') assert.ok(index.includes(`(${file})`), `${file} is not in the index`);
  }
});

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: root });

test('links between documents lead somewhere', () => {
  for (const document of documents) {
    for (const [, target] of read(document).matchAll(/\]\((?!https?:)([^)#\s]+)/g)) {
      assert.ok(existsSync(resolve(root, dirname(document), target!)), `${document} links to ${target}`);
    }
  }
});

test('npm scripts that documents name exist', () => {
  for (const document of documents) {
    for (const [, name] of read(document).matchAll(/npm run ([\w:-]+)/g)) {
      assert.ok(Object.hasOwn(manifest.scripts, name!), `${document} names npm run ${name}`);
    }
  }
});

test('the README sets up with two commands', () => {
  const commands = [...read('README.md').matchAll(/^npm ci && npm \w+/gm)].map(([command]) => command);
  assert.deepEqual(commands, ['npm ci && npm start', 'npm ci && npm test']);
});
