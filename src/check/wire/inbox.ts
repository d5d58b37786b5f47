// Everything a server has sent on one stream, bounded, with a way to wait for what comes next. A server that floods
// fills the inbox and is cut off there; the checker itself never grows with what it is sent.

import { type Received, received } from '../message.ts';

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MESSAGES = 20_000;

export class Inbox {
  readonly messages: Received[] = [];
  /** Why nothing more will come: null while the stream is open. */
  ended: string | null = null;
  #bytes = 0;
  #waiting = new Set<() => void>();
  readonly #onFlood: () => void;

  constructor(onFlood: () => void) {
    this.#onFlood = onFlood;
  }

  push(raw: string): void {
    if (this.ended !== null) return;
    this.#bytes += raw.length;
    if (this.#bytes > MAX_BYTES || this.messages.length >= MAX_MESSAGES) {
      this.end(`the server sent more than ${MAX_MESSAGES} messages or ${MAX_BYTES} bytes`);
      this.#onFlood();
      return;
    }
    this.messages.push(received(raw));
    this.#wake();
  }

  end(reason: string): void {
    this.ended ??= reason;
    this.#wake();
  }

  /** The first message from position `from` on that `wanted` accepts; null when time or the stream runs out. */
  async next(
    wanted: (message: Received) => boolean,
    from: number,
    milliseconds: number,
  ): Promise<Received | null> {
    const deadline = performance.now() + milliseconds;
    let position = from;
    for (;;) {
      for (; position < this.messages.length; position++) {
        const message = this.messages[position]!;
        if (wanted(message)) return message;
      }
      const left = deadline - performance.now();
      if (this.ended !== null || left <= 0) return null;
      await this.#change(left);
    }
  }

  #change(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      this.#waiting.add(done);
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}
