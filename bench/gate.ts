// What the gate costs: calls of a trivial tool over HTTP through a cell, without the gate and with all of it on
// (credential, access rules, limits, audit, metrics), by key and by JWT. The servers run side by side and are asked in
// turns, so that what else the machine does hits all alike. Linux; `npm run prepare` first.
// Usage: node bench/gate.ts [--rounds 30] [--seconds 0.5] [--connections 32]

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createKeyStore } from '../src/store/keys.ts';
import { startIssuer } from './gate/issuer.ts';
import { type Served, serve } from './gate/served.ts';
import { load } from './mcp/load.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '0.5' },
    connections: { type: 'string', default: '32' },
  },
});
const [rounds, seconds, connections] = [values.rounds, values.seconds, values.connections].map(Number) as [
  number,
  number,
  number,
];

const PUBLIC = 'http://127.0.0.1:8080';
const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'add', arguments: { a: 5, b: 3 } },
});

/** Limits that count and never refuse; a rule with an argument schema, so that it is checked too. */
const GATE = `
access:
  rules:
    - who: ['key:bench-*', 'group:bench']
      allow: { tools: ['*'] }
      deny: { tools: ['delete_*'] }
      arguments: [{ tool: add, schema: { properties: { a: { type: integer, maximum: 1000 } } } }]
limits:
  caller: { requests: { rate: 1000000/s, burst: 1000000 }, concurrent: 1000, bytes-per-day: 1000Gi }
  address: { requests: { rate: 1000000/s, burst: 1000000 }, connections: 1000 }
  tools: [{ tool: 'add', calls: { rate: 1000000/s, burst: 1000000 }, concurrent: 1000 }]
  concurrent: 1000
audit: { enabled: true }
metrics: { enabled: true }
`;

interface Contender {
  readonly what: string;
  readonly served: Served;
  readonly headers: Readonly<Record<string, string>>;
  readonly perSecond: number[];
  readonly cpuUs: number[];
}

const folder = mkdtempSync(join(tmpdir(), 'witbox-bench-gate-'));
const issuer = await startIssuer();
const contenders: Contender[] = [];
const add = async (what: string, name: string, config: string | null, credential?: string): Promise<void> => {
  const headers = {
    'MCP-Protocol-Version': '2025-06-18',
    ...(credential && { Authorization: `Bearer ${credential}` }),
  };
  const served = await serve(join(folder, name), config);
  contenders.push({ what, served, headers, perSecond: [], cpuUs: [] });
};
try {
  const { text: key } = await createKeyStore(join(folder, 'key', 'data')).create({ name: 'bench-1' });
  const oauth = `oauth: [{ issuer: '${issuer.issuer}', jwks: '${issuer.issuer}/jwks', audience: ['${PUBLIC}'], scopes: [mcp] }]`;
  await add('no gate', 'open', null);
  await add('gate, API key', 'key', `authentication: { keys: true }${GATE}`, key);
  await add(
    'gate, JWT',
    'jwt',
    `listen: { public-url: '${PUBLIC}' }\nauthentication: { ${oauth} }${GATE}`,
    await issuer.token(PUBLIC),
  );
  for (const { served, headers } of contenders)
    await load({ port: served.port, connections, seconds: 2, body, headers });
  for (let round = 0; round < rounds; round += 1) {
    // Another order each time: what comes after what is no advantage.
    for (let at = 0; at < contenders.length; at += 1) {
      const { served, headers, perSecond, cpuUs } = contenders[(at + round) % contenders.length]!;
      const before = served.cpuUs();
      const rate = await load({ port: served.port, connections, seconds, body, headers });
      cpuUs.push((served.cpuUs() - before) / (rate * seconds));
      perSecond.push(rate);
    }
  }
} finally {
  for (const { served } of contenders) await served.close();
  issuer.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The best tenth of the rounds: what the code can do when nobody else has the processor. */
const best = (numbers: readonly number[], order: 1 | -1): number =>
  numbers.toSorted((a, b) => order * (b - a))[Math.floor(numbers.length / 10)]!;
const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const [open] = contenders as [Contender];
console.table(
  contenders.map(({ what, perSecond, cpuUs }) => ({
    what,
    'per second': Math.round(best(perSecond, 1)),
    'of no gate': (best(perSecond, 1) / best(open.perSecond, 1)).toFixed(2),
    // Round by round, since neighbours in time saw the same machine.
    'median of rounds': median(perSecond.map((value, at) => value / open.perSecond[at]!)).toFixed(2),
    'broker CPU µs': Math.round(best(cpuUs, -1)),
  })),
);
