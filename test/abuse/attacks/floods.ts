// Floods: as many requests as go through, with credentials that are none, and with messages that are none.

import { randomBytes } from 'node:crypto';
import { type Attack, createTally, inWaves } from '../attack.ts';
import { exchange, INITIALIZE, open, openWebSocket, requestText, rpc, textFrame } from '../raw-client.ts';

const LANES = 8;
/** What is held against this address must not hit others. */
const ATTACKER = '127.0.0.66';

/** Does `once` in some lanes until it is let go. */
function flood(once: () => Promise<void>): { release(): void } {
  let running = true;
  void inWaves(LANES, LANES, async () => {
    while (running) await once();
  });
  return {
    release() {
      running = false;
    },
  };
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const badTokens: readonly (() => string)[] = [
  () => `Bearer wbx_${randomBytes(24).toString('base64url')}`,
  () => `Bearer ${randomBytes(2_000).toString('hex')}`,
  () => `Bearer ${base64({ alg: 'none' })}.${base64({ sub: 'root', exp: 9e9 })}.`,
  () =>
    `Bearer ${base64({ alg: 'RS256', kid: randomBytes(4).toString('hex') })}.${base64({ sub: 'root' })}.AAAA`,
  () => 'Basic cm9vdDpyb290',
  () => 'Bearer',
];

export const badTokenFlood: Attack = async ({ port }) => {
  const tally = createTally();
  let at = 0;
  const { release } = flood(async () => {
    const socket = await open(port, ATTACKER);
    if (socket === null) return tally.add('refused');
    for (let round = 0; round < 50; round += 1) {
      const token = badTokens[at++ % badTokens.length]!();
      const text = requestText({ body: INITIALIZE, headers: [`Authorization: ${token}`] });
      const answer = await exchange(socket, text);
      tally.add(answer === null ? 'closed' : `status ${answer.status}`);
      if (answer === null) break;
    }
    socket.destroy();
  });
  return { tally: tally.read, release };
};

const malformed: readonly ((key: string) => string)[] = [
  () => randomBytes(512).toString('latin1'),
  () => 'GET / HTTP/9.9\r\n\r\n',
  () => `POST /mcp HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(5_000)}\r\n`,
  () => `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'z'.repeat(100_000)}\r\n\r\n`,
  () =>
    'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  () => 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  (key) => requestText({ key, body: '{"jsonrpc":"2.0","id":1,"method":' }),
  (key) => requestText({ key, body: '['.repeat(100_000) }),
  (key) => requestText({ key, body: `[${'1,'.repeat(50_000)}1]` }),
  (key) => requestText({ key, body: rpc('tools/call', { name: 'x'.repeat(50_000), arguments: {} }) }),
  (key) => requestText({ key, body: '{"jsonrpc":"2.0","id":{},"method":7,"params":"__proto__"}' }),
  (key) => requestText({ key, body: '\xff\xfe\x00', headers: ['Mcp-Session-Id: ../../etc'] }),
  (key) => requestText({ key, method: 'BREW', path: '/mcp' }),
  () => requestText({ method: 'GET', path: '/mcp', headers: ['Host: evil.example'] }),
];

export const malformedFlood: Attack = async ({ port, key }) => {
  const tally = createTally();
  let at = 0;
  const once = async (): Promise<void> => {
    const turn = at++;
    if (turn % 10 === 9) {
      const socket = await openWebSocket(port, key);
      socket?.on('error', () => {});
      socket?.write(turn % 20 === 9 ? randomBytes(64) : textFrame('{"jsonrpc":'));
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket?.destroy();
      return tally.add(socket === null ? 'refused' : 'websocket');
    }
    const socket = await open(port, ATTACKER);
    if (socket === null) return tally.add('refused');
    const timer = setTimeout(() => socket.destroy(), 500);
    const answer = await exchange(socket, malformed[turn % malformed.length]!(key));
    clearTimeout(timer);
    socket.destroy();
    tally.add(answer === null ? 'closed' : `status ${answer.status}`);
  };
  const { release } = flood(once);
  return { tally: tally.read, release };
};
