// Servers by name, from files as the hosts write them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryTarget, hostConfigFiles, type Surroundings, serverEntry } from './host-config.ts';
import { withoutComments } from './jsonc.ts';

const AROUND: Surroundings = {
  cwd: '/project',
  home: '/home/ada',
  platform: 'linux',
  env: { TOKEN: 'secret', EMPTY: '' },
};

const targetIn = (text: string, name: string) => {
  const entry = serverEntry(text, 'mcp.json', name);
  return entry === null ? null : entryTarget(entry, 'mcp.json', name, AROUND);
};

test('a command of Claude Desktop becomes a program with its environment', () => {
  const text = JSON.stringify({
    mcpServers: { files: { command: 'npx', args: ['-y', 'server', '/data'], env: { KEY: 'v' } } },
  });
  assert.deepEqual(targetIn(text, 'files'), {
    transport: 'stdio',
    command: 'npx',
    args: ['-y', 'server', '/data'],
    env: { KEY: 'v' },
  });
  assert.equal(targetIn(text, 'other'), null);
  assert.equal(targetIn(text, 'constructor'), null);
});

test('a file of VS Code may have comments, trailing commas and variables', () => {
  const text = `{
    // servers of this project
    "servers": {
      "api": { "type": "http", "url": "https://example.com/mcp//x", /* not in git */
        "headers": { "Authorization": "Bearer \${env:TOKEN}", }, },
      "local": { "command": "\${workspaceFolder}/server", "args": ["--home=\${userHome}", "// no comment"], "cwd": "\${DIR:-/tmp}" },
    },
  }`;
  const api = targetIn(text, 'api');
  assert.ok(api && api.transport !== 'stdio');
  assert.equal(api.transport, 'http');
  assert.equal(api.url.href, 'https://example.com/mcp//x');
  assert.deepEqual(api.headers, { Authorization: 'Bearer secret' });
  assert.deepEqual(targetIn(text, 'local'), {
    transport: 'stdio',
    command: '/project/server',
    args: ['--home=/home/ada', '// no comment'],
    env: {},
    cwd: '/tmp',
  });
});

test('the type tells HTTP+SSE where the address does not', () => {
  const text = '{"mcpServers": {"old": {"type": "sse", "url": "http://localhost:1/events"}}}';
  assert.equal(targetIn(text, 'old')?.transport, 'sse');
});

test('what cannot be understood is refused, with file and name', () => {
  const refused: readonly [string, RegExp][] = [
    [`{"servers": {"x": {"command": "a", "args": ["$\{input:key}"]}}}`, /"x" uses \$\{input:key\}/],
    [`{"servers": {"x": {"command": "$\{env:MISSING}"}}}`, /"x" uses \$\{env:MISSING\}/],
    ['{"servers": {"x": {"command": 7}}}', /"x" has a command that is not a string/],
    ['{"servers": {"x": {}}}', /"x" has a command that is not a string/],
    ['{"servers": {"x": {"url": "file:///etc/passwd"}}}', /"x" has a url that is no address/],
    ['{"servers": {"x": 7}}', /"x" is not an object/],
    ['{"servers": ', /Cannot read servers from "mcp\.json"/],
  ];
  for (const [text, message] of refused) {
    assert.throws(() => targetIn(text, 'x'), { code: 'server-config', message });
  }
});

test('comments go, strings and lines stay', () => {
  assert.deepEqual(JSON.parse(withoutComments('{"a": "/* \\" // */", "b": [1, 2,], /* c */ }')), {
    a: '/* " // */',
    b: [1, 2],
  });
  assert.equal(withoutComments('// x\n1').split('\n').length, 2);
  assert.equal(withoutComments('"open').length, 5);
});

test('files are looked for where each system keeps them', () => {
  assert.ok(hostConfigFiles(AROUND).includes('/home/ada/.config/Claude/claude_desktop_config.json'));
  const mac = hostConfigFiles({ ...AROUND, platform: 'darwin' });
  assert.ok(mac.includes('/home/ada/Library/Application Support/Claude/claude_desktop_config.json'));
  assert.equal(mac[0], '/project/.mcp.json');
});
