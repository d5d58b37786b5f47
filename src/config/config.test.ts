import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WitboxError } from '../core/errors.ts';
import { type Config, defaultConfig } from './config.ts';
import { configProblems, readConfig } from './load.ts';
import { configJson, configText } from './show.ts';

const read = (text: string): Config => readConfig(text, '/srv/witbox/witbox.yaml').config;
const problems = (text: string): string[] =>
  configProblems(text, 'witbox.yaml').map(({ line, column, problem }) => `${line}:${column} ${problem}`);

test('an empty document means the defaults: loopback, nobody asked, nothing recorded', () => {
  for (const text of ['', '{}', '# nothing\n', 'listen:\naudit: {}\nlimits:\n']) {
    const { listen, authentication, access } = read(text);
    assert.deepEqual([listen.host, listen.port, listen.insecureNoAuth], ['127.0.0.1', 8080, false]);
    assert.deepEqual(authentication, { keys: false, certificates: false, oauth: [] });
    assert.equal(access, null);
  }
  assert.deepEqual(read(''), defaultConfig());
  assert.equal(defaultConfig().audit.enabled, false);
});

test('every kind of value arrives as what the gate takes', () => {
  const config = read(`
listen:
  host: 0.0.0.0
  transports: [http]
  public-url: https://mcp.example.com
  tls: { certificate: tls/cert.pem, key: /etc/tls/key.pem, client-ca: ca.pem }
  limits: { max-message: 2Mi, session-idle: 10m, max-sessions: 7 }
components: [tools/a.wasm, 'oci://registry.example.com/b:1', 'https://example.com/c.wasm']
watch: [components]
data-dir: ../data
authentication:
  certificates: true
  oauth: [{ issuer: 'https://login.example.com', scopes: [mcp] }]
access:
  rules:
    - who: ['group:admins', '*']
      allow: { tools: ['read_*'], management: ['list-*'] }
      deny: { components: [shell] }
      arguments: [{ tool: fetch, schema: { properties: { url: { pattern: '^https://' } } } }]
limits:
  caller: { requests: { rate: 30/m, burst: 5 }, concurrent: none, bytes-per-day: 1Gi }
  tools: [{ tool: 'fetch*', per: all, calls: { rate: 1.5/s, burst: 2 } }]
audit: { rotate: 1Mi, keep: 3, on-failure: continue, directory: log }
secrets: { key: { file: secret.key } }
log: { levels: 'warn,protocol=trace' }
`);
  assert.equal(config.listen.tls.certificate, '/srv/witbox/tls/cert.pem');
  assert.equal(config.listen.tls.key, '/etc/tls/key.pem');
  assert.equal(config.listen.limits.maxMessageBytes, 2 * 1024 * 1024);
  assert.equal(config.listen.limits.sessionIdleMs, 600_000);
  assert.equal(config.listen.limits.maxConnections, 4_096);
  assert.deepEqual(config.components, [
    '/srv/witbox/tools/a.wasm',
    'oci://registry.example.com/b:1',
    'https://example.com/c.wasm',
  ]);
  assert.deepEqual([config.watch, config.dataDir], [['/srv/witbox/components'], '/srv/data']);
  assert.deepEqual(config.authentication.oauth, [
    {
      issuer: 'https://login.example.com',
      audience: [],
      scopes: ['mcp'],
      groupsClaim: 'groups',
      algorithms: ['RS256', 'ES256', 'EdDSA', 'PS256'],
    },
  ]);
  assert.deepEqual(config.access?.rules[0]?.allow.tools, ['read_*']);
  assert.deepEqual(config.access?.rules[0]?.arguments[0]?.schema, {
    properties: { url: { pattern: '^https://' } },
  });
  assert.deepEqual(config.limits.caller, {
    requests: { rate: 0.5, burst: 5 },
    concurrent: null,
    sessions: 64,
    bytesPerDay: 1024 ** 3,
  });
  assert.deepEqual(config.limits.tools, [
    { tool: 'fetch*', per: 'all', calls: { rate: 1.5, burst: 2 }, concurrent: null },
  ]);
  assert.deepEqual(config.audit, {
    enabled: true,
    directory: '/srv/witbox/log',
    values: 'digests',
    redact: [],
    rotateBytes: 1024 * 1024,
    keep: 3,
    onFailure: 'continue',
  });
  assert.deepEqual(config.secrets, { key: { file: '/srv/witbox/secret.key' } });
});

