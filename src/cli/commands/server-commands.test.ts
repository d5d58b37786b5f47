// The commands that talk to a server, as child processes, against the fixture server on every transport.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { define, text } from '../../../test/mcp/fixture/define.ts';
import { createHarness, type Harness } from '../../../test/mcp/harness.ts';

const root = join(import.meta.dirname, '../../..');
const launcher = join(root, 'bin/witbox.cjs');
const fixture = [process.execPath, join(root, 'test/mcp/fixture/serve.ts'), '--stdio'];
const temp = mkdtempSync(join(tmpdir(), 'witbox-server-'));

let harness: Harness;
before(async () => {
  harness = await createHarness();
});
after(async () => {
  await harness.close();
  rmSync(temp, { recursive: true, force: true });
});

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function witbox(args: readonly string[], whenErr?: (text: string, kill: () => void) => void): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: temp,
      env: { PATH: '', HOME: temp },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
      whenErr?.(stderr, () => child.kill('SIGINT'));
    });
    child.on('error', reject).on('close', (status) => resolve({ status, stdout, stderr }));
  });
}

const mcp = (): string => `${harness.origin}/mcp`;

suite('commands with a server', { concurrency: 3 }, () => {
  test('a tool is called on every transport', async () => {
    const targets: readonly string[][] = [
      ['--server', mcp()],
      ['--server', `${harness.origin}/sse`],
      ['--server', `${harness.origin.replace('http', 'ws')}/ws`],
      ['--', ...fixture],
    ];
    for (const target of targets) {
      const ended = await witbox(['tool', 'call', 'add', 'a=5', 'b=3', ...target]);
      assert.deepEqual(ended, { status: 0, stdout: '8\n', stderr: '' }, target.join(' '));
    }
  });

  test('lists are tables for people and JSON for programs', async () => {
    const tools = await witbox(['tool', 'list', '--server', mcp()]);
    assert.match(tools.stdout, /^add +\S/m);
    const json = await witbox(['tool', 'list', '--json', '--server', mcp()]);
    assert.ok(JSON.parse(json.stdout).some((tool: { name: string }) => tool.name === 'add'));
    const resources = await witbox(['resource', 'list', '--server', mcp()]);
    assert.match(resources.stdout, /^test:\/\/static-text +text\/plain +\S/m);
    assert.match(resources.stdout, /^test:\/\/template\/\{id\}\/data/m);
    const prompts = await witbox(['prompt', 'list', '--server', mcp()]);
    assert.match(prompts.stdout, /^test_prompt_with_arguments +arg1 arg2 +\S/m);
  });

  test('resources are read and prompts filled in', async () => {
    const read = await witbox(['resource', 'read', 'test://static-text', '--server', mcp()]);
    assert.equal(read.status, 0);
    assert.match(read.stdout, /\S/);
    const got = await witbox([
      'prompt',
      'get',
      'test_prompt_with_arguments',
      'arg1=one',
      'arg2=2',
      '--server',
      mcp(),
    ]);
    assert.match(got.stdout, /^user:\n.*one.*2/s);
  });

  test('images are saved and named, and nothing is overwritten', async () => {
    const save = join(temp, 'pictures');
    const args = ['tool', 'call', 'test_image_content', '--save', save, '--server', mcp()];
    const [first, second] = [await witbox(args), await witbox(args)];
    assert.match(first.stdout, /^image saved as .*test_image_content-1\.png \(\d+ bytes\)\n$/);
    assert.match(second.stdout, /test_image_content-2\.png/);
    assert.deepEqual(readdirSync(save), ['test_image_content-1.png', 'test_image_content-2.png']);
    const magic = readFileSync(join(save, 'test_image_content-1.png')).subarray(1, 4);
    assert.equal(magic.toString(), 'PNG');
  });

  test('progress and logs come on standard error, questions are answered from the command line', async () => {
    const progress = await witbox(['tool', 'call', 'test_tool_with_progress', '--server', mcp()]);
    assert.match(progress.stderr, /^0\/100.*\n50\/100.*\n100\/100/);
    const logged = await witbox([
      'tool',
      'call',
      'test_tool_with_logging',
      '--log',
      'debug',
      '--server',
      mcp(),
    ]);
    assert.match(logged.stderr, /^info/m);
    const asked = await witbox([
      'tool',
      'call',
      'test_input_required_result_elicitation',
      '--answer',
      'name=Ada',
      '--server',
      mcp(),
    ]);
    assert.equal(asked.stdout, 'Hello, Ada!\n');
  });

  test('a server is found by its name', async () => {
    const [command, ...args] = fixture;
    writeFileSync(join(temp, '.mcp.json'), JSON.stringify({ mcpServers: { mine: { command, args } } }));
    const ended = await witbox(['tool', 'call', 'add', 'a=1', 'b=1', '--server', 'mine']);
    assert.equal(ended.stdout, '2\n');
    assert.match(ended.stderr, /^witbox: Using "mine" from .*\.mcp\.json\n$/);
    const unknown = await witbox(['tool', 'list', '--server', 'other']);
    assert.equal(unknown.status, 2);
    assert.match(unknown.stderr, /Unknown server "other"/);
  });

  test('failures are one line with what the server said', async () => {
    const failing = await witbox(['tool', 'call', 'test_error_handling', '--server', mcp()]);
    assert.equal(failing.status, 1);
    const unknown = await witbox(['tool', 'call', 'nope', '--server', mcp()]);
    assert.equal(unknown.status, 1);
    assert.match(unknown.stderr, /^witbox: http:\S+ answered tools\/call with error -32602: .*nope.*\n$/);
    const nobody = await witbox(['tool', 'list', '--server', 'http://127.0.0.1:1/mcp']);
    assert.match(nobody.stderr, /^witbox: Cannot reach http:\/\/127\.0\.0\.1:1\/mcp: .*\n$/);
    const both = await witbox(['tool', 'list', '--server', mcp(), '--', 'x']);
    assert.equal(both.status, 2);
    const none = await witbox(['resource', 'list']);
    assert.match(none.stderr, /Name a server/);
  });

  test('the client is loaded only by commands that talk to a server', () => {
    const load = (...args: string[]) => {
      const script = `
        const { registerHooks } = require('node:module');
        registerHooks({ resolve(name, context, next) {
          if (name.startsWith('@modelcontextprotocol/')) throw new Error('loaded ' + name);
          return next(name, context);
        } });
        process.argv.splice(1, Infinity, 'witbox', ...${JSON.stringify(args)});
        require(${JSON.stringify(launcher)});
      `;
      return spawnSync(process.execPath, ['-e', script], {
        encoding: 'utf8',
        input: '',
        env: { HOME: temp },
      });
    };
    const without = [['--version'], ['serve', '--stdio'], ['tool', 'list']];
    for (const args of without) assert.equal(load(...args).stderr, '', args.join(' '));
    assert.match(load('tool', 'list', '--server', mcp()).stderr, /loaded @modelcontextprotocol\/client/);
  });

  for (const revision of ['2025-11-25', '2026-07-28']) {
    for (const transport of ['http', 'ws']) {
      test(`an interrupt cancels the call at the server and then ends, on ${transport} at ${revision}`, async () => {
        const name = `wait-${transport}-${revision}`;
        const { promise, resolve } = Promise.withResolvers<void>();
        harness.catalog.addTool(
          define(name, 'Waits until it is cancelled', async (_, context) => {
            context.progress(1, 2, 'waiting');
            await once(context.signal, 'abort');
            resolve();
            return text('Cancelled');
          }),
        );
        const address = transport === 'http' ? mcp() : `${harness.origin.replace('http', 'ws')}/ws`;
        const args = ['tool', 'call', name, '--revision', revision, '--server', address];
        const ended = await witbox(args, (seen, interrupt) => {
          if (seen.endsWith('1/2 waiting\n')) interrupt();
        });
        await promise;
        assert.equal(ended.status, 130);
        assert.match(ended.stderr, /witbox: Cancelled tools\/call\n$/);
      });
    }
  }
});
