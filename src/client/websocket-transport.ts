// MCP over WebSocket as Witbox serves it (docs/transports.md): subprotocol `mcp`, one JSON-RPC message per text message.
// The connection is the session. A message that is not JSON-RPC ends the connection: what follows could not be trusted.

import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client';

const MAX_MESSAGE = 64 * 1024 * 1024;
const CLOSE_MS = 1_000;
const OPENING = 0;
const OPEN = 1;

export interface WebSocketTransportOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

export class WebSocketTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  #socket: WebSocket | undefined;
  #ended = false;

  constructor(url: URL, options: WebSocketTransportOptions = {}) {
    this.#url = url;
    this.#headers = options.headers ?? {};
  }

  async start(): Promise<void> {
    if (this.#socket) throw new Error('WebSocket transport has been started already');
    const socket = new WebSocket(this.#url, { protocols: ['mcp'], headers: { ...this.#headers } });
    this.#socket = socket;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.addEventListener('open', () => resolve(), { once: true });
    socket.addEventListener('error', (event) => {
      const error = new Error(reasonOf(event), { cause: (event as ErrorEvent).error });
      reject(error);
      this.onerror?.(error);
    });
    socket.addEventListener('message', ({ data }) => this.#receive(data));
    socket.addEventListener('close', ({ code, reason }) => {
      reject(new Error(`the connection was closed with code ${code}${reason ? `: ${reason}` : ''}`));
      this.#end();
    });
    await promise;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket?.readyState !== OPEN) throw new Error('the connection is closed');
    this.#socket.send(JSON.stringify(message));
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    if (!socket || (socket.readyState !== OPEN && socket.readyState !== OPENING)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.addEventListener('close', () => resolve(), { once: true });
    // A peer that never answers the closing handshake is not waited for.
    const timer = setTimeout(resolve, CLOSE_MS);
    socket.close(1000);
    await promise;
    clearTimeout(timer);
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.onclose?.();
  }

  #receive(data: unknown): void {
    if (this.#ended) return;
    try {
      if (typeof data !== 'string') throw new Error('the server sent a binary message');
      if (data.length > MAX_MESSAGE) throw new Error(`the server sent more than ${MAX_MESSAGE} characters`);
      this.onmessage?.(parseJSONRPCMessage(JSON.parse(data)));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
      this.#socket?.close(1000);
      this.#end();
    }
  }
}

function reasonOf(event: Event): string {
  const { message, error } = event as ErrorEvent;
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  const deeper = cause instanceof Error ? cause.message : '';
  return deeper || message || 'the WebSocket was refused';
}
