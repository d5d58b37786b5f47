// MCP over standard input and output: one JSON message per line, nothing else on stdout. At the end of input, what is
// in flight may finish (a shell pipe wants its answers), then the transport closes. One client, one connection.

import { randomBytes } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Caller } from '../../core/caller.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import { pipeRoute } from '../../protocol/route.ts';
import { decodeMessage, tooLarge } from '../decode.ts';
import { DEFAULT_LIMITS, type TransportLimits } from '../limits.ts';
import { createPace } from '../pace.ts';
import { createLineReader } from './lines.ts';

export interface StdioTransport {
  /** Resolves when input ended or output broke, and everything in flight is done. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
}

const BLANK = /^\s*$/;

export function serveStdio(
  protocol: Protocol,
  { input, output }: StdioStreams,
  caller: Caller,
  limits: TransportLimits = DEFAULT_LIMITS,
): StdioTransport {
  const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
  const writer = createWriter(output);
  const route = pipeRoute(writer.write);
  const connection = protocol.connect({
    transport: 'stdio',
    caller,
    session: randomBytes(18).toString('base64url'),
    send: writer.write,
  });
  let ended = false;

  const lines = createLineReader(
    limits.maxMessageBytes,
    (line) => {
      if (line.length < 8 && BLANK.test(line.toString())) return;
      connection.receive(decodeMessage(line), route);
    },
    () => connection.receive(tooLarge(limits.maxMessageBytes), route),
  );

  const pace = createPace(
    input,
    () => connection.inFlight >= limits.maxInFlight || writer.backlog() >= limits.maxBacklogBytes,
  );

  const finish = async (reason: string, graceMs: number): Promise<void> => {
    if (ended) return closed;
    ended = true;
    pace.stop();
    input.pause();
    await Promise.race([connection.drained(), wait(graceMs)]);
    connection.stop();
    protocol.log.debug('stdio ended', { reason });
    await writer.flushed();
    onClosed();
    return closed;
  };

  input.on('data', (chunk: Buffer) => {
    lines.push(chunk);
    pace.check();
  });
  input.on('end', () => {
    lines.end();
    void finish('end of input', limits.graceMs);
  });
  input.on('error', () => void finish('input broke', 0));
  output.on('error', () => void finish('output broke', 0));
  return { closed, close: () => finish('server stops', limits.graceMs) };
}

/** Gathers the lines of one turn into one write: pipelined requests then cost one system call, not one each. */
function createWriter(output: Writable) {
  let waiting = '';
  const flush = (): void => {
    const text = waiting;
    waiting = '';
    if (text !== '' && !output.destroyed) output.write(text);
  };
  return {
    write(text: string): void {
      if (waiting === '') setImmediate(flush);
      waiting += `${text}\n`;
    },
    backlog: (): number => output.writableLength + waiting.length,
    flushed(): Promise<void> {
      flush();
      return new Promise((resolve) => {
        if (output.destroyed || output.writableLength === 0) resolve();
        else output.write('', () => resolve());
      });
    },
  };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
