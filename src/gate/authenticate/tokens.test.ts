// Access tokens of a real authorization server, and everything that must not pass for one.

import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { SignJWT } from 'jose';
import { type Issuer, startIssuer } from '../../../test/gate/issuer.ts';
import type { Caller } from '../../core/caller.ts';
import type { ClientCertificate } from '../../core/credentials.ts';
import { createLogger } from '../../core/log.ts';
import { Refusal } from '../../core/refusal.ts';
import type { OAuthOptions } from '../options.ts';
import { type Authenticator, createAuthenticator } from './authenticator.ts';

const PUBLIC = 'https://mcp.example.com';
const METADATA = `resource_metadata="${PUBLIC}/.well-known/oauth-protected-resource"`;
const certificate: ClientCertificate = {
  fingerprint: 'ab'.repeat(32),
  name: 'x',
  units: [],
  expiresAt: 4e12,
};
let issuer: Issuer;

before(async () => {
  issuer = await startIssuer();
});
after(() => issuer.stop());

interface Bench {
  readonly gate: Authenticator;
  pass(milliseconds: number): void;
  send(token: string, with_?: ClientCertificate): Promise<Caller>;
  refused(token: string): Promise<Refusal>;
}

function benchFor(more: Partial<OAuthOptions> = {}, of = issuer): Bench {
  let ahead = 0;
  const options = {
    issuer: of.issuer,
    audience: [],
    scopes: ['mcp'],
    groupsClaim: 'groups',
    algorithms: ['RS256', 'ES256'],
  };
  const gate = createAuthenticator(
    { keys: false, certificates: false, oauth: [{ ...options, ...more }], publicUrl: PUBLIC },
    {
      keys: { prove: () => null, find: () => undefined },
      log: createLogger({ levels: 'silent', write() {} }),
      now: () => Date.now() + ahead,
    },
  );
  const send = async (token: string, held: ClientCertificate | null = null): Promise<Caller> =>
    gate.authenticate({
      headers: { authorization: `Bearer ${token}` },
      address: '192.0.2.1',
      certificate: held,
      encrypted: true,
    });
  return {
    gate,
    send,
    pass(milliseconds) {
      ahead += milliseconds;
    },
    async refused(token) {
      const error = await send(token).then(
        () => assert.fail('It was let in'),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof Refusal, String(error));
      return error;
    },
  };
}

/** What the issuer would say, with something else in it. */
function claims(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1_000);
  return { iss: issuer.issuer, aud: PUBLIC, sub: 'ada', scope: 'mcp', iat: now, exp: now + 600, ...changes };
}

