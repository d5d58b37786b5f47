// The real program with a data directory of its own: commands, a server behind the gate, and a client with a key.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TestContext } from 'node:test';

const PROGRAM = resolve(import.meta.dirname, '../../bin/witbox.cjs');

export interface Desk {
  readonly dataDir: string;
  /** Standard output and standard error together. */
  run(args: readonly string[], input?: string): Promise<string>;
  serve(config: string): Promise<Server>;
}

export interface Server {
  readonly origin: string;
  log(): string;
  stop(): Promise<void>;
}

export function openDesk(t: TestContext, folder: string, env: Readonly<Record<string, string>>): Desk {
  const dataDir = join(folder, 'data');
  const start = (args: readonly string[]) =>
    spawn(process.execPath, [PROGRAM, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, WITBOX_DATA_DIR: dataDir, WITBOX_LOG: 'trace', ...env },
    });
  return {
    dataDir,
    async run(args, input = '') {
      const child = start(args);
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
      child.stdin.on('error', () => {});
      child.stdin.end(input);
      await once(child, 'close');
      return said;
    },
    async serve(config) {
      const file = join(folder, 'witbox.yaml');
      await writeFile(file, config);
      const child = start(['serve', '--config', file]);
      let log = '';
      const ended = once(child, 'close');
      t.after(() => child.kill('SIGKILL'));
      const port = await new Promise<string>((ready, failed) => {
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (text: string) => {
            log += text;
            const [, at] = /\/\/127\.0\.0\.1:(\d+)\/mcp/.exec(log) ?? [];
            if (at !== undefined) ready(at);
          });
        child.once('exit', () => failed(new Error(`The server did not start: ${log}`)));
      });
      return {
        origin: `http://127.0.0.1:${port}`,
        log: () => log,
        async stop() {
          child.kill('SIGTERM');
          await ended;
        },
      };
    },
  };
}

export interface Client {
  /** The whole answer as text: status, headers and body. */
  request(method: string, params: object): Promise<string>;
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export async function openClient({ origin }: Server, key: string): Promise<Client> {
  const headers: Record<string, string> = { ...HEADERS, authorization: `Bearer ${key}` };
  let id = 0;
  const send = (body: object): Promise<Response> =>
    fetch(`${origin}/mcp`, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...body }) });
  const opened = await send({
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'canaries', version: '1' },
    },
  });
  assert.equal(opened.status, 200, await opened.text());
  headers['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? '';
  headers['mcp-protocol-version'] = '2025-11-25';
  await (await send({ method: 'notifications/initialized' })).text();
  return {
    async request(method, params) {
      id += 1;
      return whole(await send({ id, method, params }));
    },
  };
}

export async function whole(response: Response): Promise<string> {
  return `${response.status} ${JSON.stringify([...response.headers])}\n${await response.text()}`;
}
