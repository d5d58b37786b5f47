// A host that comes into being when a guest first asks for something. Most calls compute and ask for nothing; for those
// nothing is made and nothing has to be closed.

import type { HostHandler } from '../core/port.ts';
import type { Host } from '../host/host.ts';

export function lazyHost(create: () => Host): Host {
  let host: Host | null = null;
  const made = (): Host => {
    host ??= create();
    return host;
  };
  const handler: HostHandler = {
    handle: (op, args) => made().handle(op, args),
    begin: () => made().begin?.() ?? null,
    close: () => host?.close() ?? Promise.resolve(),
  };
  return { ...handler, denials: () => host?.denials() ?? [] };
}
