// The response as it is read: bytes when the guest asks for them, so a fast server waits for a slow guest. Counts what
// was read against the limit, and gives up when nothing comes for too long.

import type { IncomingMessage } from 'node:http';
import { HostFailure, type WireValue } from '../../core/port.ts';
import type { HostLimits } from '../limits.ts';
import { httpFailure } from './errors.ts';
import { rowsOf } from './message.ts';

export interface ResponseReader {
  readonly status: number;
  readonly headers: WireValue;
  read(most: number): Promise<Uint8Array>;
  trailers(): Promise<WireValue>;
  /** Whether everything was read, so that the connection may be kept. */
  close(): boolean;
}

const NOTHING = new Uint8Array(0);

export function createResponseReader(
  message: IncomingMessage,
  limits: HostLimits,
  betweenBytesMs: number,
): ResponseReader {
  let taken = 0;
  let failure: HostFailure | null = null;
  message.on('error', (error) => {
    failure ??=
      (error as { code?: string }).code === 'ECONNRESET'
        ? new HostFailure('HTTP-response-incomplete')
        : httpFailure(error);
  });

  const more = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (then: () => void): void => {
        clearTimeout(timer);
        for (const event of ['readable', 'end', 'close', 'error']) message.off(event, go);
        then();
      };
      const go = (): void => settle(resolve);
      const timer = setTimeout(() => {
        failure = new HostFailure('connection-read-timeout');
        message.destroy();
        settle(() => reject(failure));
      }, betweenBytesMs);
      for (const event of ['readable', 'end', 'close', 'error']) message.on(event, go);
    });

  async function read(most: number): Promise<Uint8Array> {
    for (;;) {
      const chunk: Buffer | null =
        message.readableLength > most
          ? message.read(most)
          : message.readableLength > 0
            ? message.read()
            : message.read(0);
      if (chunk !== null && chunk.byteLength > 0) {
        taken += chunk.byteLength;
        if (taken > limits.responseBodyBytes) {
          failure = new HostFailure('HTTP-response-body-size', limits.responseBodyBytes);
          message.destroy();
          throw failure;
        }
        return chunk;
      }
      if (failure !== null) throw failure;
      if (message.readableEnded) return NOTHING;
      if (message.destroyed) throw new HostFailure('HTTP-response-incomplete');
      await more();
    }
  }

  return {
    status: message.statusCode ?? 0,
    headers: rowsOf(message.rawHeaders),
    read,
    async trailers() {
      // Trailers come after the body; what of it was not read is thrown away, within the same limits.
      while ((await read(limits.chunkBytes)).byteLength > 0);
      return message.rawTrailers.length === 0 ? null : rowsOf(message.rawTrailers);
    },
    close() {
      const whole = message.readableEnded;
      if (!whole) message.destroy();
      return whole;
    },
  };
}
