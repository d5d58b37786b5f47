// One jailed process as the broker sees it: started, loaded with one component, asked, ended. Every frame that comes
// from it is hostile; whatever breaks the rules of the wire ends this cell and nothing else.
// Invariant: when a cell has ended, every call that was in it is settled, and its process has been sent SIGKILL.

import { WitboxError } from '../core/errors.ts';
import { HostFailure, type WireValue } from '../core/port.ts';
import { type ActiveCall, isRunning, settle } from './active-call.ts';
import { endByCrash } from './end/crash.ts';
import { endOfFailed } from './end/failed.ts';
import { resultOrOver } from './end/output.ts';
import { type Launched, type LaunchOptions, launch } from './launch.ts';
import { WIRE_LIMITS } from './limits.ts';
import type { End } from './outcome.ts';
import { openUsage, type Usage, type UsageReader } from './process-usage.ts';
import type { Reaper } from './reaper.ts';
import { Turns } from './turns.ts';
import { createFrameSplitter } from './wire/frame.ts';
import { type FromCell, malformed, readFromCell } from './wire/from-cell.ts';
import * as kinds from './wire/kinds.ts';
import { createOutbox, type Outbox } from './wire/outbox.ts';

const MOST_STDERR = 4096;

export interface CellEvents {
  /** A call left the cell or waits for the host: there may be room for another. */
  readonly onRoom: () => void;
  /** How long a call took that asked nothing of the host. */
  readonly onComputed: (ms: number) => void;
  /** `unstarted` are calls that can go to another cell as if nothing had happened. */
  readonly onEnd: (unstarted: readonly ActiveCall[], why: EndReason) => void;
}

/** Why a cell ended, in one word, for whoever counts them. */
export type EndReason =
  | 'idle'
  | 'unloaded'
  | 'shutdown'
  | 'crash'
  | 'timeout'
  | 'cpu'
  | 'memory'
  | 'cancelled';

/** How the end of a cell is told to each call that is in it. */
export type EndOf = (call: ActiveCall) => End;

export class Cell {
  readonly calls = new Map<number, ActiveCall>();
  idleSince = performance.now();
  /** The component can only compute: a call that had not begun may begin elsewhere, though the broker cannot be sure. */
  pure = false;
  /** Processor time when it was last looked at since it was idle. */
  seenCpuMs: number | null = null;
  readonly #launched: Launched;
  readonly #events: CellEvents;
  readonly #outbox: Outbox;
  readonly #turns = new Turns();
  readonly #ready = Promise.withResolvers<void>();
  readonly #isParent: boolean;
  #loading: PromiseWithResolvers<WireValue> | null = null;
  #state: 'starting' | 'empty' | 'loading' | 'loaded' | 'ended' = 'starting';
  #handling = { messages: 0, bytes: 0 };
  /** Functions that asked what they may see: the next call of one gets the answer along with its arguments. */
  readonly #beginners = new Set<number>();
  #stderr = '';
  #usage: UsageReader | null = null;

  constructor(options: LaunchOptions, reaper: Reaper, events: CellEvents) {
    this.#events = events;
    this.#isParent = options.layers.namespaces;
    this.#launched = launch(options);
    const { process: child, pipe } = this.#launched;
    this.#outbox = createOutbox(pipe);
    this.#ready.promise.catch(() => {});
    const pid = child.pid;
    if (pid !== undefined) reaper.watch(pid);
    this.#listen();
    child.on('error', (error) => {
      this.#stderr ||= error.message;
      this.end(endByCrash('it could not be started'));
    });
    child.on('exit', (code, signal) => {
      if (pid !== undefined) reaper.release(pid);
      const how = signal === null ? `it ended with status ${code}` : `it ended with ${signal}`;
      // What it wrote before it died is still in the pipe and may hold answers.
      setImmediate(() => this.end(endByCrash(how, this.#stderr)));
    });
    child.stderr?.setEncoding('latin1').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(0, MOST_STDERR);
      // Enough to say why it died; whoever writes more is not listened to.
      if (this.#stderr.length === MOST_STDERR) child.stderr?.destroy();
    });
  }

  get pid(): number | undefined {
    return this.#launched.process.pid;
  }

  get state(): 'starting' | 'empty' | 'loading' | 'loaded' | 'ended' {
    return this.#state;
  }

  /** Calls in the cell that do not wait for the host. */
  get busy(): number {
    return this.#turns.busy;
  }

  whenReady(): Promise<void> {
    return this.#ready.promise;
  }

  /** Gives the description of the component as the cell tells it: hostile, to be read by `readDescription`. */
  async load(settings: WireValue, bytes: Uint8Array): Promise<WireValue> {
    await this.#ready.promise;
    this.#state = 'loading';
    this.#loading = Promise.withResolvers<WireValue>();
    this.#outbox.frame(kinds.LOAD, 0, (out) => {
      out.value(settings);
      out.raw(bytes);
    });
    return this.#loading.promise;
  }

