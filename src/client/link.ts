// The way to a server: opens it at the best revision both sides have, keeps it, and mends it. What was sent is never sent
// again unless the server said that it did not take it: a lost session (404) and a missing authorization. A call that
// finds the connection lost opens a new one first. Request ids come from one counter per session and are never reused.

import { Client, type Transport, UnauthorizedError } from '@modelcontextprotocol/client';
import { WitboxError } from '../core/errors.ts';
import { type Attempt, callFailure, connectFailure, isTimeout, statusOf } from './failures.ts';
import { capabilitiesOf, register } from './handlers.ts';
import type { LinkOptions } from './options.ts';
import { outputSchemas } from './output-schema.ts';
import { layTap, type Tap } from './tap.ts';
import { describeTarget, type Target } from './target.ts';
import { markTask } from './tasks.ts';
import { createTransport } from './transports.ts';

const MODERN = '2026-07-28';
const MAX_STDERR = 4_096;
const FLUSH_MS = 1_000;

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

export interface Link {
  readonly server: string;
  readonly client: Client;
  readonly transport: Target['transport'];
  /** Uses the connection for one request, after opening it anew if it was lost. */
  run<T>(method: string, options: RunOptions, use: (client: Client) => Promise<T>): Promise<T>;
  /** Called after the connection has been opened anew, for what must be said again; gives the way to stop it. */
  onReopen(listener: () => void): () => void;
  close(): Promise<void>;
}

interface Opened {
  readonly client: Client;
  readonly wire: Transport;
  readonly transport: Target['transport'];
  /** What is on its way and must be out before the end, such as a cancellation. */
  readonly sending: Tap['sending'];
}

/** How the next attempt is made. */
interface Plan {
  readonly target: Target;
  readonly handshakeOnly: boolean;
}