test('the audit log is on with authentication or with its section, unless it is switched off', () => {
  assert.equal(read('authentication: { keys: true }').audit.enabled, true);
  assert.equal(read('audit: { values: redacted }').audit.enabled, true);
  assert.equal(read('authentication: { keys: true }\naudit: { enabled: false }').audit.enabled, false);
});

test('every problem is told, each at its line and column, with the nearest known key', () => {
  assert.deepEqual(
    problems(`listen:
  prot: 1
  port: 99999
audit:
  keep:
limts: {}
access: { rules: [{ who: [bob] }, {}] }
limits:
  caller: { requests: { rate: 0/s } }
watch: 3
authentication: { keys: yes, keys: true }
`),
    [
      '2:3 listen has the unknown key "prot"; did you mean "port"?',
      '3:9 listen.port must be a whole number from 0 to 65535',
      '5:8 audit.keep has no value: give one, or leave the key out',
      '6:1 the document has the unknown key "limts"; did you mean "limits"?',
      '7:27 access.rules[0].who[0] is "bob", it must be key:NAME, subject:NAME, certificate:NAME, group:NAME, scope:NAME, local, anybody or *',
      '7:35 access.rules[1] must have who',
      '9:23 limits.caller.requests must have burst',
      '9:31 limits.caller.requests.rate is "0/s", it must be a rate above zero: "50/s", "10/m", "100/h" or "5000/d"',
      '10:8 watch must be a list',
      '11:25 authentication.keys must be true or false',
      '11:30 authentication has the key "keys" twice',
    ],
  );
});

test('values outside what can be enforced are refused with the reason', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['limits: { caller: { bytes-per-day: 1Xi } }', /is "1Xi", it must be a number with one of the units/],
    ['audit: { rotate: 1 }', /must be at least 4Ki/],
    ['listen: { limits: { grace: 30 } }', /must be text such as "30s"/],
    ['listen: { limits: { grace: 99999h } }', /must be at most 168h/],
    ['listen: { public-url: "https://user@example.com" }', /must be an https: address/],
    ['authentication: { oauth: [{ issuer: "http://login.example.com" }] }', /must be an https: address/],
    ['secrets: { key: { file: a, keyring: true } }', /must have one of file, environment, keyring/],
    ['secrets: { key: { keyring: false } }', /can only be true/],
    ['listen: { allow-origin: ["https://a.example/"] }', /must be an origin such as/],
    ['listen: { allow-host: ["a.example:80"] }', /must be a name without a port/],
    ['log: { levels: loud }', /is "loud", it must be/],
    ['components: [[a]]', /must be a path or an address/],
    ['listen: []', /listen must be a mapping/],
    ['just text', /the document must be a mapping/],
    ['watch: ["a\\nb"]', /must be a path/],
    [`log: { levels: "${'info,'.repeat(600)}info" }`, /longer than 2048/],
  ];
  for (const [text, message] of cases) {
    const found = problems(text);
    assert.equal(found.length, 1, `${text}: ${found}`);
    assert.match(found[0]!, message);
  }
});

