// stdio and Streamable HTTP around the server that is made for being broken.

import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Connection, createReceiver, type Fault, type Json, type Outgoing } from './server.ts';

export function serveStdio(fault: Fault): void {
  const receive = createReceiver(fault);
  const how = fault.stdio ?? {};
  const connection: Connection = { revision: '2025-11-25' };
  const print = (message: unknown) => {
    const text = `${JSON.stringify(message, null, how.indent ? 2 : undefined)}\n`;
    process.stdout.write(how.latin1 ? Buffer.from(text, 'latin1') : text);
  };
  if (how.greeting !== undefined) process.stdout.write(how.greeting);
  if (how.staysAlive) setInterval(() => {}, 1_000);
  let pieces: Buffer[] = [];
  let held = 0;
  process.stdin.on('data', (chunk: Buffer) => {
    if (how.chunkIsMessage) return take(chunk.toString('utf8'));
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(10, start);
      const piece = chunk.subarray(start, end === -1 ? chunk.length : end);
      pieces.push(piece);
      held += piece.length;
      if (how.maxLine !== undefined && held > how.maxLine) process.exit(1);
      if (end === -1) return;
      const line = Buffer.concat(pieces).toString('utf8').trim();
      pieces = [];
      held = 0;
      start = end + 1;
      if (line !== '') take(line);
    }
  });

  function take(line: string): void {
    if (how.diesOnGarbage) JSON.parse(line);
    const { before, answer } = receive(line, connection);
    for (const message of before) print(message);
    if (answer !== undefined) print(answer);
  }
}

export interface HttpServer {
  readonly url: URL;
  close(): Promise<void>;
}

export async function serveHttp(fault: Fault): Promise<HttpServer> {
  const receive = createReceiver(fault);
  const how = fault.http ?? {};
  const sessions = new Map<string, Connection>();
  const listeners = new Set<ServerResponse>();
  let made = 0;

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });
  const opened = await listening(server, 'http', '/mcp');
  const { host } = opened.url;

  function plain(response: ServerResponse, status: number, body = ''): void {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(body);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers } = request;
    if (headers.origin !== undefined && !how.anyOrigin) return plain(response, 403);
    if (headers.host !== host && !how.anyHost) return plain(response, 403);
    const version = headers['mcp-protocol-version'];
    const modern = version === '2026-07-28';
    if (request.method === 'GET' && !modern) return listen(response);
    if (request.method === 'DELETE' && !modern) return end(request, response);
    if (request.method !== 'POST') return plain(response, how.methodStatus ?? 405);
    if (how.unauthorized !== undefined && headers.authorization !== undefined) {
      response.writeHead(401, how.unauthorized === '' ? {} : { 'www-authenticate': how.unauthorized }).end();
      return;
    }
    if (!how.anyMediaType && !/json/.test(headers['content-type'] ?? '')) return plain(response, 415);
    if (!how.anyMediaType && !/json|event-stream|\*\/\*/.test(headers.accept ?? ''))
      return plain(response, 406);
    if (Number(headers['content-length']) > 8 << 20 && !how.endlessBody) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    const text = await bodyOf(request);
    const message = peek(text);
    if (!how.anyVersionHeader && version !== undefined && !knownVersion(String(version), message))
      return plain(response, 400);
    if (
      modern &&
      !how.anyHeaders &&
      typeof message.method === 'string' &&
      'id' in message &&
      headers['mcp-method'] !== message.method
    ) {
      return plain(response, 400);
    }
    const session = sessionFor(request, message);
    if (session === null) return plain(response, 404);
    reply(request, response, receive(text, session.connection), session.fresh, message);
  }

  function sessionFor(
    request: IncomingMessage,
    message: Json,
  ): { connection: Connection; fresh: string | null } | null {
    if (message.method === 'initialize') {
      const id = how.sessionId?.(++made) ?? randomUUID();
      const connection: Connection = { revision: '2025-11-25' };
      sessions.set(id, connection);
      return { connection, fresh: id };
    }
    const id = request.headers['mcp-session-id'];
    const version = request.headers['mcp-protocol-version'];
    if (typeof id !== 'string')
      return { connection: { revision: String(version ?? '2025-03-26') }, fresh: null };
    const connection = sessions.get(id);
    return connection === undefined ? null : { connection, fresh: null };
  }

  function reply(
    request: IncomingMessage,
    response: ServerResponse,
    { answer: body, before, status }: Outgoing,
    session: string | null,
    message: Json,
  ): void {
    const headers: Record<string, string> = session === null ? {} : { 'mcp-session-id': session };
    if (body === undefined) {
      response.writeHead(how.notificationStatus ?? 202, headers).end(how.notificationBody);
      return;
    }
    const modern = request.headers['mcp-protocol-version'] === '2026-07-28';
    if (how.broadcast) for (const other of listeners) other.write(`data: ${JSON.stringify(body)}\n\n`);
    if (message.method === 'tools/call' && (modern || before.length > 0)) {
      const hint = how.streamWithoutHint ? {} : { 'x-accel-buffering': 'no' };
      response.writeHead(200, { ...headers, ...hint, 'content-type': 'text/event-stream' });
      for (const one of [...before, body]) response.write(`data: ${JSON.stringify(one)}\n\n`);
      response.end();
      return;
    }
    const code = modern
      ? how.removedStatus !== undefined && status === 404
        ? how.removedStatus
        : status
      : status === 404
        ? 200
        : status;
    response
      .writeHead(code, { ...headers, 'content-type': how.contentType ?? 'application/json' })
      .end(JSON.stringify(body));
  }

  function listen(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': listening\n\n');
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
  }

  function end(request: IncomingMessage, response: ServerResponse): void {
    if (!how.forgetNothing) sessions.delete(String(request.headers['mcp-session-id']));
    plain(response, 204);
  }

  return opened;
}

