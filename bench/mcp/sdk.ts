// The official server SDK with the same tool, on its lower and faster level, without sessions as its examples do it.

import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { report } from './report.ts';

const number = { type: 'number' };
const inputSchema = { type: 'object' as const, properties: { a: number, b: number }, required: ['a', 'b'] };
const tools = [{ name: 'add', description: 'Adds two numbers', inputSchema }];

function create(): Server {
  const server = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { arguments: args } }) => ({
    content: [{ type: 'text', text: `${Number(args?.a) + Number(args?.b)}` }],
  }));
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
