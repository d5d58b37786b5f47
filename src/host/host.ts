// The broker's side of one call: everything a guest asks of the world arrives here as an operation with arguments, is
// decided, and done or refused. One host per call; `close()` releases whatever the call still holds.
// Never trusts a cell: arguments are checked as if an attacker had written them, and failures carry no path or message
// of the machine.

import { HostFailure, type HostHandler, type WireValue } from '../core/port.ts';
import { begin } from './begin.ts';
import { createDenials } from './denials.ts';
import { createFiles } from './files/files.ts';
import type { Denial, Grants } from './grants.ts';
import { createHandles } from './handles.ts';
import { type Agents, createAgents } from './http/agents.ts';
import { createHttp } from './http/http.ts';
import { createInject } from './http/inject.ts';
import { createKeyvalue } from './keyvalue/keyvalue.ts';
import { DEFAULT_LIMITS, type HostLimits } from './limits.ts';
import { createLog, type GuestLog } from './log.ts';
import { createEndpoints, type Resolve, systemResolve } from './net/endpoint.ts';
import type { Operations } from './operations.ts';
import { createSockets } from './sockets/sockets.ts';
import { integer } from './wire-args.ts';

export interface HostOptions {
  readonly componentId: string;
  readonly grants: Grants;
  readonly limits?: Partial<HostLimits>;
  /** What environment grants may choose from; a guest sees granted keys alone. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly args?: readonly string[];
  /** What `wasi:config` grants may choose from. */
  readonly config?: Readonly<Record<string, string>>;
  /** What secret grants may choose from: sent by the host, never seen by the guest. */
  readonly secrets?: ReadonlyMap<string, string>;
  /** Where buckets are kept; without it there are none. */
  readonly keyvalueDir?: string;
  /** Connections of this component, kept between its calls; without it the call has its own. */
  readonly agents?: Agents;
  readonly resolve?: Resolve;
  readonly onLog?: (entry: GuestLog) => void;
  readonly onDenial?: (denial: Denial) => void;
}

export interface Host extends HostHandler {
  denials(): readonly Denial[];
}

export function createHost(options: HostOptions): Host {
  const { grants, componentId } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const denials = createDenials(options.onDenial);
  const handles = createHandles(limits.handles);
  const endpoints = createEndpoints(grants, denials, options.resolve ?? systemResolve, limits.connectMs);
  const agents = options.agents ?? createAgents();
  const files = createFiles(grants, denials, handles, limits);
  const inject = createInject(grants, denials, options.secrets ?? new Map());
  let begun: WireValue = null;
  const operations = new Map(
    Object.entries<Operations[string]>({
      begin: () => {
        begun ??= begin(options, files);
        return begun;
      },
      drop: (args) => {
        handles.drop(integer(args, 0));
        return null;
      },
      ...createLog(limits, options.onLog),
      ...files.operations,
      ...createHttp(endpoints, agents, inject, handles, limits),
      ...createSockets(endpoints, handles, limits),
      ...createKeyvalue(grants, denials, handles, limits, { directory: options.keyvalueDir, componentId }),
    }),
  );
  let closed = false;

  return {
    async handle(op: string, args: readonly WireValue[]): Promise<WireValue> {
      if (closed) throw new HostFailure('bad-descriptor');
      const operation = operations.get(op);
      if (operation === undefined) throw new HostFailure('unsupported');
      try {
        return await operation(args);
      } catch (error) {
        throw error instanceof HostFailure ? error : new HostFailure('io');
      }
    },
    begin() {
      try {
        begun ??= begin(options, files);
      } catch {
        // The guest is told when it asks.
      }
      return begun;
    },
    async close() {
      closed = true;
      await handles.closeAll();
      files.close();
      if (options.agents === undefined) agents.close();
    },
    denials: () => denials.list(),
  };
}