  start(call: ActiveCall): void {
    if (this.calls.size === 0) this.seenCpuMs = null;
    this.calls.set(call.id, call);
    this.#turns.add(call);
    const beginning = this.#beginners.has(call.func) ? (call.host.begin?.() ?? null) : null;
    this.#outbox.frame(kinds.CALL, call.id, (out) => {
      out.varint(call.func);
      out.varint(call.limits.outputBytes);
      out.text(call.session);
      out.value(beginning);
      out.utf8(call.args);
    });
  }

  /** Asks the cell to give a call up; it can only if the guest waits. */
  askToCancel(call: ActiveCall): void {
    this.#outbox.frame(kinds.CANCEL, call.id);
  }

  forget(session: string): void {
    this.#outbox.frame(kinds.FORGET, 0, (out) => out.text(session));
  }

  usage(): Usage | null {
    const pid = this.pid;
    if (this.#usage === null && pid !== undefined && this.#state !== 'ended') {
      this.#usage = openUsage(pid, this.#isParent);
    }
    return this.#usage?.read() ?? null;
  }

  /** Kills the process now and settles every call in it as `endOf` says. */
  end(endOf: EndOf, why: EndReason = 'crash'): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    const { process: child, pipe } = this.#launched;
    child.kill('SIGKILL');
    this.#outbox.close();
    pipe.destroy();
    child.stderr?.destroy();
    this.#usage?.close();
    this.#usage = null;
    const reason = new WitboxError('cell-start', { reason: this.#stderr.trim() || 'it ended' });
    this.#ready.reject(reason);
    this.#loading?.reject(reason);
    const calls = [...this.calls.values()];
    this.calls.clear();
    const isUnstarted = (call: ActiveCall): boolean => this.pure && call.startedAt === 0 && !call.settled;
    for (const call of calls) if (!isUnstarted(call)) settle(call, endOf(call));
    this.#events.onEnd(calls.filter(isUnstarted), why);
  }

  #listen(): void {
    const { pipe } = this.#launched;
    const from = this.#fromCell();
    const splitter = createFrameSplitter(
      WIRE_LIMITS.frameBytes,
      (kind, call, bytes, start, end) => {
        if (this.#state !== 'ended') readFromCell(from, kind, call, bytes, start, end);
      },
      () =>
        Math.max(WIRE_LIMITS.frameBytes, ...[...this.calls.values()].map(({ limits }) => limits.outputBytes)),
    );
    pipe.on('data', (chunk: Buffer) => {
      if (this.#state === 'ended') return;
      try {
        splitter.push(chunk);
      } catch (error) {
        this.end(endByCrash(error instanceof WitboxError ? error.message : 'it broke the rules of the wire'));
      }
    });
    pipe.on('error', () => this.end(endByCrash('its pipe broke')));
  }

  #fromCell(): FromCell {
    return {
      ready: () => {
        if (this.#state !== 'starting') malformed('it is ready twice');
        this.#state = 'empty';
        this.#ready.resolve();
      },
      loaded: (description) => {
        if (this.#state !== 'loading') malformed('it loaded what it was not given');
        this.#state = 'loaded';
        this.#loading?.resolve(description);
      },
      unloadable: (reason) => {
        if (this.#state !== 'loading') malformed('it refused what it was not given');
        this.#loading?.reject(new WitboxError('cell-load', { reason }));
        this.end(endByCrash('it could not load its component'));
      },
      started: (id) => void this.#heard(id),
      result: (id, ok, json) => this.#leave(id, (call) => resultOrOver(call, ok, json)),
      failed: (id, kind, message, detail) =>
        this.#leave(id, (call) => endOfFailed(call, kind, message, detail)),
      request: (id, request, operation, args, size) => {
        const call = this.#heard(id);
        if (call.requests.has(request)) malformed('it made a request twice');
        if (call.requests.size >= WIRE_LIMITS.requests) malformed('it made too many requests at once');
        const paused = isRunning(call);
        call.asked = true;
        if (operation === 'begin') this.#beginners.add(call.func);
        call.requests.add(request);
        if (paused) this.#turns.pause();
        this.#handle(1, size);
        void call.host.handle(operation, args).then(
          (value) => this.#answer(call, request, size, value, null),
          (error: unknown) => this.#answer(call, request, size, null, error ?? 'failed'),
        );
        if (paused) this.#events.onRoom();
      },
      post: (id, operation, args, size) => {
        const call = this.#heard(id);
        this.#handle(1, size);
        const done = (): void => this.#handle(-1, -size);
        void call.host.handle(operation, args).then(done, done);
      },
    };
  }

  #heard(id: number): ActiveCall {
    const call = this.calls.get(id) ?? malformed('it spoke of a call that is not there');
    this.#turns.heard(call);
    return call;
  }

  #leave(id: number, endOf: EndOf): void {
    const call = this.#heard(id);
    this.calls.delete(id);
    if (isRunning(call)) this.#turns.pause();
    if (this.calls.size === 0) this.idleSince = performance.now();
    if (!call.asked) this.#events.onComputed(performance.now() - call.startedAt);
    settle(call, endOf(call));
    this.#events.onRoom();
  }

  #answer(call: ActiveCall, request: number, size: number, value: WireValue, error: unknown): void {
    this.#handle(-1, -size);
    if (call.settled || this.#state === 'ended') return;
    call.requests.delete(request);
    if (call.requests.size === 0) this.#turns.resume();
    this.#outbox.frame(error === null ? kinds.REPLY : kinds.REFUSE, call.id, (out) => {
      out.varint(request);
      // Only what was made for the guest goes to the guest: an unforeseen error may name the machine.
      if (error !== null) out.text(error instanceof HostFailure ? error.code : 'io');
      out.value(error === null ? value : error instanceof HostFailure ? error.detail : null);
    });
  }

  /** Reading pauses while the host has its hands full: the pipe fills, and the cell waits in its write. */
  #handle(messages: number, bytes: number): void {
    this.#handling.messages += messages;
    this.#handling.bytes += bytes;
    if (this.#state === 'ended') return;
    const { pipe } = this.#launched;
    const over =
      this.#handling.messages > WIRE_LIMITS.busyMessages || this.#handling.bytes > WIRE_LIMITS.busyBytes;
    if (over !== pipe.isPaused()) {
      if (over) pipe.pause();
      else pipe.resume();
    }
  }
}