test('keys that contradict each other are refused at the key', () => {
  const cases: (readonly [string, string])[] = [
    ['listen: { tls: { key: a } }', '1:18 listen.tls.key needs listen.tls.certificate beside it'],
    [
      'listen: { tls: { self-signed: true, key: a, certificate: b } }',
      '1:18 listen.tls.self-signed cannot stand beside listen.tls.certificate',
    ],
    ['authentication: { certificates: true }', '1:19 authentication.certificates needs listen.tls.client-ca'],
    [
      'authentication: { oauth: [{ issuer: "https://a.example" }] }',
      '1:19 authentication.oauth: oauth needs listen.public-url, the address that clients use for this server',
    ],
  ];
  cases.push([
    'listen: { trust-proxy: [10.0.0.0/40] }',
    '1:11 listen.trust-proxy: "10.0.0.0/40" is not an IP address or a network, such as 10.0.0.1 or 10.0.0.0/8',
  ]);
  for (const [text, message] of cases) assert.deepEqual(problems(text), [message]);
  const [found] = problems(
    'access: { rules: [{ who: ["*"], arguments: [{ tool: a, schema: { type: 3 } }] }] }',
  );
  assert.match(found!, /^1:56 access\.rules\[0\]\.arguments\[0\]\.schema: its schema cannot be used/);
});

test('a fault of YAML itself is one problem with its place', () => {
  assert.deepEqual(problems('listen: &a {}\n'), ['1:12 it must not have anchors']);
  assert.match(problems('listen: {\n').join(), /^2:1 /);
  assert.throws(
    () => readConfig('a: 1\nb: 2\n', '/etc/witbox.yaml'),
    (error) =>
      error instanceof WitboxError &&
      error.code === 'config-invalid' &&
      /^Cannot read configuration "witbox\.yaml" at line 1, column 1: .+ \(and 1 more/.test(error.message),
  );
});

test('keys of the prototype are keys like any other: unknown', () => {
  assert.match(problems('__proto__: {}').join(), /unknown key "__proto__"/);
  assert.match(problems('constructor: 1').join(), /unknown key "constructor"/);
});

test('what is shown reads as the same configuration again, and says where values come from', () => {
  const text = `authentication: { keys: true }
listen:
  port: 8443
limits: { caller: { requests: none, bytes-per-day: 1500 }, address: { failures: { rate: 7/h, burst: 3 } } }
access: { rules: [{ who: [local] }] }
secrets: { key: { environment: SECRET } }
`;
  const loaded = readConfig(text, '/srv/witbox/witbox.yaml');
  const shown = configText(loaded, 'witbox.yaml');
  assert.deepEqual(readConfig(shown, '/elsewhere/x.yaml').config, loaded.config);
  assert.deepEqual(read(JSON.stringify(configJson(loaded.config))), loaded.config);
  assert.match(shown, /\n {2}port: 8443 # witbox\.yaml:3\n/);
  assert.match(shown, /\n {2}host: 127\.0\.0\.1\n/);
  assert.match(shown, /rate: 7\/h # witbox\.yaml:4\n/);
});

test('whatever the text, there are problems with a place or a configuration, and nothing else', () => {
  const text = `listen: { port: 8443, tls: { certificate: a, key: b } }
authentication: { keys: true, oauth: [{ issuer: "https://a.example" }] }
access: { rules: [{ who: ["key:*"], allow: { tools: ["*"] }, arguments: [{ tool: a, schema: { type: object } }] }] }
limits: { caller: { requests: { rate: 5/s, burst: 2 }, bytes-per-day: 1Gi } }
audit: { rotate: 64Mi, keep: none }
`;
  const bits = [
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '"',
    '\n',
    '  ',
    '- ',
    '&a',
    '*a',
    '!!x',
    '%',
    'null',
    '-1',
    '1e999',
    '\0',
  ];
  let seed = 7;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % below;
  };
  for (let round = 0; round < 1_000; round++) {
    let changed = text;
    for (let i = 0; i <= next(3); i++) {
      const at = next(changed.length);
      changed = changed.slice(0, at) + bits[next(bits.length)] + changed.slice(at + next(12));
    }
    for (const { line, column, problem } of configProblems(changed, 'witbox.yaml')) {
      assert.ok(line >= 1 && column >= 1 && problem !== '', changed);
    }
  }
});
