// What goes wrong on the way to a server, with real servers that do it: each failure says what the server answered, and
// what can be mended is mended.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { after, before, suite, test } from 'node:test';
import { createHarness, type Harness } from '../../test/mcp/harness.ts';
import { createRedactor } from '../core/redact.ts';
import { addressTarget, ConnectError, connect, type Target } from './client.ts';

const PROGRAM = join(import.meta.dirname, '../../test/mcp/fixture/serve.ts');

let harness: Harness;
before(async () => {
  harness = await createHarness();
});
after(() => harness.close());

const script = (source: string): Target => ({
  transport: 'stdio',
  command: process.execPath,
  args: ['--input-type=module', '-e', source],
});

/** A server of old: ends at anything before initialize, as some libraries do. */
const STRICT = `
  import { createInterface } from 'node:readline';
  const say = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
  let open = false;
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'initialize') {
      open = true;
      say(id, { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo: { name: 'strict', version: '1' } });
    } else if (!open) process.exit(3);
    else if (method === 'tools/list') say(id, { tools: [{ name: 'one', inputSchema: { type: 'object' } }] });
  });
`;

/** Answers initialize with what is given, and nothing else. */
const opening = (answer: string): string => `
  import { createInterface } from 'node:readline';
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'server/discover') console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'No' } }));
    if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, ${answer} }));
  });
`;

async function listening(listener: RequestListener): Promise<{ target: Target; close(): void }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    target: addressTarget(`http://127.0.0.1:${port}/mcp`)!,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function refusal(target: Target, options: Parameters<typeof connect>[1] = {}): Promise<ConnectError> {
  try {
    await (await connect(target, options)).close();
  } catch (error) {
    assert.ok(error instanceof ConnectError, String(error));
    return error;
  }
  return assert.fail('it opened');
}

suite('opening', { concurrency: 4 }, () => {
  test('a server that ends at the first unknown request is started again and works', async () => {
    const connection = await connect(script(STRICT));
    assert.equal(connection.revision, '2025-03-26');
    assert.equal((await connection.tools())[0]?.name, 'one');
    await connection.close();
  });

  test('an error in answer to initialize is told with its code', async () => {
    const error = await refusal(
      script(opening('error: { code: -32099, message: "Not today", data: { until: 7 } }')),
    );
    assert.equal(error.code, 'server-refused');
    assert.match(error.message, /it answered with error -32099: Not today$/);
    assert.deepEqual(error.answer, {
      kind: 'error',
      code: -32099,
      message: 'Not today',
      data: { until: 7 },
    });
  });

  test('a revision that nobody knows is told', async () => {
    const error = await refusal(
      script(
        opening(
          'result: { protocolVersion: "1999-01-01", capabilities: {}, serverInfo: { name: "x", version: "1" } }',
        ),
      ),
    );
    assert.match(error.message, /"protocolVersion":"1999-01-01".*offers revision "1999-01-01"/);
    assert.equal(error.answer.kind, 'result');
  });

  test('a program that cannot be started is told', async () => {
    const error = await refusal({ transport: 'stdio', command: 'no-such-program-here', args: [] });
    assert.equal(error.code, 'server-unreachable');
    assert.match(error.message, /no-such-program-here.*ENOENT/);
  });

  test('the last words of a program that ends are told', async () => {
    const error = await refusal(
      script('console.error("first"); console.error("config is missing"); process.exit(1)'),
    );
    assert.match(error.message, /its last words were: config is missing$/);
  });

  test('a port where nobody listens is told', async () => {
    const { target, close } = await listening(() => {});
    close();
    const error = await refusal(target);
    assert.equal(error.code, 'server-unreachable');
    assert.match(error.message, /ECONNREFUSED/);
  });

  test('HTTP that is not MCP is told with status and text', async () => {
    const { target, close } = await listening((_, response) => {
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>');
    });
    const error = await refusal(target);
    assert.match(error.message, /it answered with HTTP 500: <h1>Sorry<\/h1>$/);
    assert.deepEqual(error.answer, { kind: 'http', status: 500, body: '<h1>Sorry</h1>' });
    close();
  });

  test('a server that wants authorization is told apart', async () => {
    const { target, close } = await listening((_, response) => {
      response
        .writeHead(401, { 'www-authenticate': 'Bearer' })
        .end('{"jsonrpc":"2.0","error":{"code":-32600,"message":"The key is over"}}');
    });
    const error = await refusal(target);
    assert.equal(error.code, 'server-unauthorized');
    assert.match(error.message, /: The key is over; send a key or token with --header/);
    assert.equal(createRedactor().text(error.message), error.message, 'the advice is shown as it is');
    close();
  });

  test('silence ends after the time that was given', async () => {
    const error = await refusal(script('setInterval(() => {}, 1000)'), {
      revision: '2025-11-25',
      openTimeoutMs: 300,
    });
    assert.match(error.message, /it said nothing for 0.3 s/);
  });

  test('a WebSocket that is refused is told', async () => {
    const error = await refusal(addressTarget(`${harness.origin.replace('http', 'ws')}/nothing`)!);
    assert.equal(error.code, 'server-unreachable');
  });

  test('an address of the transport of 2024 is found out', async () => {
    const connection = await connect({
      transport: 'http',
      url: new URL(`${harness.origin}/sse`),
    });
    assert.equal(connection.transport, 'sse');
    assert.ok((await connection.tools()).length > 0);
    await connection.close();
  });
});

