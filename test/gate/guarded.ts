// The fixture server on the network, where two people have keys: for tests of what one can do with what is the other's.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createLogger } from '../../src/core/log.ts';
import { createAuthenticator } from '../../src/gate/authenticate/authenticator.ts';
import { createKeyStore, type KeyStore } from '../../src/store/keys.ts';
import type { HttpOptions } from '../../src/transport/http/http.ts';
import { createHarness, type Harness } from '../mcp/harness.ts';

export interface Guarded extends Harness {
  readonly keys: KeyStore;
  readonly ada: string;
  readonly eve: string;
  post(body: object, key: string | null, headers?: Record<string, string>): Promise<Response>;
  get(path: string, key: string | null, headers?: Record<string, string>): Promise<Response>;
  /** The id of a new session. */
  session(key: string): Promise<string>;
}

export const REVISION = '2025-11-25';
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: REVISION, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const META = 'io.modelcontextprotocol/';

export async function startGuarded(t: TestContext, http: HttpOptions = {}): Promise<Guarded> {
  const directory = await mkdtemp(join(tmpdir(), 'witbox-guarded-'));
  const keys = createKeyStore(directory);
  const [ada, eve] = [(await keys.create({ name: 'ada' })).text, (await keys.create({ name: 'eve' })).text];
  const { authenticate, check } = createAuthenticator(
    { keys: true, certificates: false, oauth: [], publicUrl: null },
    { keys, log: createLogger({ levels: 'silent', write() {} }) },
  );
  const harness = await createHarness({ http: { authenticate, check, limits: { graceMs: 100 }, ...http } });
  t.after(async () => {
    await harness.close();
    await rm(directory, { recursive: true, force: true });
  });
  const credential = (key: string | null): Record<string, string> =>
    key === null ? {} : { authorization: `Bearer ${key}` };
  const post: Guarded['post'] = (body, key, headers) =>
    fetch(`${harness.origin}/mcp`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...credential(key), ...headers },
    });
  return {
    ...harness,
    keys,
    ada,
    eve,
    post,
    get: (path, key, headers) =>
      fetch(harness.origin + path, {
        headers: { accept: 'text/event-stream', ...credential(key), ...headers },
      }),
    session: async (key) => (await post(INITIALIZE, key)).headers.get('mcp-session-id') ?? '',
  };
}

/** A request of the revision without sessions, with its headers. */
export function modern(
  method: string,
  params: Record<string, unknown>,
): { body: object; headers: Record<string, string> } {
  const _meta = {
    [`${META}protocolVersion`]: '2026-07-28',
    [`${META}clientInfo`]: { name: 'test', version: '1' },
    [`${META}clientCapabilities`]: { elicitation: { form: {} }, extensions: { [`${META}tasks`]: {} } },
  };
  const name = params.name ?? params.taskId;
  return {
    body: { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    },
  };
}
