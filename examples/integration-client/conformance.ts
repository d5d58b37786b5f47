// A program that uses every feature of a server through `src/client/`: opens it, lists everything, calls every tool,
// reads every resource, gets every prompt, and answers what it is asked. The official conformance suite runs it against
// its scenarios (npm run conformance:client); by hand: node examples/integration-client/conformance.ts http://localhost:8080/mcp

import {
  addressTarget,
  type Connection,
  type ConnectOptions,
  connect,
  createConsent,
  type Handlers,
  REVISIONS,
} from '../../src/client/client.ts';
import { argumentsFor, type Calls } from './arguments.ts';

interface Context {
  readonly toolCalls?: Calls;
  readonly client_id?: string;
  readonly client_secret?: string;
}

const REDIRECT = 'http://localhost:3000/callback';
const CLIENT_DOCUMENT = 'https://conformance-test.local/client-metadata.json';

const context: Context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const revision = REVISIONS.find((one) => one === process.env.MCP_CONFORMANCE_PROTOCOL_VERSION);
const target = addressTarget(process.argv.at(-1) ?? '');
if (target === null) throw new Error('Give the address of a server');

const handlers: Handlers = {
  // Defaults of the form are filled in by the client.
  elicit: () => ({ action: 'accept', content: {} }),
  sample: () => ({ model: 'none', role: 'assistant', content: { type: 'text', text: 'Certainly' } }),
  roots: () => [{ uri: 'file:///work', name: 'work' }],
};

/** Stands for a person with a browser: goes where it is sent, consents, and comes back with the query. */
async function visit(address: URL): Promise<URLSearchParams> {
  const answer = await fetch(address, { redirect: 'manual' });
  const back = answer.headers.get('location');
  if (back === null) throw new Error(`The authorization server answered with HTTP ${answer.status}`);
  return new URL(back).searchParams;
}

const options: ConnectOptions = {
  info: { name: 'witbox-integration-client', version: '1.0.0' },
  ...(revision && { revision }),
  handlers,
  auth: createConsent({
    clientName: 'Witbox integration client',
    redirectUrl: REDIRECT,
    visit,
    clientMetadataUrl: CLIENT_DOCUMENT,
    ...(context.client_id !== undefined && {
      client: {
        client_id: context.client_id,
        ...(context.client_secret !== undefined && { client_secret: context.client_secret }),
      },
    }),
  }),
};

const connection = await connect(target, options);
console.log(`${connection.server.info?.name ?? 'a server'} at ${connection.revision}`);
await useEverything(connection);
await connection.close();

async function useEverything(server: Connection): Promise<void> {
  await report('ping', server.ping());
  const tools = await server.tools();
  for (const { name, args } of argumentsFor(tools, context.toolCalls)) {
    await report(`tool ${name}`, server.callTool(name, args));
  }
  for (const { uri } of await server.resources()) await report(`resource ${uri}`, server.readResource(uri));
  for (const { name } of await server.prompts()) await report(`prompt ${name}`, server.getPrompt(name));
}

/** One thing that fails is told, and the rest is still tried. */
async function report(what: string, work: Promise<unknown>): Promise<void> {
  try {
    console.log(`${what}: ${JSON.stringify(await work).slice(0, 200)}`);
  } catch (error) {
    console.log(`${what}: ${(error as Error).message}`);
  }
}
