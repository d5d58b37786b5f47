// Fuzzes every transport with bent messages: `npm run fuzz:mcp`, 100,000 in all unless told otherwise.
// Usage: node test/fuzz/mcp.ts [--count 100000] [--seed 1]

import { parseArgs } from 'node:util';
import { TRANSPORTS } from '../mcp/harness.ts';
import { fuzzBytes } from './mcp-bytes.ts';
import { fuzz } from './mcp-fuzz.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const each = Math.ceil(Number(values.count) / TRANSPORTS.length);
for (const transport of TRANSPORTS) {
  const { sent, answered } = await fuzz(transport, each, Number(values.seed));
  console.log(`${transport}: ${sent} messages sent, ${answered} answers, still alive`);
}
const bytes = Math.ceil(each / 10);
await fuzzBytes(bytes, Number(values.seed));
console.log(`sockets: ${2 * bytes} streams of bent HTTP and WebSocket bytes, still alive`);
