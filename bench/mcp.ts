// MCP servers side by side, in one run on one machine: raw node:http, Witbox, the official server SDK.
// Usage: node bench/mcp.ts [--seconds 3] [--connections 32]. Prints a table; nothing is asserted here.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { load } from './mcp/load.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '3' }, connections: { type: 'string', default: '32' } },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const program = (name: string) => join(import.meta.dirname, 'mcp', `${name}.ts`);

const CALL = message('tools/call', { name: 'add', arguments: { a: 5, b: 3 } });
const LIST = message('tools/list', {});
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN_CALL = message('tools/call', { name: 'add', arguments: { a: 5, b: 3 }, _meta: MODERN_META });
const MODERN_HEADERS = {
  'MCP-Protocol-Version': '2026-07-28',
  'Mcp-Method': 'tools/call',
  'Mcp-Name': 'add',
};
const SESSION_HEADERS = { 'MCP-Protocol-Version': '2025-06-18' };

const rows: Record<string, string | number>[] = [];
const [raw = 0, cell = 0, , , sdk = 1] = await http([
  { what: 'raw node:http echo', name: 'raw', tools: '1', body: CALL, headers: {} },
  { what: 'witbox, through a cell', name: 'cell', tools: '1', body: CALL, headers: SESSION_HEADERS },
  { what: 'witbox, tool in its own process', name: 'ours', tools: '1', body: CALL, headers: SESSION_HEADERS },
  { what: 'witbox, at 2026-07-28', name: 'ours', tools: '1', body: MODERN_CALL, headers: MODERN_HEADERS },
  { what: 'official SDK, tools/call', name: 'sdk', tools: '1', body: CALL, headers: SESSION_HEADERS },
  { what: 'witbox, tools/list of 1,000', name: 'ours', tools: '1000', body: LIST, headers: SESSION_HEADERS },
]);
await idle('witbox, 100 components, idle', ['http', '100']);
await stdio('witbox, stdio pipelined, through a cell', 'cell');
await stdio('witbox, stdio pipelined, tool in its own process', 'ours');
await stdio('official SDK, stdio pipelined', 'sdk');
await startup('bare node', ['-e', '0']);
await startup('witbox from source, start to initialize', [program('ours'), 'stdio', '1'], true);
const built = join(import.meta.dirname, '../dist/cli/main.js');
if (existsSync(built)) {
  const data = mkdtempSync(join(tmpdir(), 'witbox-bench-'));
  const command = [join(import.meta.dirname, 'mcp', 'built.mjs'), 'serve', '--stdio', '--data-dir', data];
  await startup('witbox serve as built', command, true);
  rmSync(data, { recursive: true });
}
await startup('official SDK, start to initialize', [program('sdk'), 'stdio', '1'], true);
console.table(rows);
console.log(
  `witbox through a cell is ${(cell / raw).toFixed(2)} of raw node:http and ${(cell / sdk).toFixed(1)} times the official SDK, whose tool is not sandboxed`,
);

function message(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
}

interface Contender {
  readonly what: string;
  readonly name: string;
  readonly tools: string;
  readonly body: string;
  readonly headers: Record<string, string>;
}

/** In turns, the best of three each, so that the ratios hold on a busy machine. */
async function http(contenders: readonly Contender[]): Promise<number[]> {
  const running = await Promise.all(
    contenders.map(async (one) => {
      const child = fork(program(one.name), ['http', one.tools]);
      const [{ port }] = (await once(child, 'message')) as [{ port: number }];
      await load({ ...one, port, connections, seconds: 1 });
      return { ...one, child, port, perSecond: 0, cpuUs: Number.POSITIVE_INFINITY, rssMb: 0 };
    }),
  );
  for (let turn = 0; turn < 3; turn += 1) {
    for (const one of running) {
      const before = await usage(one.child);
      const perSecond = await load({ ...one, connections, seconds });
      const after = await usage(one.child);
      one.perSecond = Math.max(one.perSecond, perSecond);
      one.cpuUs = Math.min(one.cpuUs, (after.cpuUs - before.cpuUs) / (perSecond * seconds));
      one.rssMb = after.rssMb;
    }
  }
  for (const { what, child, perSecond, cpuUs, rssMb } of running) {
    rows.push({
      what,
      'per second': Math.round(perSecond),
      'CPU µs each': Math.round(cpuUs),
      'RSS MB': rssMb,
    });
    child.kill();
    await once(child, 'exit');
  }
  return running.map(({ perSecond }) => perSecond);
}

async function usage(child: ChildProcess): Promise<{ cpuUs: number; rssMb: number }> {
  child.send('usage');
  const [answer] = (await once(child, 'message')) as [{ cpuUs: number; rssMb: number }];
  return answer;
}

async function idle(what: string, args: readonly string[]): Promise<void> {
  const child = fork(program('cell'), args);
  await once(child, 'message');
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  rows.push({ what, 'RSS MB': (await usage(child)).rssMb });
  child.kill();
  await once(child, 'exit');
}

async function stdio(title: string, name: string): Promise<void> {
  const child = spawn(process.execPath, [program(name), 'stdio', '1'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout);
  const opening = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  child.stdin.write(`${message('initialize', opening)}\n`);
  await once(lines, 'line');
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const total = 20_000;
  const block = Array.from({ length: total }, (_, id) => CALL.replace('"id":1', `"id":${id}`)).join('\n');
  const start = performance.now();
  let seen = 0;
  const all = new Promise<void>((resolve) => {
    lines.on('line', () => {
      seen += 1;
      if (seen === total) resolve();
    });
  });
  child.stdin.write(`${block}\n`);
  await all;
  rows.push({ what: title, 'per second': Math.round(total / ((performance.now() - start) / 1_000)) });
  child.stdin.end();
  await once(child, 'exit');
}

async function startup(title: string, args: string[], asks = false): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const start = performance.now();
    const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    const exit = once(child, 'exit');
    if (asks) {
      child.stdin.write(`${message('initialize', {})}\n`);
      await once(createInterface(child.stdout), 'line');
      times.push(performance.now() - start);
      child.stdin.end();
    }
    await exit;
    if (!asks) times.push(performance.now() - start);
  }
  rows.push({ what: title, 'ms (median of 7)': Math.round(times.sort((a, b) => a - b)[3]!) });
}
