// References to schemas elsewhere, 2026-07-28: none is published, and none is followed. Whether a server follows one
// shows only if it gets one and asks for it here, so a port of this machine is open meanwhile; a server on another
// machine could not reach it, and is not accused nor praised.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Bench, callParams, NO_CALLS } from '../bench.ts';
import { clauses } from '../clauses.ts';
import { isObject, type JsonObject } from '../message.ts';
import { type Check, fail, pass, type Revision, skip, TRANSPORTS, type Verdict } from '../model.ts';
import { networkReference } from '../schema.ts';

const MOMENT = 300;
const MOST_TOOLS = 10;

async function nonePublished(bench: Bench): Promise<Verdict> {
  const { items, pages } = await bench.list('tools/list');
  for (const tool of items) {
    for (const key of ['inputSchema', 'outputSchema'] as const) {
      const reference = networkReference(tool[key]);
      if (reference !== null) return fail(`${key} of "${tool.name}" refers to ${reference}`, pages[0]);
    }
  }
  return pass;
}

async function noneFollowed(bench: Bench): Promise<Verdict> {
  if (!isHere(bench))
    return skip('The server is on another machine and could not fetch anything from this one');
  const tools = (await bench.callables()).slice(0, MOST_TOOLS);
  if (tools.length === 0) return skip(NO_CALLS);
  const trap = await openTrap();
  try {
    const capabilities = { elicitation: {}, sampling: {}, roots: {} };
    const { items } = await bench.list('tools/list');
    for (const tool of tools) {
      const bait = {
        ...trap.schema,
        ...asArguments(
          items.find((one) => one.name === tool.name),
          trap.schema,
        ),
      };
      const given = { ...bait, ...tool.arguments };
      const exchange = await bench.conversation.request(
        'tools/call',
        {
          ...callParams({ ...tool, arguments: given }),
          _meta: { 'example.com/schema': trap.schema },
          inputResponses: { witbox: { action: 'accept', content: trap.schema } },
        },
        { capabilities, headers: tool.headers },
      );
      if (trap.asked() > 0) return fail(`"${tool.name}" fetched the $ref that it was given`, exchange);
    }
    await delay(MOMENT);
    return trap.asked() > 0 ? fail('The server fetched a $ref that it was given') : pass;
  } finally {
    trap.close();
  }
}

/** Where the tool takes any object or any value, there a schema fits in. */
function asArguments(tool: JsonObject | undefined, schema: JsonObject): JsonObject {
  const input = isObject(tool?.inputSchema) ? tool.inputSchema : {};
  const properties = isObject(input.properties) ? input.properties : {};
  const open = Object.entries(properties).filter(
    ([, property]) =>
      isObject(property) &&
      (property.type === undefined || (property.type === 'object' && property.properties === undefined)),
  );
  return Object.fromEntries(open.map(([name]) => [name, schema]));
}

interface Trap {
  readonly schema: JsonObject;
  asked(): number;
  close(): void;
}

async function openTrap(): Promise<Trap> {
  let count = 0;
  const server = createServer((_, response) => {
    count++;
    response.writeHead(200, { 'content-type': 'application/schema+json', connection: 'close' }).end('true');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    schema: { $schema: `${at}/dialect`, $ref: `${at}/schema`, allOf: [{ $ref: `${at}/part#/$defs/a` }] },
    asked: () => count,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function isHere({ address }: Bench): boolean {
  if (address.transport === 'stdio') return true;
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(address.url.hostname);
}

const modern = { revisions: ['2026-07-28'] as readonly Revision[], transports: TRANSPORTS };

export const referenceChecks: readonly Check[] = [
  {
    id: 'F17',
    title: 'Tool schemas need nothing from the network',
    level: 'practice',
    severity: 'high',
    clause: clauses.references,
    ...modern,
    remedy: 'Put the schemas into $defs: clients must not fetch what a $ref names',
    run: nonePublished,
  },
  {
    id: 'F28',
    title: 'A network $ref is never fetched',
    level: 'must',
    severity: 'high',
    clause: clauses.references,
    ...modern,
    scope: 'once',
    remedy: 'Switch off the loading of references in the JSON Schema library, and refuse what is left open',
    run: noneFollowed,
  },
];
