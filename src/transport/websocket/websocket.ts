// MCP over WebSocket: every text message is one JSON-RPC message, both ways, as on stdio. No compression, no binary
// messages. A client that does not answer pings, does not read, or breaks the framing is let go.

import { isUtf8 } from 'node:buffer';
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Caller } from '../../core/caller.ts';
import type { Connection } from '../../protocol/connection.ts';
import { readMessage } from '../../protocol/envelope.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import { pipeRoute } from '../../protocol/route.ts';
import type { Door } from '../door.ts';
import { createGathering } from '../gather.ts';
import type { TransportLimits } from '../limits.ts';
import { createPace } from '../pace.ts';
import { CLOSE, closeFrame, createFrameReader, type Frame, FrameError, OPCODE, writeFrame } from './frame.ts';
import { acceptHandshake } from './handshake.ts';

export interface WebSockets {
  readonly size: number;
  sizeOf(callerId: string): number;
  readonly inFlight: number;
  /** Throws before anything is written if the request is no handshake for MCP. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, caller: Caller): void;
  tick(): void;
  close(graceMs: number): Promise<void>;
}

interface Client {
  readonly connection: Connection;
  /** Pings since the client was last heard. */
  silent: number;
  ping(): void;
  end(code: number, reason: string): void;
}

const MAX_SILENT = 6;
const NO_LONGER = 'Credential is no longer accepted';

export function createWebSockets(protocol: Protocol, limits: TransportLimits, door: Door): WebSockets {
  const clients = new Set<Client>();
  return {
    get size() {
      return clients.size;
    },
    sizeOf: (callerId) => [...clients].filter(({ connection }) => connection.caller.id === callerId).length,
    get inFlight() {
      return [...clients].reduce((sum, { connection }) => sum + connection.inFlight, 0);
    },
    accept(request, socket, head, caller) {
      const response = acceptHandshake(request);
      // Gone while it was looked at who asks: it would never be counted out again.
      if (socket.destroyed) return;
      door.enter(caller);
      socket.write(response);
      const client = createClient(protocol, limits, door, socket, caller, () => clients.delete(client));
      clients.add(client);
      if (head.length > 0) socket.unshift(head);
    },
    tick() {
      for (const client of clients) {
        client.silent += 1;
        if (client.silent > MAX_SILENT) client.end(CLOSE.away, 'No answer to pings');
        else if (!door.holds(client.connection.caller)) client.end(CLOSE.policy, NO_LONGER);
        else client.ping();
      }
    },
    async close(graceMs) {
      const busy = Promise.all([...clients].map(({ connection }) => connection.drained()));
      await Promise.race([busy, new Promise((resolve) => setTimeout(resolve, graceMs).unref())]);
      for (const client of clients) {
        client.connection.stop();
        client.end(CLOSE.away, 'Server stops');
      }
    },
  };
}

function createClient(
  protocol: Protocol,
  limits: TransportLimits,
  door: Door,
  socket: Duplex,
  caller: Caller,
  onGone: () => void,
): Client {
  const reader = createFrameReader(limits.maxMessageBytes);
  const message = createGathering();
  let isFragment = false;
  let over = false;

  const send = (text: string): void => {
    if (over) return;
    socket.write(writeFrame(OPCODE.text, Buffer.from(text)));
    if (socket.writableLength > limits.maxBacklogBytes) end(CLOSE.busy, 'Reads too slowly');
  };
  const end = (code: number, reason: string): void => {
    if (over) return;
    over = true;
    socket.end(closeFrame(code, reason));
    // A peer that never closes its side must not hold the socket.
    setTimeout(() => socket.destroy(), 1_000).unref();
    connection.close(reason);
  };
  const session = randomBytes(18).toString('base64url');
  const connection = protocol.connect({ transport: 'websocket', caller, session, send });
  const route = pipeRoute(send);

  const piece = ({ final, opcode, payload }: Frame): void => {
    if (opcode === OPCODE.binary) throw new FrameError(CLOSE.unsupported, 'MCP messages are text');
    if ((opcode === OPCODE.continuation) !== isFragment) {
      throw new FrameError(CLOSE.protocol, 'Fragments are out of order');
    }
    if (message.size + payload.length > limits.maxMessageBytes)
      throw new FrameError(CLOSE.large, 'Message is too large');
    message.add(payload);
    isFragment = !final;
    if (!final) return;
    const whole = message.take();
    if (!isUtf8(whole)) throw new FrameError(CLOSE.data, 'Text is not UTF-8');
    if (door.holds(caller)) connection.receive(readMessage(whole.toString()), route);
    else end(CLOSE.policy, NO_LONGER);
  };
  const take = (frame: Frame): void => {
    client.silent = 0;
    if (frame.opcode === OPCODE.ping) socket.write(writeFrame(OPCODE.pong, frame.payload));
    else if (frame.opcode === OPCODE.close) end(CLOSE.normal, '');
    else if (frame.opcode !== OPCODE.pong) piece(frame);
  };
  const pace = createPace(
    socket,
    () =>
      !over &&
      (connection.inFlight >= limits.maxInFlight || socket.writableLength > limits.maxBacklogBytes / 2),
  );

  socket.on('data', (chunk: Buffer) => {
    if (over) return;
    try {
      for (const frame of reader.push(chunk)) if (!over) take(frame);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      end(error.closeCode, error.message);
    }
    pace.check();
  });
  const gone = (): void => {
    pace.stop();
    if (!over) connection.close('client went away');
    over = true;
    socket.destroy();
    onGone();
  };
  socket.on('close', gone);
  socket.on('end', gone);
  socket.on('error', gone);

  const client: Client = {
    connection,
    silent: 0,
    ping: () => socket.write(writeFrame(OPCODE.ping, Buffer.alloc(0))),
    end,
  };
  return client;
}
