// Sessions that are opened and never used.

import { type Attack, createTally, inWaves } from '../attack.ts';
import { exchange, INITIALIZE, open, requestText } from '../raw-client.ts';

export const sessions: Attack = async ({ port, count, key }) => {
  const tally = createTally();
  const width = 16;
  const text = requestText({
    key,
    body: INITIALIZE,
    headers: ['Accept: application/json, text/event-stream'],
  });
  const lanes = await Promise.all(Array.from({ length: width }, () => open(port)));
  await inWaves(width, width, async (lane) => {
    const socket = lanes[lane];
    for (let at = lane; at < count && socket; at += width) {
      const answer = await exchange(socket, text);
      if (answer?.status === 200 && /^mcp-session-id: \S{20,}/im.test(answer.text)) tally.add('opened');
      else tally.add(answer === null ? 'closed' : `status ${answer.status}`);
    }
  });
  return { tally: tally.read, release: () => lanes.forEach((socket) => void socket?.destroy()) };
};
