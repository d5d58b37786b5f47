// The whole way of a person to a tool: our client is refused, finds the authorization server by what the refusal says,
// lets the person consent, and comes back with a token that is for this server alone.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { addressTarget, connect, createConsent } from '../../src/client/client.ts';
import type { Caller } from '../../src/core/caller.ts';
import { createLogger } from '../../src/core/log.ts';
import { createAuthenticator } from '../../src/gate/authenticate/authenticator.ts';
import { consentTo } from '../mcp/authorization-server.ts';
import { createHarness } from '../mcp/harness.ts';
import { startIssuer } from './issuer.ts';

const REDIRECT = 'http://127.0.0.1:47839/callback';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a person who consents reaches the tools, and the server knows who it is', async (t) => {
  const issuer = await startIssuer();
  t.after(issuer.stop);
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const gate = createAuthenticator(
    {
      keys: false,
      certificates: false,
      oauth: [
        {
          issuer: issuer.issuer,
          audience: [],
          scopes: ['mcp'],
          groupsClaim: 'groups',
          algorithms: ['RS256'],
        },
      ],
      publicUrl,
    },
    {
      keys: { prove: () => null, find: () => undefined },
      log: createLogger({ levels: 'silent', write() {} }),
    },
  );
  const callers: Caller[] = [];
  const harness = await createHarness({
    http: {
      port,
      limits: { graceMs: 100 },
      metadata: gate.metadata,
      check: gate.check,
      async authenticate(credentials) {
        const caller = await gate.authenticate(credentials);
        callers.push(caller);
        return caller;
      },
    },
  });
  t.after(harness.close);

  const challenge = await fetch(`${publicUrl}/mcp`, { method: 'POST' });
  assert.equal(challenge.status, 401);
  const where =
    /resource_metadata="([^"]+)"/.exec(challenge.headers.get('www-authenticate') ?? '')?.[1] ?? '';
  const metadata = (await (await fetch(where)).json()) as { resource: string };
  assert.equal(metadata.resource, publicUrl);
  const ofEndpoint = await fetch(`${publicUrl}/.well-known/oauth-protected-resource/mcp`);
  assert.equal(((await ofEndpoint.json()) as { resource: string }).resource, `${publicUrl}/mcp`);
  assert.equal((await fetch(`${publicUrl}/.well-known/oauth-protected-resource/etc`)).status, 401);

  let visits = 0;
  const auth = createConsent({
    clientName: 'Witbox',
    redirectUrl: REDIRECT,
    visit(address) {
      visits++;
      return consentTo(address, REDIRECT);
    },
  });
  const connection = await connect(addressTarget(`${publicUrl}/mcp`)!, { auth });
  t.after(() => connection.close());
  assert.ok((await connection.tools()).length > 0);
  assert.equal(visits, 1);
  const caller = callers.at(-1);
  assert.equal(caller?.id, `subject:${issuer.issuer}#ann`);
  assert.deepEqual(caller?.groups, ['lab']);
  assert.ok(caller?.scopes.includes('mcp'));
});
