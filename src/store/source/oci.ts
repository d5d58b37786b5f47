// `oci://registry/repository[:tag][@sha256:…]`: a component kept in a registry as a WebAssembly OCI artifact (OCI
// distribution specification 1.1). Anonymous pulls only. Every digest is checked: of the manifest if the reference has
// one, of the layer always, so that a registry can withhold a component but not swap what a manifest names.

import { digestOf } from '../blobs.ts';
import { isDigest } from '../catalogue-file.ts';
import { type Downloaded, download, type HttpsOptions, parseUrl, unreadable } from './download.ts';
import type { FetchedComponent } from './source.ts';

const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
const LAYER_TYPES: ReadonlySet<unknown> = new Set([
  'application/wasm',
  'application/vnd.wasm.content.layer.v1+wasm',
  'application/vnd.module.wasm.content.layer.v1+wasm',
]);
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const MAX_TOKEN_BYTES = 64 * 1024;

/** The names that the distribution specification allows: nothing in them could leave the path of a URL. */
const REFERENCE =
  /^oci:\/\/([a-z0-9.-]+(?::[0-9]{1,5})?)\/([a-z0-9]+(?:[._/-]+[a-z0-9]+)*)(?::([A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/;

interface Reference {
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
  readonly digest: string | undefined;
}

export async function fetchOci(
  source: string,
  maxBytes: number,
  signal?: AbortSignal,
  options?: HttpsOptions,
): Promise<FetchedComponent> {
  const { registry, repository, tag, digest } = parseReference(source);
  const base = `https://${registry}/v2/${repository}`;
  const get = createPuller(source, `repository:${repository}:pull`, signal, options);

  const manifest = await get(`${base}/manifests/${digest ?? tag}`, MAX_MANIFEST_BYTES, MANIFEST_TYPE);
  if (digest !== undefined) requireDigest(source, 'manifest', manifest, digest);
  const layer = findLayer(source, manifest);
  const bytes = await get(`${base}/blobs/${layer}`, maxBytes, '*/*');
  requireDigest(source, 'component', bytes, layer);
  const uri = `oci://${registry}/${repository}${digest === undefined ? `:${tag}` : `@${digest}`}`;
  return { uri, name: repository.split('/').at(-1)!, bytes };
}

function parseReference(source: string): Reference {
  const match = source.length > 512 ? null : REFERENCE.exec(source);
  if (!match || /\.\.|\/\//.test(match[2]!)) {
    throw unreadable(
      source,
      'write it as oci://registry/repository:tag or oci://registry/repository@sha256:…',
    );
  }
  return { registry: match[1]!, repository: match[2]!, tag: match[3] ?? 'latest', digest: match[4] };
}

/** Asks without a token first, and once more with the one that the registry's challenge leads to. */
function createPuller(source: string, scope: string, signal?: AbortSignal, options?: HttpsOptions) {
  let authorization: string | undefined;
  const attempt = (url: string, maxBytes: number, accept: string): Promise<Downloaded> =>
    download({
      url,
      source,
      maxBytes,
      signal,
      options,
      headers: { accept, ...(authorization && { authorization }) },
    });

  return async (url: string, maxBytes: number, accept: string): Promise<Uint8Array> => {
    let answer = await attempt(url, maxBytes, accept);
    if (answer.status === 401 && authorization === undefined) {
      const token = tokenUrl(source, answer.headers['www-authenticate'], scope);
      const issued = await download({ url: token, source, maxBytes: MAX_TOKEN_BYTES, signal, options });
      authorization = `Bearer ${readToken(source, issued)}`;
      answer = await attempt(url, maxBytes, accept);
    }
    if (answer.status === 200) return answer.bytes;
    const denied = answer.status === 401 || answer.status === 403;
    throw unreadable(
      source,
      denied ? 'the registry wants credentials' : `the registry answered ${answer.status}`,
    );
  };
}

function tokenUrl(source: string, challenge: string | undefined, scope: string): string {
  const fields = new Map(
    [...(challenge ?? '').slice(0, 4096).matchAll(/([a-z]+)="([^"]*)"/gi)].map(([, key, value]) => [
      key!.toLowerCase(),
      value!,
    ]),
  );
  const realm = fields.get('realm');
  if (!/^bearer /i.test(challenge ?? '') || realm === undefined)
    throw unreadable(source, 'the registry wants credentials');
  const url = parseUrl(realm, source);
  const service = fields.get('service');
  if (service !== undefined) url.searchParams.set('service', service);
  // Ours and not the challenge's: never more than to read this repository.
  url.searchParams.set('scope', scope);
  return url.href;
}

function readToken(source: string, { status, bytes }: Downloaded): string {
  const { token, access_token } = (status === 200 ? readJson(bytes) : {}) as Record<string, unknown>;
  const found = token ?? access_token;
  // Goes into a header: nothing but what a token can have.
  if (typeof found === 'string' && /^[\w.~+/=-]+$/.test(found)) return found;
  throw unreadable(source, 'the registry wants credentials');
}

function findLayer(source: string, manifest: Uint8Array): string {
  const { layers, manifests } = readJson(manifest) as { layers?: unknown; manifests?: unknown };
  if (manifests !== undefined)
    throw unreadable(source, 'it is an index of several artifacts: name one of them by its digest');
  const found = (Array.isArray(layers) ? layers : []).filter((layer) => LAYER_TYPES.has(layer?.mediaType));
  if (found.length !== 1) throw unreadable(source, `it has ${found.length} WebAssembly layers, expected 1`);
  const { digest } = found[0] as { digest?: unknown };
  if (typeof digest === 'string' && isDigest(digest)) return digest;
  throw unreadable(source, 'its layer has no sha256 digest');
}

function requireDigest(source: string, what: string, bytes: Uint8Array, expected: string): void {
  if (digestOf(bytes) !== expected)
    throw unreadable(source, `the registry gave another ${what} than ${expected}`);
}

/** An empty object for what is no JSON object: the caller misses its fields then. */
function readJson(bytes: Uint8Array): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
