// One request of a connection at a time. Clients may send further ones before the answer (RFC 9112, section 9.3.2), and
// Node would begin them all: their answers would then wait in memory behind the first, where no limit sees them, for as
// long as that one goes on. So they begin in turn; those who send too many ahead are let go.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const MOST_AHEAD = 32;

export function oneAtATime(handle: RequestListener): RequestListener {
  /** For sockets with a request that is being answered: what begins after it. */
  const lines = new WeakMap<Socket, (() => void)[]>();

  const begin = (request: IncomingMessage, response: ServerResponse, line: (() => void)[]): void => {
    response.once('close', () => {
      const next = request.socket.destroyed ? undefined : line.shift();
      if (next) next();
      else lines.delete(request.socket);
    });
    handle(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    const line = lines.get(socket);
    if (line === undefined) {
      const ahead: (() => void)[] = [];
      lines.set(socket, ahead);
      begin(request, response, ahead);
    } else if (line.length < MOST_AHEAD) line.push(() => begin(request, response, line));
    else socket.destroy();
  };
}
