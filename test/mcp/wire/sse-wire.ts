// Legacy HTTP+SSE: one stream for everything that comes, an address to post to.

import { readEvents } from './events.ts';
import { createInbox, type Wire } from './wire.ts';

export async function openSse(url: string): Promise<Wire> {
  const box = createInbox();
  const abort = new AbortController();
  const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal: abort.signal });
  const endpoint = await new Promise<string>((resolve, reject) => {
    readEvents(response, ({ event, data }) => {
      if (event === 'endpoint') resolve(new URL(data!, url).href);
      else if (data) box.receive(data);
    }).catch(reject);
  });
  return {
    ...box,
    async send(text) {
      const answer = await fetch(endpoint, {
        method: 'POST',
        body: text,
        headers: { 'content-type': 'application/json' },
      });
      if (answer.status !== 202) throw new Error(`Status ${answer.status}: ${await answer.text()}`);
    },
    async close() {
      abort.abort();
    },
  };
}
