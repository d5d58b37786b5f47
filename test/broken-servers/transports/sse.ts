// HTTP+SSE of 2024-11-05 around the server that is made for being broken.

import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { type Connection, connect, createReceiver, type Fault } from '../server.ts';
import { emit } from './emit.ts';
import { type Listening, listening } from './listening.ts';

export async function serveSse(fault: Fault): Promise<Listening> {
  const receive = createReceiver(fault);
  const streams = new Map<string, { stream: ServerResponse; connection: Connection }>();
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    if (request.method === 'GET') {
      const id = randomUUID();
      streams.set(id, { stream: response, connection: connect('2024-11-05', request.headers.authorization) });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (fault.http?.lateEndpoint)
        response.write('event: message\ndata: {"jsonrpc":"2.0","method":"notifications/witbox"}\n\n');
      response.write(`event: endpoint\ndata: /messages?session=${id}\n\n`);
      return;
    }
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      const { stream, connection } = streams.get(url.searchParams.get('session') ?? '')!;
      if (connection.owner !== request.headers.authorization && !fault.http?.anyPrincipal) {
        response.writeHead(404).end();
        return;
      }
      emit(receive(text, connection), connection, (message) =>
        stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`),
      );
      response.writeHead(202).end();
    });
  });
  return listening(server, 'http', '/sse');
}
