// docs/mcp-components.md: every function of the package is in it, and the component it shows works.

import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { componentize } from 'componentize-qjs';
import { callTool, openPeer } from '../../examples/peer.ts';
import { serve } from '../../examples/serve.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const document = await readFile(join(ROOT, 'docs/mcp-components.md'), 'utf8');

test('every function and every question of witbox:mcp is documented', async () => {
  const wit = await readFile(join(ROOT, 'wit/mcp.wit'), 'utf8');
  const functions = [...wit.matchAll(/^ {2}([a-z-]+): func/gm)].map(([, name]) => name!);
  assert.ok(functions.length > 15);
  const [, questions = ''] = /variant question \{([^}]*)\}/.exec(wit) ?? [];
  const names = [...questions.matchAll(/^\s+([a-z-]+)/gm)].map(([, name]) => name!);
  assert.ok(names.length >= 4);
  for (const name of [...functions, ...names]) assert.ok(document.includes(`\`${name}\``), name);
});

test('the component of the document greets whoever answers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'witbox-document-'));
  try {
    const block = (name: string): string =>
      new RegExp(`^\`\`\`\\w+ file=${name}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(document)?.[1] ?? '';
    await mkdir(join(folder, 'wit/deps'), { recursive: true });
    await writeFile(join(folder, 'wit/greeter.wit'), block('greeter.wit'));
    await cp(join(ROOT, 'wit/mcp.wit'), join(folder, 'wit/deps/mcp.wit'));
    const { component } = await componentize({
      witPath: join(folder, 'wit'),
      jsSource: block('greeter.js'),
      sync: true,
    });
    const file = join(folder, 'greeter.wasm');
    await writeFile(file, component);
    const policy = 'version: "1.0"\npermissions: { mcp: { allow: [{ capability: elicitation }] } }\n';
    const served = await serve({ components: [{ file, policy }] });
    for (const revision of ['2025-06-18', '2026-07-28'] as const) {
      const peer = await openPeer(served, revision, {
        capabilities: { elicitation: {} },
        answers: { 'elicitation/create': () => ({ action: 'accept', content: { name: 'Ada' } }) },
      });
      assert.equal((await callTool(peer, 'greet')).content[0]!.text, 'Hello, Ada!');
      await peer.wire.close();
    }
    await served.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
