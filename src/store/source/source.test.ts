import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { startHttps } from '../../../test/store/https-server.ts';
import { digestOf } from '../blobs.ts';
import { fetchComponent } from './source.ts';

const WASM = new Uint8Array([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]);

async function temporary(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-source-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

test('a file is read by path or URL, with what lies beside it', async (t) => {
  const directory = await temporary(t);
  await writeFile(join(directory, 'tool.component.wasm'), WASM);
  await writeFile(join(directory, 'tool.tools.yaml'), 'tools: {}');
  await writeFile(join(directory, 'tool.policy.yaml'), 'version: "1.0"');
  for (const reference of [
    'tool.component.wasm',
    './tool.component.wasm',
    join(directory, 'tool.component.wasm'),
    `file://${directory}/tool.component.wasm`,
  ]) {
    const component = await fetchComponent(reference, { directory });
    assert.deepEqual([...component.bytes], [...WASM]);
    assert.equal(component.uri, `file://${directory}/tool.component.wasm`);
    assert.deepEqual(
      [component.name, component.tools, component.requested],
      ['tool.component.wasm', 'tools: {}', 'version: "1.0"'],
    );
  }
});

test('what is no readable WebAssembly file is refused with the reason', async (t) => {
  const directory = await temporary(t);
  await mkdir(join(directory, 'folder'));
  await writeFile(join(directory, 'text.wasm'), 'hello');
  await writeFile(join(directory, 'empty.wasm'), '');
  await writeFile(join(directory, 'big.wasm'), Buffer.concat([WASM, Buffer.alloc(100)]));
  await symlink('loop.wasm', join(directory, 'loop.wasm'));
  await promisify(execFile)('mkfifo', [join(directory, 'pipe.wasm')]);
  for (const [reference, code, message] of [
    ['missing.wasm', 'source-unreadable', 'no such file'],
    ['text.wasm/x', 'source-unreadable', 'no such file'],
    ['folder', 'source-unreadable', 'not a regular file'],
    ['pipe.wasm', 'source-unreadable', 'not a regular file'],
    ['/dev/zero', 'source-unreadable', 'not a regular file'],
    ['loop.wasm', 'source-unreadable', 'cannot be opened'],
    ['text.wasm', 'source-unreadable', 'not WebAssembly'],
    ['empty.wasm', 'source-unreadable', 'not WebAssembly'],
    ['big.wasm', 'source-too-large', 'larger than 64 bytes'],
    ['a\0b', 'source-unsupported', 'NUL'],
    ['file://elsewhere/x.wasm', 'source-unsupported', 'of this machine'],
    ['http://example.com/x.wasm', 'source-unsupported', 'use https:'],
    ['ftp://example.com/x.wasm', 'source-unsupported', 'unknown scheme'],
  ] as const) {
    await assert.rejects(
      fetchComponent(reference, { directory, maxBytes: 64 }),
      (error: Error & { code: string }) => {
        assert.equal(error.code, code, error.message);
        return error.message.includes(message);
      },
    );
  }
});

test('a digest pins the bytes', async (t) => {
  const directory = await temporary(t);
  await writeFile(join(directory, 'a.wasm'), WASM);
  await fetchComponent('a.wasm', { directory, digest: digestOf(WASM) });
  await assert.rejects(fetchComponent('a.wasm', { directory, digest: `sha256:${'0'.repeat(64)}` }), {
    code: 'source-mismatch',
  });
  await assert.rejects(fetchComponent('a.wasm', { directory, digest: 'sha256:abc' }), {
    code: 'source-unsupported',
  });
});

test('https: follows few redirects, stays on https, and is bounded in size and time', async (t) => {
  const { origin, ca } = await startHttps(t, (incoming, response) => {
    const { pathname } = new URL(incoming.url!, 'https://x');
    const redirect = (location: string): unknown => response.writeHead(302, { location }).end();
    if (pathname === '/tool.wasm') return response.end(WASM);
    if (pathname === '/moved.wasm') return redirect('/tool.wasm');
    if (pathname === '/loop') return redirect('/loop');
    if (pathname === '/plain') return redirect('http://localhost/tool.wasm');
    if (pathname === '/file') return redirect('file:///etc/passwd');
    if (pathname === '/nonsense') return redirect('https://[');
    if (pathname === '/announced') return response.writeHead(200, { 'content-length': 1000 }).write(WASM);
    if (pathname === '/endless') {
      const timer = setInterval(() => response.write(Buffer.alloc(16)), 1);
      return response.on('close', () => clearInterval(timer));
    }
    if (pathname === '/silent') return undefined;
    if (pathname === '/cut')
      return response.writeHead(200, { 'content-length': 50 }).write(WASM, () => response.destroy());
    return response.writeHead(404).end();
  });
  const get = (path: string, maxBytes = 100, timeoutMs = 20_000) =>
    fetchComponent(origin + path, { directory: '/', maxBytes, https: { ca, allowPrivate: true, timeoutMs } });

  const hex = digestOf(WASM).slice(7);
  for (const path of [
    '/tool.wasm',
    '/moved.wasm',
    `/tool.wasm#sha256=${hex}`,
    `/tool.wasm#sha256=${hex.toUpperCase()}`,
  ]) {
    const component = await get(path);
    assert.deepEqual([...component.bytes], [...WASM]);
    assert.equal(component.uri, origin + path.replace(/#.*/, ''));
  }
  assert.equal((await get('/moved.wasm')).name, 'moved.wasm');
  for (const [path, code, message] of [
    ['/missing', 'source-unreadable', 'answered 404'],
    ['/loop', 'source-unreadable', 'more than 5 times'],
    ['/plain', 'source-unreadable', 'not https:'],
    ['/file', 'source-unreadable', 'not https:'],
    ['/nonsense', 'source-unreadable', 'not https:'],
    ['/announced', 'source-too-large', 'larger than 100'],
    ['/endless', 'source-too-large', 'larger than 100'],
    ['/cut', 'source-unreadable', 'download failed'],
    [`/tool.wasm#sha256=${'0'.repeat(64)}`, 'source-mismatch', 'expected sha256:000'],
    ['/tool.wasm#sha256=zz', 'source-unsupported', '64 hexadecimal digits'],
    ['/tool.wasm#part', 'source-unsupported', '64 hexadecimal digits'],
  ] as const) {
    await assert.rejects(get(path), (error: Error & { code: string }) => {
      assert.equal(error.code, code, `${path}: ${error.message}`);
      return error.message.includes(message);
    });
  }
  await assert.rejects(get('/silent', 100, 50), { code: 'source-unreadable', message: /too long/ });
});

test('https: does not lead into a private network unless that is allowed', async (t) => {
  const { origin, ca } = await startHttps(t, (_, response) => response.end(WASM));
  const { port } = new URL(origin);
  for (const host of ['localhost', '127.0.0.1', '0x7f.1', '[::ffff:127.0.0.1]', '169.254.169.254']) {
    await assert.rejects(
      fetchComponent(`https://${host}:${port}/a.wasm`, { directory: '/', https: { ca } }),
      { code: 'source-unreadable', message: /must be allowed first/ },
      host,
    );
  }
});

test('https: refuses a certificate that nobody vouches for, and credentials in the reference', async (t) => {
  const { origin } = await startHttps(t, (_, response) => response.end(WASM));
  await assert.rejects(
    fetchComponent(`${origin}/a.wasm`, { directory: '/', https: { allowPrivate: true } }),
    { code: 'source-unreadable', message: /download failed/ },
  );
  await assert.rejects(fetchComponent('https://user:pass@example.com/a.wasm', { directory: '/' }), {
    message: /user name or password/,
  });
});
