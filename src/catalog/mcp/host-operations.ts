// The broker's side of witbox:mcp/host during one call: what the guest says goes to the client, bounded; what it wants
// to change in the catalogue is checked first. Harmless things are there unless the policy denies them, registering
// tools needs a grant. Every argument comes from a cell and is read as hostile.

import { type Json, parseJson } from '../../core/json.ts';
import { LOG_LEVELS, type Tool } from '../../core/mcp.ts';
import { HostFailure, type HostHandler, type WireValue } from '../../core/port.ts';
import { decide } from '../../policy/decide.ts';
import type { Policy } from '../../policy/policy.ts';
import type { CallContext } from '../catalog.ts';
import { readTool } from './descriptions.ts';
import { Lie } from './fields.ts';

/** What a component may change of itself while it works. */
export interface SelfService {
  register(tool: Tool): void;
  unregister(name: string): boolean;
  resourceChanged(uri: string): void;
  listsChanged(): void;
}

type Operation = (args: readonly WireValue[]) => WireValue;

const MOST_MESSAGES = 10_000;
/** Characters of all messages of one call: they wait in memory for a client that may be slow, or take time to check. */
const MOST_CHARACTERS = 8 << 20;
const MOST_DEPTH = 50;

/** Puts these operations in front of a host; everything else is the host's. */
export function withMcpOperations<H extends HostHandler>(
  host: H,
  context: CallContext,
  policy: Policy,
  self: SelfService,
): H {
  const operations = new Map(Object.entries(mcpOperations(context, policy, self)));
  let left = MOST_MESSAGES;
  let room = MOST_CHARACTERS;
  return {
    ...host,
    async handle(op: string, args: readonly WireValue[]): Promise<WireValue> {
      const operation = operations.get(op);
      if (operation === undefined) return host.handle(op, args);
      room -= lengthOf(args);
      if (left-- <= 0 || room < 0)
        throw new HostFailure('insufficient-memory', 'too many messages in one call');
      return operation(args);
    },
  };
}

function mcpOperations(context: CallContext, policy: Policy, self: SelfService): Record<string, Operation> {
  const denied = (name: string): boolean => policy.mcp.deny.some((rule) => rule.name === name);
  const unlessDenied =
    (name: string, run: Operation): Operation =>
    (args) =>
      denied(name) ? null : run(args);
  const needsGrant = (name: string): void => {
    const decision = decide(policy, { kind: 'mcp', name });
    if (!decision.allowed) throw new HostFailure('access', `${decision.permission}: ${decision.reason}`);
  };
  return {
    'mcp.log': unlessDenied('log', ([level, data, logger]) => {
      const known = LOG_LEVELS.find((one) => one === level);
      if (known === undefined || typeof data !== 'string') return null;
      context.log(known, jsonOrText(data), typeof logger === 'string' ? logger : undefined);
      return null;
    }),
    'mcp.progress': unlessDenied('progress', ([progress, total, message]) => {
      if (typeof progress !== 'number' || !Number.isFinite(progress)) return null;
      const all = typeof total === 'number' && Number.isFinite(total) ? total : undefined;
      context.progress(progress, all, typeof message === 'string' ? message : undefined);
      return null;
    }),
    'mcp.cancelled': () => context.signal.aborted,
    'mcp.client': () => {
      const { info, revision, capabilities } = context.client;
      if (denied('client')) return ['', '', revision, '{}'];
      return [info?.name ?? '', info?.version ?? '', revision, JSON.stringify(capabilities)];
    },
    'mcp.register': ([tool]) => {
      needsGrant('register-tool');
      try {
        self.register(readTool(tool as Json));
      } catch (error) {
        throw error instanceof Lie ? new HostFailure('invalid-argument', error.message) : error;
      }
      return null;
    },
    'mcp.unregister': ([name]) => {
      needsGrant('register-tool');
      if (typeof name === 'string' && self.unregister(name)) return null;
      throw new HostFailure('no-entry', 'no tool of that name is registered');
    },
    'mcp.changed': unlessDenied('resource-changed', ([uri]) => {
      if (typeof uri === 'string' && uri.length < 8_192 && !/^component:/i.test(uri))
        self.resourceChanged(uri);
      return null;
    }),
    'mcp.lists-changed': unlessDenied('lists-changed', () => {
      self.listsChanged();
      return null;
    }),
    'mcp.close-stream': unlessDenied('close-stream', () => {
      context.closeStream();
      return null;
    }),
  };
}

function lengthOf(value: WireValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + lengthOf(part as WireValue), 1);
}

function jsonOrText(data: string): Json {
  try {
    return parseJson(data, MOST_DEPTH);
  } catch {
    return data;
  }
}
