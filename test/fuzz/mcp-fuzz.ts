// Sends bent messages over a transport and watches what a server must never do: crash, get stuck, answer a
// notification, or answer twice. After every block a good request must still be answered.

import { createHarness, type Harness, type TransportName } from '../mcp/harness.ts';
import { Peer } from '../mcp/wire/peer.ts';
import type { Message, Wire } from '../mcp/wire/wire.ts';
import { createRandom, mostAnswers, mutate } from './mcp-mutate.ts';

const BLOCK = 250;

export interface FuzzReport {
  readonly sent: number;
  readonly answered: number;
}

export async function fuzz(transport: TransportName, count: number, seed: number): Promise<FuzzReport> {
  const harness = await createHarness({ http: { limits: { graceMs: 100 } } });
  const random = createRandom(seed);
  let sent = 0;
  let answered = 0;
  try {
    while (sent < count) {
      const texts = Array.from({ length: Math.min(BLOCK, count - sent) }, () => mutate(random));
      answered += await block(harness, transport, texts);
      sent += texts.length;
    }
  } finally {
    await harness.close();
  }
  return { sent, answered };
}

/** A new client per block: a bent initialize may leave the old one in any state. */
async function block(harness: Harness, transport: TransportName, texts: readonly string[]): Promise<number> {
  const wire = await harness.open(transport);
  const most = texts.reduce((sum, text) => sum + mostAnswers(text), 0);
  try {
    for (let at = 0; at < texts.length; at += 25) {
      await Promise.all(texts.slice(at, at + 25).map((text) => sendQuietly(wire, text, transport)));
    }
    const probe = new Peer(wire, '2024-11-05');
    const answer = await probe.request('tools/call', { name: 'add', arguments: { a: 1, b: 2 } }, 'probe');
    if (!answer.result) throw new Error(`The probe failed: ${JSON.stringify(answer)}`);
    const answers = wire.inbox.filter((message) => isAnswer(message, transport)).length;
    if (answers > most)
      throw new Error(`${answers} answers to at most ${most} requests; run the seed again to see them`);
    return answers;
  } finally {
    await wire.close();
  }
}

// The HTTP wire throws on statuses that are no answer of MCP; here any status will do.
async function sendQuietly(wire: Wire, text: string, transport: TransportName): Promise<void> {
  try {
    await wire.send(text);
  } catch (error) {
    if (transport === 'stdio' || transport === 'websocket') throw error;
  }
}

// Over HTTP an error without an id only explains the status of the POST that was refused.
function isAnswer(message: Message | readonly Message[], transport: TransportName): boolean {
  if (Array.isArray(message)) return true;
  const { method, id } = message as Message;
  return method === undefined && (transport !== 'http' || (id !== undefined && id !== null));
}
