// What passes between a transport and the official client, before either sees it: notifications on their way out are
// counted, so that a cancellation is out before the end; messages that come in are seen first and in order; a request
// whose stream ends without an answer fails at once instead of waiting for its time to run out.

import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/client';

/** How a request fails whose stream has ended. */
export const STREAM_ENDED = 'the stream ended without an answer';

export interface Tap {
  /** What is on its way. */
  readonly sending: ReadonlySet<Promise<unknown>>;
}

/** Must be laid before the client connects. */
export function layTap(wire: Transport, see: (message: JSONRPCMessage) => void): Tap {
  const unanswered = new Set<RequestId>();
  let handler: Transport['onmessage'];
  const receive: NonNullable<Transport['onmessage']> = (message, extra) => {
    see(message);
    if (!('method' in message) && message.id !== undefined) unanswered.delete(message.id);
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
    if ('method' in message && 'id' in message) {
      const { id } = message;
      unanswered.add(id);
      const onRequestStreamEnd = (): void => {
        options?.onRequestStreamEnd?.();
        if (unanswered.has(id))
          receive({ jsonrpc: '2.0', id, error: { code: -32_000, message: STREAM_ENDED } });
      };
      return send(message, { ...options, onRequestStreamEnd });
    }
    const sent = send(message, options);
    sending.add(sent);
    const done = () => void sending.delete(sent);
    sent.then(done, done);
    return sent;
  };
  return { sending };
}
