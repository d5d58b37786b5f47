// From a target to a transport of the official client, or our WebSocket. A transport is used for one connection only;
// to come back, another is made.

import {
  type AuthProvider,
  type OAuthClientProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { CommandTarget, Target } from './target.ts';
import { WebSocketTransport } from './websocket-transport.ts';

const MAX_MESSAGE = 64 * 1024 * 1024;

export interface TransportOptions {
  readonly auth?: AuthProvider | OAuthClientProvider;
  onStderr(text: string): void;
}

export function createTransport(target: Target, { auth, onStderr }: TransportOptions): Transport {
  switch (target.transport) {
    case 'stdio':
      return createStdio(target, onStderr);
    case 'websocket':
      return new WebSocketTransport(target.url, { headers: target.headers ?? {} });
    case 'http':
      return new StreamableHTTPClientTransport(target.url, addressOptions(target.headers, auth));
    case 'sse':
      return new SSEClientTransport(target.url, addressOptions(target.headers, auth)) as Transport;
  }
}

function addressOptions(
  headers: Readonly<Record<string, string>> = {},
  auth: AuthProvider | OAuthClientProvider | undefined,
) {
  return { requestInit: { headers: { ...headers } }, ...(auth && { authProvider: auth }) };
}

// The base class would be started twice, once to find out the revision; what is derived from it is asked in place, and
// link.ts starts a second process only if the first one does not survive the question.
class AskedInPlace extends StdioClientTransport {}

function createStdio(
  { command, args, env, cwd }: CommandTarget,
  onStderr: (text: string) => void,
): Transport {
  const transport = new AskedInPlace({
    command,
    args: [...args],
    stderr: 'pipe',
    maxBufferSize: MAX_MESSAGE,
    ...(env && { env: { ...env } }),
    ...(cwd !== undefined && { cwd }),
  });
  transport.stderr?.on('data', (chunk: Buffer) => onStderr(chunk.toString('utf8')));
  return transport as Transport;
}
