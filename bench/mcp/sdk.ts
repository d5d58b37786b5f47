// The official server SDK with the same tool, in the way its own examples set it up without sessions.

import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import { report } from './report.ts';

const count = Number(process.argv[3] ?? 1);

function create(): McpServer {
  const server = new McpServer({ name: 'bench', version: '1' });
  for (let at = 0; at < count; at += 1) {
    const description = `Adds two numbers, for the ${at}th time`;
    const inputSchema = { a: z.number(), b: z.number() };
    server.registerTool(at === 0 ? 'add' : `add-${at}`, { description, inputSchema }, ({ a, b }) => ({
      content: [{ type: 'text', text: `${a + b}` }],
    }));
  }
  return server;
}

if (process.argv[2] === 'stdio') {
  await create().connect(new StdioServerTransport());
} else {
  const http = createServer(async (request, response) => {
    const server = create();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true } as never);
    response.on('close', () => {
      void transport.close();
      void server.close();
    });
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => report((http.address() as { port: number }).port));
}
