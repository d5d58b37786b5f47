// Witbox's server with a trivial tool in its own process: `add`, and as many more tools as the argument says.

import { BUILT_IN, type Catalog, type ToolOutcome } from '../../src/catalog/catalog.ts';
import { ANYBODY } from '../../src/core/caller.ts';
import { WitboxError } from '../../src/core/errors.ts';
import { createLogger } from '../../src/core/log.ts';
import type { Tool } from '../../src/core/mcp.ts';
import { createProtocol } from '../../src/protocol/protocol.ts';
import { createServer } from '../../src/server/server.ts';
import { serveHttp } from '../../src/transport/http/http.ts';
import { serveStdio } from '../../src/transport/stdio/stdio.ts';
import { report } from './report.ts';

const number = { type: 'number' };
const inputSchema = { type: 'object', properties: { a: number, b: number }, required: ['a', 'b'] };
const count = Number(process.argv[3] ?? 1);
const tools = new Map<string, Tool>();
for (let at = 0; at < count; at += 1) {
  const name = at === 0 ? 'add' : `add-${at}`;
  tools.set(name, { name, description: `Adds two numbers, for the ${at}th time`, inputSchema });
}
const listing = { version: '1', items: [...tools.values()] };
const nothing = { version: '1', items: [] };
const missing = async (): Promise<never> => {
  throw new WitboxError('resource-not-found', { uri: '' });
};

const catalog: Catalog = {
  tools: () => listing,
  tool: (_, name) => tools.get(name),
  async callTool({ arguments: { a, b } }): Promise<ToolOutcome> {
    return { kind: 'complete', content: [{ type: 'text', text: `${(a as number) + (b as number)}` }] };
  },
  resources: () => nothing,
  resourceTemplates: () => nothing,
  readResource: missing,
  prompts: () => nothing,
  getPrompt: missing,
  complete: missing,
  owner: () => BUILT_IN,
  watch: () => () => {},
};

const log = createLogger({ levels: 'error', write: (line) => process.stderr.write(line) });
const protocol = createProtocol(createServer(catalog, { info: { name: 'bench', version: '1' } }), log);
if (process.argv[2] === 'stdio') {
  await serveStdio(protocol, { input: process.stdin, output: process.stdout }, ANYBODY).closed;
} else report((await serveHttp(protocol)).port);
