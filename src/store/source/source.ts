// Where components come from, one file per scheme. A source gives bytes and where they came from; it stores nothing and
// trusts nothing: size is bounded, a digest is checked if one is given, and a policy that comes along is a request.

import { WitboxError } from '../../core/errors.ts';
import { digestOf } from '../blobs.ts';
import { isDigest } from '../catalogue-file.ts';
import type { HttpsOptions } from './download.ts';
import { fetchFile } from './file.ts';
import { fetchHttps } from './https.ts';
import { fetchOci } from './oci.ts';

export interface FetchedComponent {
  /** Where it came from, absolute. */
  readonly uri: string;
  /** The last part of it, for an id. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Text of the tools sidecar, if there is one. */
  readonly tools?: string | undefined;
  /** Text of the policy that the author asks for, if there is one. */
  readonly requested?: string | undefined;
}

export interface SourceOptions {
  /** What relative paths are relative to. */
  readonly directory: string;
  /** `sha256:…` that the bytes must have; an `https:` reference may also carry it as `#sha256=…`. */
  readonly digest?: string | undefined;
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly https?: HttpsOptions | undefined;
}

const MAX_BYTES = 256 * 1024 * 1024;
const WASM_MAGIC = [0x00, 0x61, 0x73, 0x6d];

export async function fetchComponent(reference: string, options: SourceOptions): Promise<FetchedComponent> {
  if (reference.includes('\0'))
    throw new WitboxError('source-unsupported', {
      source: reference.replaceAll('\0', '?'),
      problem: 'it has a NUL in it',
    });
  const { digest, rest } = splitDigest(reference, options.digest);
  const component = await fetchBytes(rest, options);
  if (WASM_MAGIC.some((byte, i) => component.bytes[i] !== byte)) {
    throw new WitboxError('source-unreadable', { source: rest, problem: 'it is not WebAssembly' });
  }
  if (digest !== undefined && digestOf(component.bytes) !== digest) {
    throw new WitboxError('source-mismatch', {
      source: rest,
      found: digestOf(component.bytes),
      expected: digest,
    });
  }
  return component;
}

function fetchBytes(reference: string, options: SourceOptions): Promise<FetchedComponent> {
  const maxBytes = options.maxBytes ?? MAX_BYTES;
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(reference)?.[1]?.toLowerCase();
  if (scheme === undefined || scheme === 'file') return fetchFile(reference, options.directory, maxBytes);
  if (scheme === 'https') return fetchHttps(reference, maxBytes, options.signal, options.https);
  if (scheme === 'oci') return fetchOci(reference, maxBytes, options.signal, options.https);
  const problem =
    scheme === 'http'
      ? 'http: is not safe against changes on the way; use https:'
      : `unknown scheme "${scheme}:"; known are file:, https: and oci:`;
  throw new WitboxError('source-unsupported', { source: reference, problem });
}

/** A digest is what a person wrote down to be safe, so a malformed one is an error and never ignored. */
function splitDigest(
  reference: string,
  given: string | undefined,
): { digest: string | undefined; rest: string } {
  const [, rest = reference, fragment] = /^(https:[^#]*)#(.*)$/is.exec(reference) ?? [];
  const pinned = fragment?.replace(/^sha256=/, 'sha256:').toLowerCase();
  const digest = given ?? pinned;
  if ([given, pinned].every((each) => each === undefined || (isDigest(each) && each === digest)))
    return { digest, rest };
  const problem = 'the digest must be given once, as sha256: and 64 hexadecimal digits';
  throw new WitboxError('source-unsupported', { source: reference, problem });
}
