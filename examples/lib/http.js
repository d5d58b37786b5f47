// GET over wasi:http, with redirects, a limit of size and a limit of time. Every hop is a request of its own that the
// host decides anew. Nothing here holds on to a connection after it returns.

import { handle } from 'wasi:http/outgoing-handler@0.2.6';
import { Fields, OutgoingRequest, RequestOptions } from 'wasi:http/types@0.2.6';
import { encode } from './utf8.js';

const MOST_HOPS = 5;
const MOST_BYTES = 4 << 20;
const WAIT_NS = 10_000_000_000;
const REDIRECTS = [301, 302, 303, 307, 308];

/** The other side failed, in words for the caller. */
export class HttpError extends Error {}

/** The host said no. Must reach the host as a failure, so that it can say what would have to be granted. */
export class Denied extends Error {}

export function get(url, { headers = {}, mostBytes = MOST_BYTES } = {}) {
  let at = parse(url);
  for (let hop = 0; hop <= MOST_HOPS; hop++) {
    const response = send(at, headers);
    const status = response.status();
    const location = first(response, 'location');
    if (REDIRECTS.includes(status) && location !== undefined) {
      at = parse(resolve(at, location));
      continue;
    }
    const type = first(response, 'content-type') ?? '';
    return { url: format(at), status, type, body: read(response, mostBytes) };
  }
  throw new HttpError(`"${url}" redirects more than ${MOST_HOPS} times`);
}

export function parse(url) {
  const [, scheme, authority, rest] = /^(https?):\/\/([^/?#\s@]+)([^#\s]*)/i.exec(url) ?? [];
  if (scheme === undefined) throw new HttpError(`"${url}" is no http or https address`);
  return { scheme: scheme.toLowerCase(), authority, path: rest.startsWith('/') ? rest : `/${rest}` };
}

const format = ({ scheme, authority, path }) => `${scheme}://${authority}${path}`;

function resolve({ scheme, authority, path }, location) {
  if (/^https?:\/\//i.test(location)) return location;
  if (location.startsWith('//')) return `${scheme}:${location}`;
  if (location.startsWith('/')) return `${scheme}://${authority}${location}`;
  return `${scheme}://${authority}${path.replace(/[^/]*(\?.*)?$/, '')}${location}`;
}

function first(response, name) {
  const [value] = response.headers().get(name);
  return value === undefined ? undefined : String.fromCharCode(...value);
}

function send({ scheme, authority, path }, headers) {
  const fields = new Fields();
  for (const [name, value] of Object.entries(headers)) fields.append(name, encode(value));
  const request = new OutgoingRequest(fields);
  const options = new RequestOptions();
  options.setConnectTimeout(WAIT_NS);
  options.setFirstByteTimeout(WAIT_NS);
  options.setBetweenBytesTimeout(WAIT_NS);
  try {
    request.setScheme({ tag: scheme.toUpperCase() });
    request.setAuthority(authority);
    request.setPathWithQuery(path);
    const future = handle(request, options);
    future.subscribe().block();
    const answer = future.get().val;
    if (answer.tag === 'err') throw answer.val;
    return answer.val;
  } catch (error) {
    throw wordsFor(error, authority);
  }
}

function wordsFor(error, authority) {
  const tag = codeOf(error);
  if (tag === 'HTTP-request-denied' || tag === 'destination-IP-prohibited') {
    return new Denied(`"${authority}" is not granted`);
  }
  if (/timeout/i.test(tag)) return new HttpError(`"${authority}" did not answer in time`);
  return new HttpError(`"${authority}" cannot be reached: ${tag}`);
}

/** A thrown `err` is the value itself, or an error that carries it. */
function codeOf(error) {
  const value = error?.payload ?? error?.val ?? error;
  return String(value?.tag ?? value?.message ?? value);
}

function read(response, mostBytes) {
  const stream = response.consume().stream();
  const chunks = [];
  let size = 0;
  for (;;) {
    let chunk;
    try {
      chunk = stream.blockingRead(65_536);
    } catch (error) {
      if (codeOf(error) === 'closed') break;
      throw new HttpError('The answer broke off');
    }
    size += chunk.length;
    if (size > mostBytes) throw new HttpError(`The answer is larger than ${mostBytes} bytes`);
    chunks.push(Uint8Array.from(chunk));
  }
  const body = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
