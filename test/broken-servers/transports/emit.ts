// Sends what a message gets on a stream that answers share: what comes before, then the answer, at its time.

import type { Connection, Outgoing } from '../server.ts';

export function emit(
  { before, answer, after, id }: Outgoing,
  connection: Connection,
  send: (message: unknown) => void,
): void {
  for (const message of before) send(message);
  if (answer === undefined) return;
  if (after === undefined) send(answer);
  else
    setTimeout(() => {
      if (!connection.cancelled.has(id)) send(answer);
    }, after);
}
