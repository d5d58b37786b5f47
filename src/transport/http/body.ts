// Reads a request's body up to a limit. Slow bodies are ended by the HTTP server's own request timeout.

import type { IncomingMessage } from 'node:http';
import { WitboxError } from '../../core/errors.ts';
import { createGathering } from '../gather.ts';

export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) return Promise.reject(new WitboxError('message-too-large', { limit }));
  return new Promise((resolve, reject) => {
    const body = createGathering();
    request.on('data', (chunk: Buffer) => {
      if (body.size + chunk.length > limit) {
        request.pause();
        reject(new WitboxError('message-too-large', { limit }));
      } else body.add(chunk);
    });
    request.on('end', () => resolve(body.take()));
    request.on('error', reject);
    request.on('aborted', () => reject(new WitboxError('invalid-request', { reason: 'the body broke off' })));
  });
}
