// Servers that no checker should die of: node misbehaving.ts MODE, on stdio, or over HTTP where the mode says so. All but
// the silent one open correctly, since what never opens is not looked at further.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

const mode = process.argv[2] ?? '';
const CHUNK = 'a'.repeat(1 << 16);
const GIGABYTE = 1 << 30;
const notice =
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"flood"}}\n';

/** Writes as fast as it is read, until `total` characters or for ever. */
function pour(stream: NodeJS.WritableStream, text: string, total = Number.POSITIVE_INFINITY): void {
  let sent = 0;
  const more = () => {
    while (sent < total) {
      sent += text.length;
      if (!stream.write(text)) return void stream.once('drain', more);
    }
    stream.write('"}]}}\n');
  };
  more();
}

function opened(id: unknown): string {
  const result = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: mode, version: '1' },
  };
  return `${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`;
}

const onStdio: Readonly<Record<string, (id: unknown) => void>> = {
  hang() {},
  flood: () => pour(process.stdout, notice.repeat(500)),
  close: () => process.exit(0),
  twice(id) {
    const answer = `${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`;
    process.stdout.write(answer + answer);
  },
  garbage: () =>
    void process.stdout.write(Buffer.from([0, 255, 254, 10, 123, 34, 10, 91, 10, 0xc3, 0x28, 10])),
  endless: () => pour(process.stdout, CHUNK),
  gigabyte(id) {
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"tools":[{"name":"`);
    pour(process.stdout, CHUNK, GIGABYTE);
  },
};

function serveStdio(): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line) as { id?: unknown; method?: string };
    if (mode === 'silent' || id === undefined) return;
    if (method === 'initialize') process.stdout.write(opened(id));
    else onStdio[mode]?.(id);
  });
}

function serveHttp(kind: string): void {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    request.on('end', () => {
      const id = /"id":(\d+|"[^"]*")/.exec(text)?.[1] ?? '0';
      if (text.includes('"initialize"')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(opened(JSON.parse(id)));
      } else if (kind === 'gigabyte') {
        response.writeHead(200, { 'content-type': 'application/json' });
        pour(response, CHUNK);
      } else if (kind === 'events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        pour(response, `data: ${notice}\n`.repeat(200));
      }
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`);
  });
}

if (mode.startsWith('http-')) serveHttp(mode.slice(5));
else serveStdio();
