// stdio around the server that is made for being broken.

import { connect, createReceiver, type Fault } from '../server.ts';
import { emit } from './emit.ts';

export function serveStdio(fault: Fault): void {
  const receive = createReceiver(fault);
  const how = fault.stdio ?? {};
  const connection = connect('2025-11-25');
  const print = (message: unknown) =>
    process.stdout.write(`${JSON.stringify(message, null, how.indent ? 2 : undefined)}\n`);
  if (how.greeting !== undefined) process.stdout.write(how.greeting);
  if (how.staysAlive) setInterval(() => {}, 1_000);
  let pieces: Buffer[] = [];
  let held = 0;
  process.stdin.on('end', () => {
    if (!how.staysAlive) process.exit(0);
  });
  process.stdin.on('data', (chunk: Buffer) => {
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
      if (line === '' && how.diesOnBlankLine) process.exit(1);
      if (line !== '') take(line);
    }
  });

  function take(line: string): void {
    if (how.diesOnGarbage) JSON.parse(line);
    const outgoing = receive(line, connection);
    if (outgoing.dies) process.exit(1);
    emit(outgoing, connection, print);
  }
}
