// The floor: node:http that reads a body, parses it as JSON and answers with JSON.

import { createServer } from 'node:http';
import { report } from './report.ts';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number };
    const text = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: '8' }] } });
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
    });
    response.end(text);
  });
});
server.listen(0, '127.0.0.1', () => report((server.address() as { port: number }).port));
