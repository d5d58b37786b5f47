// How Witbox introduces itself to clients.

import type { ServerOptions } from '../server/server.ts';

const INSTRUCTIONS =
  'Tools run as WebAssembly in a sandbox that grants nothing by default. A call that fails with -32001 names the permission that an operator would have to grant.';

export function serverOptions(version: string): ServerOptions {
  return { info: { name: 'witbox', version, title: 'Witbox' }, instructions: INSTRUCTIONS };
}