suite('mending', { concurrency: 4 }, () => {
  test('a session that the server has forgotten is opened anew, and the call is made', async () => {
    let forget = false;
    let sessions = 0;
    // In front of the real server: forgets the session once.
    const { target, close } = await listening(async (request, response) => {
      const body: Buffer[] = [];
      for await (const chunk of request) body.push(chunk);
      if (forget && request.method === 'POST' && request.headers['mcp-session-id']) {
        forget = false;
        response.writeHead(404).end('gone');
        return;
      }
      const text = Buffer.concat(body).toString();
      if (text.includes('"initialize"')) sessions++;
      const answer = await fetch(`${harness.origin}/mcp`, {
        method: request.method!,
        headers: Object.entries(request.headers).filter(
          ([name]) => !['host', 'connection', 'content-length'].includes(name),
        ) as [string, string][],
        ...(text && { body: text }),
      });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body) for await (const chunk of answer.body) response.write(chunk);
      response.end();
    });
    const connection = await connect(target, { revision: '2025-11-25' });
    forget = true;
    assert.ok((await connection.tools()).length > 0);
    assert.equal(sessions, 2);
    await connection.close();
    close();
  });

  test('a stream that breaks off is resumed where it was', async () => {
    const connection = await connect(addressTarget(`${harness.origin}/mcp`)!, { revision: '2025-11-25' });
    const result = await connection.callTool('test_reconnection');
    assert.equal(result.isError ?? false, false);
    await connection.close();
  });

  test('a lost WebSocket fails the call it carried, and a closed connection stays closed', async () => {
    const child = spawn(process.execPath, [PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { promise, resolve } = Promise.withResolvers<void>();
    const connection = await connect(addressTarget(`ws://127.0.0.1:${port}/ws`)!, {
      revision: '2025-06-18',
      onLost: resolve,
    });
    const failed = assert.rejects(connection.callTool('slow_compute', { seconds: 20 }), {
      code: 'server-lost',
    });
    await connection.ping();
    child.kill('SIGKILL');
    await failed;
    await promise;
    await assert.rejects(connection.tools(), { code: 'server-unreachable' });
    await connection.close();
    await assert.rejects(connection.tools(), { code: 'connection-closed' });
  });

  test('a call whose stream ends without an answer fails at once', async () => {
    const { target, close } = await listening(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      const { id, method } = text ? JSON.parse(text) : { method: 'GET' };
      const serverInfo = { name: 'x', version: '1' };
      if (method === 'initialize') {
        const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo };
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      } else if (id === undefined) {
        response.writeHead(method === 'GET' ? 405 : 202).end();
      } else {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(': nothing more to say\n\n');
      }
    });
    const connection = await connect(target, { revision: '2025-06-18' });
    await assert.rejects(connection.callTool('any'), {
      code: 'server-lost',
      message: /the stream ended without an answer/,
    });
    await connection.close();
    close();
  });

  test('a WebSocket that says something else than JSON-RPC is let go', async () => {
    const sockets: Duplex[] = [];
    const server = createServer().on('upgrade', (request, socket) => {
      const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
      const accept = createHash('sha1').update(key).digest('base64');
      const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
      const rest = [`Sec-WebSocket-Accept: ${accept}`, 'Sec-WebSocket-Protocol: mcp', '', ''];
      socket.write([...head, ...rest].join('\r\n'));
      const text = Buffer.from('<html>');
      socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
      socket.on('error', () => {});
      sockets.push(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const error = await refusal(addressTarget(`ws://127.0.0.1:${port}/ws`)!, { openTimeoutMs: 5_000 });
    assert.match(error.code, /^server-(unreachable|refused)$/);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  test('a program that died is started again by the next call', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const target = script(
      STRICT.replace(
        "else if (method === 'tools/list')",
        "else if (method === 'ping') process.exit(1); else if (method === 'tools/list')",
      ),
    );
    const connection = await connect(target, { onLost: resolve });
    await assert.rejects(connection.ping(), { code: 'server-lost' });
    await promise;
    assert.equal((await connection.tools()).length, 1);
    await connection.close();
  });
});