/** At 2026-07-28 a version nobody knows is told apart in the body, with the list of versions. */
function knownVersion(version: string, message: Json): boolean {
  const inBody = ((message.params as Json | undefined)?._meta as Json | undefined)?.[
    'io.modelcontextprotocol/protocolVersion'
  ];
  if (inBody !== undefined) return inBody === version;
  return ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'].includes(version);
}

function peek(text: string): Json {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null && !Array.isArray(message)
      ? (message as Json)
      : {};
  } catch {
    return {};
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** HTTP+SSE of 2024-11-05. */
export async function serveSse(fault: Fault): Promise<HttpServer> {
  const receive = createReceiver(fault);
  const streams = new Map<string, { stream: ServerResponse; connection: Connection }>();
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://localhost');
    if (request.method === 'GET') {
      const id = randomUUID();
      streams.set(id, { stream: response, connection: { revision: '2024-11-05' } });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      if (fault.http?.lateEndpoint)
        response.write('event: message\ndata: {"jsonrpc":"2.0","method":"notifications/message"}\n\n');
      response.write(`event: endpoint\ndata: /messages?session=${id}\n\n`);
      return;
    }
    void bodyOf(request).then((text) => {
      const { stream, connection } = streams.get(url.searchParams.get('session') ?? '')!;
      const { before, answer } = receive(text, connection);
      for (const message of [...before, answer]) {
        if (message !== undefined) stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
      }
      response.writeHead(202).end();
    });
  });
  return listening(server, 'http', '/sse');
}

/** A WebSocket server that knows text frames only, and no subprotocol. */
export async function serveWebSocket(fault: Fault): Promise<HttpServer> {
  const receive = createReceiver(fault);
  const server = createServer();
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const connection: Connection = { revision: '2025-11-25' };
    let held = Buffer.alloc(0);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      held = Buffer.concat([held, chunk]);
      for (let frame = readFrame(held); frame !== null; frame = readFrame(held)) {
        held = held.subarray(frame.size);
        if (frame.opcode === 8) return void socket.end();
        if (frame.opcode !== 1) continue;
        const { before, answer } = receive(frame.text, connection);
        for (const message of [...before, answer])
          if (message !== undefined) socket.write(textFrame(JSON.stringify(message)));
      }
    });
  });
  return listening(server, 'ws', '/ws');
}

function readFrame(bytes: Buffer): { opcode: number; text: string; size: number } | null {
  if (bytes.length < 6) return null;
  const short = bytes[1]! & 0x7f;
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head + 4) return null;
  const length =
    short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const size = head + 4 + length;
  if (bytes.length < size) return null;
  const mask = bytes.subarray(head, head + 4);
  const payload = bytes.subarray(head + 4, size).map((byte, index) => byte ^ mask[index % 4]!);
  return { opcode: bytes[0]! & 0x0f, text: Buffer.from(payload).toString('utf8'), size };
}

function textFrame(text: string): Buffer {
  const payload = Buffer.from(text, 'utf8');
  const head = payload.length < 126 ? Buffer.from([0x81, payload.length]) : Buffer.alloc(10);
  if (head.length === 10) {
    head[0] = 0x81;
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([head, payload]);
}

async function listening(
  server: ReturnType<typeof createServer>,
  scheme: string,
  path: string,
): Promise<HttpServer> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: new URL(`${scheme}://127.0.0.1:${port}${path}`),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
