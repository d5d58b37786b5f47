// An honest client: asks for sums over connections it keeps, one after the other in a few lanes, and checks each one.
// Every call must be answered, and rightly; how long it took is noted and judged by nobody.

import { Agent, request } from 'node:http';

export interface Honest {
  /** Latencies since it was last asked, in milliseconds, sorted. */
  take(): number[];
  readonly faults: readonly string[];
  /** Settles when the calls under way are answered. */
  stop(): Promise<void>;
}

const LANES = 4;
const PAUSE_MS = 4;
/** Never, for a sum. */
const DEADLINE_MS = 30_000;

export function startHonest(port: number, key: string): Honest {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  const faults: string[] = [];
  let latencies: number[] = [];
  let running = true;
  let next = 0;

  const lane = async (): Promise<void> => {
    while (running) {
      const [a, b] = [next++, 7];
      const started = performance.now();
      try {
        const sum = await add(agent, port, key, a, b);
        if (sum !== `${a + b}`) faults.push(`${a} + ${b} is not ${sum}`);
      } catch (error) {
        faults.push(`${a} + ${b} got no answer: ${error}`);
      }
      latencies.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  const lanes = Promise.all(Array.from({ length: LANES }, lane));
  return {
    faults,
    take() {
      const taken = latencies.sort((x, y) => x - y);
      latencies = [];
      return taken;
    },
    async stop() {
      running = false;
      await lanes;
      agent.destroy();
    },
  };
}

function add(agent: Agent, port: number, key: string, a: number, b: number): Promise<string> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: a,
    method: 'tools/call',
    params: { name: 'add', arguments: { a, b } },
  });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${key}`,
  };
  return new Promise((resolve, reject) => {
    const options = { agent, port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers };
    const asked = request({ ...options, signal: AbortSignal.timeout(DEADLINE_MS) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('error', reject);
      response.on('end', () => {
        try {
          resolve(JSON.parse(text).result.content[0].text as string);
        } catch {
          reject(new Error(`status ${response.statusCode}: ${text.slice(0, 200)}`));
        }
      });
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