export async function openLink(target: Target, options: LinkOptions): Promise<Link> {
  const server = describeTarget(target);
  const listeners = new Set<() => void>();
  let closed = false;
  let lost = false;
  let reopening: Promise<void> | undefined;
  // Not a const: the closures below may run before the first assignment.
  let opened: Opened | undefined;
  const current = (): Opened => opened!;
  opened = await open();

  async function open(): Promise<Opened> {
    let plan: Plan = { target, handshakeOnly: options.revision === undefined && target.transport === 'sse' };
    let first: unknown;
    for (;;) {
      if (options.signal?.aborted) throw new WitboxError('call-cancelled', { method: 'connecting' });
      const state = { stderr: '', response: undefined as Attempt['response'] };
      const wire = createTransport(plan.target, {
        ...(options.auth && { auth: 'provider' in options.auth ? options.auth.provider : options.auth }),
        onStderr(text) {
          state.stderr = (state.stderr + text).slice(-MAX_STDERR);
          options.onStderr?.(text);
        },
      });
      try {
        return await connect(plan, wire, (message) => {
          if ('result' in message || 'error' in message) state.response = message;
        });
      } catch (error) {
        await wire.close().catch(() => {});
        if (options.signal?.aborted) throw new WitboxError('call-cancelled', { method: 'connecting' }, error);
        if (await authorize(error, wire)) continue;
        const next = options.revision === undefined ? fallback(plan, error) : null;
        first ??= error;
        if (next === null)
          throw connectFailure(first, { server, ...state, seconds: options.openTimeoutMs / 1_000 });
        plan = next;
      }
    }
  }

  async function connect(
    { target: to, handshakeOnly }: Plan,
    wire: Transport,
    seen: (message: object) => void,
  ): Promise<Opened> {
    const client = createClient(to);
    const { sending } = layTap(wire, (message) => {
      seen(message);
      markTask(message);
    });
    const abort = () => void wire.close();
    options.signal?.addEventListener('abort', abort, { once: true });
    try {
      await client.connect(wire, {
        timeout: options.openTimeoutMs,
        ...(handshakeOnly && { prior: { kind: 'legacy' } }),
      });
    } finally {
      options.signal?.removeEventListener('abort', abort);
    }
    const result = { client, wire, transport: to.transport, sending };
    client.onclose = () => {
      if (opened !== result || closed) return;
      lost = true;
      options.onLost?.();
    };
    const { logLevel } = options;
    if (logLevel && client.getProtocolEra() === 'legacy' && client.getServerCapabilities()?.logging)
      await client.setLoggingLevel(logLevel);
    return result;
  }

  function createClient(to: Target): Client {
    const { revision, openTimeoutMs } = options;
    // Servers of old may leave the first question unanswered; they get most of the time for the handshake.
    const timeoutMs = revision === undefined && to.transport !== 'http' ? openTimeoutMs / 3 : openTimeoutMs;
    const client = new Client(options.info, {
      capabilities: { ...capabilitiesOf(options.handlers), ...options.capabilities },
      jsonSchemaValidator: outputSchemas,
      versionNegotiation: {
        mode: revision === undefined ? 'auto' : revision === MODERN ? { pin: MODERN } : 'legacy',
        probe: { timeoutMs },
      },
      ...(revision !== undefined && { supportedProtocolVersions: [revision] }),
    });
    register(client, options.handlers);
    options.prepare?.(client);
    client.onerror = (error) => options.onProblem?.(error);
    return client;
  }

  /** Whether the person has given a consent that was missing. */
  async function authorize(error: unknown, wire: Transport): Promise<boolean> {
    const { auth } = options;
    if (!(error instanceof UnauthorizedError) || !auth || !('provider' in auth)) return false;
    try {
      const query = await auth.returned();
      await (wire as Transport & { finishAuth(query: URLSearchParams): Promise<void> }).finishAuth(query);
      return true;
    } catch (failure) {
      const reason = failure instanceof Error ? failure.message : String(failure);
      throw new WitboxError('server-unauthorized', { server, reason }, failure);
    }
  }

  function reopen(): Promise<void> {
    reopening ??= open()
      .then((again) => {
        const old = current();
        opened = again;
        lost = false;
        void old.client.close().catch(() => {});
        for (const listener of listeners) listener();
      })
      .finally(() => {
        reopening = undefined;
      });
    return reopening;
  }

  return {
    server,
    get client() {
      return current().client;
    },
    get transport() {
      return current().transport;
    },
    onReopen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    async run(method, { signal, timeoutMs }, use) {
      if (closed) throw new WitboxError('connection-closed', { server, method });
      if (signal?.aborted) throw new WitboxError('call-cancelled', { method });
      if (lost || reopening) await reopen();
      for (let repairs = 0; ; repairs++) {
        const { client, wire } = current();
        try {
          const result = await use(client);
          if (options.auth && 'provider' in options.auth) options.auth.helped();
          return result;
        } catch (error) {
          const mendable = !signal?.aborted && !closed;
          if (mendable && repairs === 0 && statusOf(error) === 404 && wire.sessionId !== undefined) {
            await reopen();
            continue;
          }
          if (mendable && (await authorize(error, wire))) continue;
          throw callFailure(error, { server, method, seconds: timeoutMs / 1_000, signal });
        }
      }
    },

    async close() {
      if (closed) return;
      closed = true;
      await within(FLUSH_MS, Promise.allSettled([...current().sending]));
      const { client, wire } = current();
      if ('terminateSession' in wire && wire.sessionId !== undefined && !lost)
        await within(FLUSH_MS, (wire as { terminateSession(): Promise<void> }).terminateSession());
      await client.close().catch(() => {});
    },
  };
}

/** What else can be tried when an attempt failed: older servers do not know the first question, or the transport. */
function fallback({ target, handshakeOnly }: Plan, error: unknown): Plan | null {
  const { transport } = target;
  if ((transport === 'stdio' || transport === 'websocket') && !handshakeOnly) {
    const closedOnAsking = error instanceof Error && /closed during|probe timed out/.test(error.message);
    return closedOnAsking || isTimeout(error) ? { target, handshakeOnly: true } : null;
  }
  const status = statusOf(error);
  const noSuchTransport = status === 400 || status === 404 || status === 405;
  if (transport === 'http' && noSuchTransport)
    return { target: { ...target, transport: 'sse' }, handshakeOnly: true };
  return null;
}

async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([
    promise,
    work.then(
      () => resolve(),
      () => resolve(),
    ),
  ]);
  clearTimeout(timer);
}
