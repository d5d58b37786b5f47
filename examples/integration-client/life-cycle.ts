// The whole life of a connection to an MCP server, step by step, each step told as it happens: opening, capabilities,
// lists, ping, a call with progress, a call that is cancelled, closing; and whether every request had an id of its own.
// Works with any server: what the server does not offer is told as left out, never as done.

import { Client, type Transport } from '@modelcontextprotocol/client';

export interface Wishes {
  /** A tool to call, with arguments. */
  readonly call?: { readonly name: string; readonly arguments: Record<string, unknown> };
  /** A tool that takes long enough to be cancelled. */
  readonly long?: { readonly name: string; readonly arguments: Record<string, unknown> };
  /** `auto` finds the newest revision that both sides speak; `legacy` opens with initialize. */
  readonly opening?: 'auto' | 'legacy';
}

export interface Step {
  readonly name: string;
  readonly outcome: 'done' | 'left out' | 'failed';
  readonly words: string;
}

const INFO = { name: 'integration-client', version: '1.0.0' };

export async function liveThrough(
  transport: Transport,
  { call, long, opening = 'auto' }: Wishes,
  tell: (step: Step) => void = () => {},
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const sent = recordIds(transport);
  const client = new Client(INFO, { versionNegotiation: { mode: opening } });

  async function step(name: string, run: () => Promise<string | null>): Promise<boolean> {
    const one = await run().then(
      (words): Step =>
        words === null
          ? { name, outcome: 'left out', words: 'not offered here' }
          : { name, outcome: 'done', words },
      (error: Error): Step => ({ name, outcome: 'failed', words: error.message }),
    );
    steps.push(one);
    tell(one);
    return one.outcome !== 'failed';
  }

  const opened = await step('open', async () => {
    await client.connect(transport);
    return `${client.getServerVersion()?.name} speaks ${client.getNegotiatedProtocolVersion()}`;
  });
  if (!opened) return steps;
  const can = client.getServerCapabilities() ?? {};
  await step('capabilities', async () => Object.keys(can).sort().join(', ') || 'none');
  await step('tools', async () => (can.tools ? `${(await client.listTools()).tools.length} tools` : null));
  await step('resources', async () =>
    can.resources ? `${(await client.listResources()).resources.length} resources` : null,
  );
  await step('prompts', async () =>
    can.prompts ? `${(await client.listPrompts()).prompts.length} prompts` : null,
  );
  // Taken out of the protocol with 2026-07-28.
  const hasPing = String(client.getNegotiatedProtocolVersion()) < '2026-07-28';
  await step('ping', async () => (hasPing ? client.ping().then(() => 'answered') : null));
  await step('call with progress', async () => {
    if (call === undefined) return null;
    const seen: number[] = [];
    const result = await client.callTool(call, { onprogress: ({ progress }) => seen.push(progress) });
    return `${result.isError ? 'an error' : 'a result'}, progress ${seen.join(', ') || 'not reported'}`;
  });
  await step('cancel', async () => {
    if (long === undefined) return null;
    const stop = new AbortController();
    const running = client.callTool(long, { signal: stop.signal });
    setTimeout(() => stop.abort('no longer wanted'), 100);
    const ended = await running.then(
      () => 'came to an end first',
      () => 'cancelled',
    );
    if (ended !== 'cancelled') throw new Error(`"${long.name}" ${ended}: name a tool that takes longer`);
    await client.listTools();
    return 'cancelled, and the connection lives on';
  });
  await step('unique ids', async () => {
    if (new Set(sent).size !== sent.length) throw new Error('an id was used twice');
    return `${sent.length} requests, ${sent.length} ids`;
  });
  await step('close', async () => {
    await client.close();
    return 'closed';
  });
  return steps;
}

/** The id of every request that goes out, as it goes out. */
function recordIds(transport: Transport): unknown[] {
  const ids: unknown[] = [];
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    for (const one of [message].flat()) if ('method' in one && 'id' in one) ids.push(one.id);
    return send(message, options);
  };
  return ids;
}
