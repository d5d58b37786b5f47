// witbox:mcp/host: what a component may say and ask while it works. Everything is the broker's to decide and bound;
// a message that is not allowed is dropped there.

import { HostFailure, type Port, type WireValue } from '../core/port.ts';
import { type HostInstance, type Imports, suspending } from '../engine/engine.ts';

const delay = (milliseconds: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 2 ** 31 - 1), undefined));

const MOST_TEXT = 1 << 16;

export function createMcpHost(port: Port): Imports {
  const host: HostInstance = {
    log: (level, data, logger) => {
      port.post('mcp.log', [level as string, clip(data), logger === undefined ? null : clip(logger)]);
      return undefined;
    },
    progress: (progress, total, message) => {
      const words = message === undefined ? null : clip(message);
      port.post('mcp.progress', [progress as number, (total as number | undefined) ?? null, words]);
      return undefined;
    },
    'is-cancelled': suspending(async () => (await port.request('mcp.cancelled', [])) === true),
    client: suspending(async () => {
      const [name, version, revision, capabilities] = (await port.request('mcp.client', [])) as string[];
      return { name: name!, version: version!, revision: revision!, capabilities: capabilities! };
    }),
    'register-tool': suspending((tool) => outcome(port.request('mcp.register', [toWire(tool)]))),
    'unregister-tool': suspending((name) => outcome(port.request('mcp.unregister', [clip(name)]))),
    'resource-changed': (uri) => {
      port.post('mcp.changed', [clip(uri)]);
      return undefined;
    },
    'lists-changed': () => {
      port.post('mcp.lists-changed', []);
      return undefined;
    },
    // Local: the deadline of the call bounds it, and other calls of the cell go on meanwhile.
    sleep: suspending((milliseconds) => delay(milliseconds as number)),
    'close-stream': () => {
      port.post('mcp.close-stream', []);
      return undefined;
    },
  };
  return { 'witbox:mcp/host@0.1.0': host };
}

const clip = (text: unknown): string => String(text).slice(0, MOST_TEXT);

async function outcome(answer: Promise<WireValue>): Promise<{ tag: 'ok' } | { tag: 'err'; val: string }> {
  try {
    await answer;
    return { tag: 'ok' };
  } catch (error) {
    if (!(error instanceof HostFailure)) throw error;
    return { tag: 'err', val: typeof error.detail === 'string' ? error.detail : error.code };
  }
}

/** A record of strings, options, lists and enums is plain data once nothing is undefined. */
function toWire(value: unknown): WireValue {
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== 'object' || value === null) return (value ?? null) as WireValue;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toWire(part)]));
}
