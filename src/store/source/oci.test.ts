import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createIdentity, startHttps } from '../../../test/store/https-server.ts';
import { digestOf } from '../blobs.ts';
import { type FetchedComponent, fetchComponent } from './source.ts';

const WASM = new Uint8Array([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]);
const LAYER = { mediaType: 'application/wasm', digest: digestOf(WASM), size: WASM.length };
const MANIFEST = manifest([{ mediaType: 'text/plain', digest: 'sha256:0', size: 1 }, LAYER]);

function manifest(layers: readonly unknown[]): string {
  return JSON.stringify({
    schemaVersion: 2,
    config: { mediaType: 'application/vnd.wasm.config.v0+json' },
    layers,
  });
}

interface Registry {
  readonly host: string;
  readonly asked: string[];
  pull(path: string): Promise<FetchedComponent>;
}

/** A registry as the distribution specification has it, as far as pulling goes; `other` answers what it does not know. */
async function startRegistry(
  t: TestContext,
  other: (url: URL, response: ServerResponse) => unknown,
  guarded = false,
  identity = createIdentity(),
): Promise<Registry> {
  const asked: string[] = [];
  const answer = (incoming: IncomingMessage, response: ServerResponse): unknown => {
    const url = new URL(incoming.url!, `https://${incoming.headers.host}`);
    const { authorization } = incoming.headers;
    asked.push(`${url.pathname}${url.search} ${authorization ?? '-'}`);
    if (url.pathname === '/token') return response.end(JSON.stringify({ token: 'abc.DEF' }));
    if (guarded && url.pathname.startsWith('/v2/') && authorization !== 'Bearer abc.DEF') {
      const challenge = `Bearer realm="https://${incoming.headers.host}/token",service="here",scope="repository:*:push"`;
      return response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
    if (url.pathname === '/v2/team/tool/manifests/latest') return response.end(MANIFEST);
    if (url.pathname === `/v2/team/tool/manifests/${digestOf(Buffer.from(MANIFEST))}`)
      return response.end(MANIFEST);
    if (url.pathname === `/v2/team/tool/blobs/${LAYER.digest}`) return response.end(WASM);
    return other(url, response);
  };
  const { origin, ca } = await startHttps(t, answer, identity);
  const { host } = new URL(origin);
  const pull = (path: string): Promise<FetchedComponent> =>
    fetchComponent(`oci://${host}/${path}`, {
      directory: '/',
      maxBytes: 100,
      https: { ca, allowPrivate: true },
    });
  return { host, asked, pull };
}

const missing = (_: URL, response: ServerResponse): unknown => response.writeHead(404).end();

test('a component is pulled by tag or by the digest of its manifest', async (t) => {
  const { pull, host } = await startRegistry(t, missing);
  const pinned = digestOf(Buffer.from(MANIFEST));
  for (const [path, uri] of [
    ['team/tool', `oci://${host}/team/tool:latest`],
    ['team/tool:latest', `oci://${host}/team/tool:latest`],
    [`team/tool@${pinned}`, `oci://${host}/team/tool@${pinned}`],
  ] as const) {
    const component = await pull(path);
    assert.deepEqual([component.uri, component.name, ...component.bytes], [uri, 'tool', ...WASM]);
  }
});

test('a token is fetched when the registry asks for one, for reading this repository and no more', async (t) => {
  const { pull, asked } = await startRegistry(t, missing, true);
  await pull('team/tool');
  assert.deepEqual(asked, [
    '/v2/team/tool/manifests/latest -',
    '/token?service=here&scope=repository%3Ateam%2Ftool%3Apull -',
    '/v2/team/tool/manifests/latest Bearer abc.DEF',
    `/v2/team/tool/blobs/${LAYER.digest} Bearer abc.DEF`,
  ]);
});

test('a token stays with the registry when a blob lies elsewhere', async (t) => {
  const identity = createIdentity();
  const seen: string[] = [];
  const elsewhere = await startHttps(
    t,
    (incoming, response) => {
      seen.push(`${incoming.url} ${incoming.headers.authorization ?? '-'}`);
      response.end(Buffer.concat([WASM, Buffer.from('far')]));
    },
    identity,
  );
  const digest = digestOf(Buffer.concat([WASM, Buffer.from('far')]));
  const redirect = ({ pathname }: URL, response: ServerResponse): unknown =>
    pathname.endsWith('/manifests/away')
      ? response.end(manifest([{ ...LAYER, digest }]))
      : response.writeHead(307, { location: `${elsewhere.origin}/blob` }).end();
  const { pull } = await startRegistry(t, redirect, true, identity);
  assert.equal((await pull('team/tool:away')).bytes.length, WASM.length + 3);
  assert.deepEqual(seen, ['/blob -']);
});

test('what is not what the manifest names is refused', async (t) => {
  const wrong = digestOf(Buffer.from('wrong'));
  const { pull } = await startRegistry(t, ({ pathname }, response) => {
    const reference = pathname.split('/').at(-1)!;
    const answers: Record<string, string> = {
      swapped: manifest([{ ...LAYER, digest: wrong }]),
      [wrong]: 'anything',
      none: manifest([]),
      two: manifest([LAYER, LAYER]),
      undigested: manifest([{ ...LAYER, digest: '../../x' }]),
      index: JSON.stringify({ manifests: [] }),
      nonsense: 'not json',
      odd: '{"layers":[null,5,{"mediaType":"application/wasm"}]}',
    };
    const answer = answers[reference];
    return answer === undefined ? missing(new URL('https://x'), response) : response.end(answer);
  });
  for (const [path, message] of [
    ['team/tool:swapped', 'gave another component'],
    [`team/tool@${wrong}`, 'gave another manifest'],
    ['team/tool:none', '0 WebAssembly layers'],
    ['team/tool:two', '2 WebAssembly layers'],
    ['team/tool:undigested', 'no sha256 digest'],
    ['team/tool:index', 'an index'],
    ['team/tool:nonsense', '0 WebAssembly layers'],
    ['team/tool:odd', 'no sha256 digest'],
    ['team/missing', 'answered 404'],
    ['team/../tool', 'write it as'],
    ['Team/tool', 'write it as'],
    ['team/tool:a/b', 'write it as'],
    ['team/tool@sha256:12', 'write it as'],
    ['', 'write it as'],
  ] as const) {
    await assert.rejects(pull(path), (error: Error & { code: string }) => {
      assert.equal(error.code, 'source-unreadable', error.message);
      assert.ok(error.message.includes(message), `${error.message} should have: ${message}`);
      return true;
    });
  }
});

test('a registry that wants credentials, or whose token is no token, is told apart from one that fails', async (t) => {
  for (const challenge of [
    'Basic realm="x"',
    'Bearer service="x"',
    'Bearer realm="http://localhost/token"',
    undefined,
  ]) {
    const { origin, ca } = await startHttps(t, (_, response) =>
      response.writeHead(401, challenge === undefined ? {} : { 'www-authenticate': challenge }).end(),
    );
    const reference = `oci://${new URL(origin).host}/a/b`;
    await assert.rejects(fetchComponent(reference, { directory: '/', https: { ca, allowPrivate: true } }), {
      message: /credentials|not https/,
    });
  }
  const { origin, ca } = await startHttps(t, (incoming, response) => {
    if (incoming.url!.startsWith('/token')) return response.end(JSON.stringify({ token: 'a\r\nx-evil: 1' }));
    return response
      .writeHead(401, { 'www-authenticate': `Bearer realm="https://${incoming.headers.host}/token"` })
      .end();
  });
  await assert.rejects(
    fetchComponent(`oci://${new URL(origin).host}/a/b`, {
      directory: '/',
      https: { ca, allowPrivate: true },
    }),
    { message: /credentials/ },
  );
});

test('a registry in a private network is asked only if that is allowed', async (t) => {
  const { host } = await startRegistry(t, missing);
  await assert.rejects(fetchComponent(`oci://${host}/team/tool`, { directory: '/' }), {
    message: /must be allowed first/,
  });
});