suite('tokens', () => {
  test('a token that the issuer made for this server names its caller', async () => {
    const { send, gate } = benchFor();
    const caller = await send(await issuer.token(PUBLIC, 'mcp extra'));
    assert.equal(caller.id, `subject:${issuer.issuer}#robot`);
    assert.deepEqual(
      [caller.kind, caller.name, caller.scopes, caller.groups, caller.address],
      ['subject', 'robot', ['mcp', 'extra'], ['lab'], '192.0.2.1'],
    );
    assert.ok(caller.expiresAt !== null && caller.expiresAt > Date.now());
    gate.check(caller);
  });

  test('the endpoint and a last slash are the same server', async () => {
    const { send } = benchFor();
    for (const resource of [`${PUBLIC}/`, `${PUBLIC}/mcp`]) await send(await issuer.token(resource));
  });

  test('elliptic and Edwards curves are read too', async (t) => {
    for (const algorithm of ['ES256', 'EdDSA']) {
      const other = await startIssuer(algorithm);
      t.after(other.stop);
      const { send } = benchFor({ algorithms: [algorithm] }, other);
      assert.equal((await send(await other.token(PUBLIC))).name, 'robot');
    }
  });

  test('a token for another audience is refused', async () => {
    const { refused } = benchFor();
    for (const resource of ['https://other.example.com', `${PUBLIC}.evil.example`, `${PUBLIC}/other`]) {
      const { headers, code } = await refused(await issuer.token(resource));
      assert.equal(code, 'unauthenticated');
      assert.equal(
        headers['WWW-Authenticate'],
        `Bearer ${METADATA}, error="invalid_token", error_description="The access token is for another audience", scope="mcp"`,
      );
    }
    const named = benchFor({ audience: ['api://witbox'] });
    await named.send(await issuer.sign(claims({ aud: ['x', 'api://witbox'] })));
    await named.refused(await issuer.sign(claims()));
    for (const aud of [undefined, '', [], {}, 7]) await refused(await issuer.sign(claims({ aud })));
  });

  test('a token of another issuer is refused, even in the name of ours', async (t) => {
    const stranger = await startIssuer();
    t.after(stranger.stop);
    const { refused } = benchFor();
    await refused(await stranger.token(PUBLIC));
    await refused(await stranger.sign(claims()));
    await refused(await stranger.sign(claims(), { kid: issuer.publicKey.kid! }));
    await refused(await issuer.sign(claims({ iss: stranger.issuer })));
    await refused(await issuer.sign(claims({ iss: undefined })));
  });

  test('a token whose time is over or has not come is refused, with little patience', async () => {
    const { send, refused, gate, pass } = benchFor();
    const now = Math.floor(Date.now() / 1_000);
    const over = await refused(await issuer.sign(claims({ exp: now - 60 })));
    assert.match(over.headers['WWW-Authenticate'] ?? '', /error_description="The access token expired"/);
    await refused(await issuer.sign(claims({ nbf: now + 120 })));
    await refused(await issuer.sign(claims({ exp: undefined })));
    const caller = await send(await issuer.sign(claims({ exp: now - 10 })));
    gate.check(caller);
    pass(60_000);
    assert.throws(() => gate.check(caller), { code: 'unauthenticated' });
  });

  test('no signature, a shared secret and the public key as a secret prove nothing', async () => {
    const { refused } = benchFor();
    const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { kid } = issuer.publicKey;
    for (const alg of ['none', 'None', 'NONE', 'nOnE'])
      await refused(`${base64({ alg, typ: 'at+jwt', kid })}.${base64(claims())}.`);
    const pem = createPublicKey({ key: issuer.publicKey as never, format: 'jwk' }).export({
      type: 'spki',
      format: 'pem',
    });
    for (const secret of [pem, JSON.stringify(issuer.publicKey), issuer.publicKey.n ?? '', '']) {
      const signed = `${base64({ alg: 'HS256', typ: 'at+jwt', kid })}.${base64(claims())}`;
      await refused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`);
    }
    await refused(
      await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('secret')),
    );
  });

  test('a token cannot bring its own key', async (t) => {
    const { refused } = benchFor();
    const stranger = await startIssuer();
    t.after(stranger.stop);
    const jwk = stranger.publicKey;
    for (const header of [{ jwk }, { jku: `${stranger.issuer}/jwks` }, { x5u: `${stranger.issuer}/jwks` }])
      await refused(await stranger.sign(claims(), { ...header, kid: undefined } as never));
  });

  test('a changed payload, a missing part and plain rubbish are refused', async () => {
    const { refused } = benchFor();
    const [head = '', , signature = ''] = (await issuer.sign(claims())).split('.');
    const body = Buffer.from(JSON.stringify(claims({ sub: 'root' }))).toString('base64url');
    for (const token of [
      `${head}.${body}.${signature}`,
      `${head}.${body}`,
      '...',
      'x',
      `${head}.${body}.`,
      'e30.e30.e30',
    ])
      await refused(token);
  });

  test('other kinds of tokens are no access tokens', async () => {
    const { send, refused } = benchFor();
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'oauth-authz-req+jwt'])
      await refused(await issuer.sign(claims(), { typ }));
    await send(await issuer.sign(claims(), { typ: 'JWT' }));
    for (const sub of [undefined, '', 7, 'a\nb', 'x'.repeat(300)])
      await refused(await issuer.sign(claims({ sub })));
    const dpop = await issuer.sign(claims({ cnf: { jkt: 'x'.repeat(43) } }));
    await refused(dpop);
  });

  test('a token bound to a certificate is worth nothing without it, also when it is known', async () => {
    const { send, refused } = benchFor();
    const thumbprint = Buffer.from(certificate.fingerprint, 'hex').toString('base64url');
    const token = await issuer.sign(claims({ cnf: { 'x5t#S256': thumbprint } }));
    await send(token, certificate);
    await send(token, certificate);
    await refused(token);
    await assert.rejects(send(token, { ...certificate, fingerprint: 'cd'.repeat(32) }), {
      code: 'unauthenticated',
    });
  });

  test('a missing scope is told with what is needed; `scp` counts too', async () => {
    const { send } = benchFor();
    const token = await issuer.token(PUBLIC, 'extra');
    const error = await send(token).then(
      () => assert.fail('It was let in'),
      (reason: Refusal) => reason,
    );
    assert.equal(error.code, 'insufficient-scope');
    assert.deepEqual(error.headers, {
      'WWW-Authenticate': `Bearer ${METADATA}, error="insufficient_scope", scope="mcp"`,
    });
    const caller = await send(await issuer.sign(claims({ scope: undefined, scp: ['mcp', 'more'] })));
    assert.deepEqual(caller.scopes, ['mcp', 'more']);
  });

  test('claims in shapes that nobody expects give nothing', async () => {
    const { send } = benchFor({ groupsClaim: '__proto__' });
    const caller = await send(await issuer.sign(claims({ groups: ['root'] })));
    assert.deepEqual(caller.groups, []);
    const shapes = benchFor();
    for (const groups of [{ a: 1 }, 7, null, [['x']], [1, null]])
      assert.deepEqual((await shapes.send(await issuer.sign(claims({ groups })))).groups, []);
    const many = await shapes.send(await issuer.sign(claims({ groups: Array(1_000).fill('g') })));
    assert.equal(many.groups.length, 256);
  });

  test('no token is a challenge that says where to get one, and what this server is', async () => {
    const { gate } = benchFor();
    assert.throws(
      () => gate.authenticate({ headers: {}, address: null, certificate: null, encrypted: true }),
      (error: Refusal) => error.headers['WWW-Authenticate'] === `Bearer ${METADATA}, scope="mcp"`,
    );
    assert.deepEqual(gate.metadata('/mcp'), {
      resource: `${PUBLIC}/mcp`,
      authorization_servers: [issuer.issuer],
      scopes_supported: ['mcp'],
      bearer_methods_supported: ['header'],
      resource_name: 'Witbox',
    });
  });

  test('an issuer that is no longer configured vouches for nobody', async () => {
    const { gate, send, refused } = benchFor();
    const token = await issuer.token(PUBLIC);
    const caller = await send(token);
    const other = {
      issuer: 'https://login.example.com',
      audience: [],
      scopes: [],
      groupsClaim: 'g',
      algorithms: ['RS256'],
    };
    gate.reconfigure({ keys: false, certificates: false, oauth: [other], publicUrl: PUBLIC });
    assert.throws(() => gate.check(caller), { code: 'unauthenticated' });
    await refused(token);
  });
});

suite('keys of an issuer', () => {
  test('new keys are found, old ones end, and bad tokens do not make us ask more often', async (t) => {
    const own = await startIssuer();
    t.after(own.stop);
    const { send, refused, pass } = benchFor({}, own);
    const old = await own.token(PUBLIC);
    await send(old);
    assert.equal(own.keyRequests, 1);
    await own.rotate();
    const young = await own.token(PUBLIC);
    await refused(young);
    assert.equal(own.keyRequests, 1, 'asked a moment ago');
    pass(31_000);
    await send(young);
    assert.equal(own.keyRequests, 2);
    await refused(old);
    const strange = await own.sign(claims({ iss: own.issuer }), { kid: 'unknown' });
    await Promise.all(Array.from({ length: 50 }, () => refused(strange)));
    assert.equal(own.keyRequests, 2);
    pass(31_000);
    await Promise.all(Array.from({ length: 50 }, () => refused(strange)));
    assert.equal(own.keyRequests, 3, 'once for all of them');
  });

  test('while the issuer is gone, known keys go on working for a day, and none at all is our trouble', async (t) => {
    const own = await startIssuer();
    t.after(own.stop);
    const { send, pass } = benchFor({}, own);
    const fresh = benchFor({}, own);
    await send(await own.token(PUBLIC));
    const later = (hours: number) => {
      const now = Math.floor(Date.now() / 1_000) + hours * 3_600;
      return own.sign(claims({ iss: own.issuer, iat: now, exp: now + 600 }));
    };
    await own.stop();
    await send(await later(0));
    await assert.rejects(fresh.send(await later(0)), { code: 'authentication-unavailable' });
    pass(3_600_000);
    await send(await later(1));
    pass(24 * 3_600_000);
    await assert.rejects(send(await later(25)), { code: 'authentication-unavailable' });
    await own.start();
    await assert.rejects(
      fresh.send(await later(0)),
      { code: 'authentication-unavailable' },
      'asked a moment ago',
    );
    fresh.pass(6_000);
    await fresh.send(await later(0));
  });

  test('metadata of another issuer, and keys elsewhere than it may say, are not used', async (t) => {
    const documents = new Map<string, unknown>();
    const server = createServer(({ url = '' }, response) => {
      const found = documents.get(url);
      response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? {}));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    t.after(() => server.close());
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const impostor: Issuer = { ...issuer, issuer: `${origin}/tenant` };
    const token = await issuer.sign(claims({ iss: impostor.issuer }));
    const asked = () => benchFor({}, impostor).send(token);
    await assert.rejects(asked(), { code: 'authentication-unavailable' });
    const jwks_uri = `${issuer.issuer}/jwks`;
    documents.set('/.well-known/oauth-authorization-server/tenant', {
      issuer: 'https://honest.example',
      jwks_uri,
    });
    await assert.rejects(asked(), { code: 'authentication-unavailable' });
    documents.set('/tenant/.well-known/openid-configuration', { issuer: impostor.issuer, jwks_uri });
    assert.equal((await asked()).name, 'ada');
    documents.set('/tenant/.well-known/openid-configuration', {
      issuer: impostor.issuer,
      jwks_uri: `${origin}/none`,
    });
    await assert.rejects(asked(), { code: 'authentication-unavailable' });
    documents.set('/keys', { keys: [issuer.publicKey] });
    const given = benchFor({ jwks: `${origin}/keys` }, impostor);
    assert.equal(
      (await given.send(token)).name,
      'ada',
      'an address that the operator gives is used as it is',
    );
  });
});
