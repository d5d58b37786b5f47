// What passes between a transport and the official client, before either sees it: notifications on their way out are
// counted, so that a cancellation is out before the end; messages that come in are seen first and in order.

import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

export interface Tap {
  /** What is on its way. */
  readonly sending: ReadonlySet<Promise<unknown>>;
}

/** Must be laid before the client connects. */
export function layTap(wire: Transport, see: (message: JSONRPCMessage) => void): Tap {
  let handler: Transport['onmessage'];
  const receive: NonNullable<Transport['onmessage']> = (message, extra) => {
    see(message);
    if ('method' in message) handler?.(message, extra);
    // The official client hands on notifications a moment later, but takes responses at once, and with them forgets who
    // wanted progress: the last word before a response would be lost. So responses wait that moment, too.
    else
      Promise.resolve()
        .then(() => {})
        .then(() => handler?.(message, extra));
  };
  Object.defineProperty(wire, 'onmessage', {
    configurable: true,
    get: () => (handler === undefined ? undefined : receive),
    set(next: Transport['onmessage']) {
      handler = next;
    },
  });

  const sending = new Set<Promise<unknown>>();
  const send = wire.send.bind(wire);
  wire.send = (message, options) => {
    const sent = send(message, options);
    if ('id' in message) return sent;
    sending.add(sent);
    const done = () => void sending.delete(sent);
    sent.then(done, done);
    return sent;
  };
  return { sending };
}
