// The port of one instance. An instance may be made before the call that it will serve is known; what it asks until
// then waits, and goes out in the name of the call once there is one. Cancelling rejects whatever it waits for, which
// traps the guest where it stands.

import { HostFailure, type Port, type WireValue } from '../../core/port.ts';
import * as kinds from '../wire/kinds.ts';
import type { Pipe } from './pipe.ts';

/** Messages that wait for a call; a start function that has more to say than this is cut short. */
const MOST_WAITING = 64;

export class CallCancelled extends Error {
  override readonly name = 'CallCancelled';
}

/** The call that an instance works for. */
export interface Attached {
  readonly id: number;
  readonly beginning: WireValue;
}

interface Pending {
  resolve(value: WireValue): void;
  reject(error: Error): void;
}

export class InstancePort implements Port {
  readonly #pipe: Pipe;
  readonly #pending = new Map<number, Pending>();
  #waiting: ((call: number) => void)[] = [];
  #call: number | null = null;
  #beginning: WireValue = null;
  /** The call was cancelled, or has been answered: nothing may be said in its name any more. */
  #over = false;
  #last = 0;

  constructor(pipe: Pipe) {
    this.#pipe = pipe;
  }

  get generation(): number {
    return this.#call ?? 0;
  }

  get beginning(): WireValue {
    return this.#beginning;
  }

  /** From now on the instance works for this call. */
  attach({ id, beginning }: Attached): void {
    this.#call = id;
    this.#beginning = beginning;
    this.#over = false;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const send of waiting) send(id);
  }

  request(op: string, args: readonly WireValue[]): Promise<WireValue> {
    if (this.#over) return Promise.reject(new CallCancelled());
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send((call) =>
        this.#pipe.frame(kinds.REQUEST, call, (out) => {
          out.varint(id);
          out.text(op);
          out.value(args);
        }),
      );
    });
  }

  post(op: string, args: readonly WireValue[]): void {
    // Handles dropped after the answer are released by the broker anyway.
    if (this.#over) return;
    this.#send((call) =>
      this.#pipe.frame(kinds.POST, call, (out) => {
        out.text(op);
        out.value(args);
      }),
    );
  }

  reply(id: number, value: WireValue): void {
    this.#take(id)?.resolve(value);
  }

  refuse(id: number, code: string, detail: WireValue): void {
    this.#take(id)?.reject(new HostFailure(code, detail));
  }

  detach(): void {
    this.#over = true;
    this.#call = null;
    this.#beginning = null;
    this.#pending.clear();
  }

  cancel(): void {
    this.#over = true;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(new CallCancelled());
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #send(send: (call: number) => void): void {
    if (this.#call !== null) send(this.#call);
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push(send);
    else throw new HostFailure('insufficient-memory');
  }
}
