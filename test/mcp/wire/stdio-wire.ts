// stdio, in this process: the transport's own code with a pair of pipes in place of the process's.

import { PassThrough } from 'node:stream';
import { ANYBODY } from '../../../src/core/caller.ts';
import type { Protocol } from '../../../src/protocol/protocol.ts';
import type { TransportLimits } from '../../../src/transport/limits.ts';
import { serveStdio } from '../../../src/transport/stdio/stdio.ts';
import { createInbox, type Wire } from './wire.ts';

export function openStdio(protocol: Protocol, limits: TransportLimits): Wire {
  const input = new PassThrough();
  const output = new PassThrough();
  const box = createInbox();
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    for (const line of lines) box.receive(line);
  });
  const transport = serveStdio(protocol, { input, output }, ANYBODY, limits);
  return {
    ...box,
    async send(text) {
      input.write(`${text}\n`);
    },
    async close() {
      await transport.close();
    },
  };
}
