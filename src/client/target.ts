// Where an MCP server is, and how people write it down: an address, or a command. Nothing is opened here. What is shown
// to people never contains credentials that an address may carry.

export interface CommandTarget {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the few variables that any program needs, such as PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface AddressTarget {
  readonly transport: 'http' | 'sse' | 'websocket';
  readonly url: URL;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

export type Target = CommandTarget | AddressTarget;

/** `ws…` is WebSocket, `http…` that ends in /sse is HTTP+SSE, any other `http…` Streamable HTTP; else null. */
export function addressTarget(text: string, headers: Readonly<Record<string, string>> = {}): Target | null {
  const url = URL.parse(text);
  if (url === null) return null;
  switch (url.protocol) {
    case 'ws:':
    case 'wss:':
      return { transport: 'websocket', url, headers };
    case 'http:':
    case 'https:':
      return { transport: /\/sse\/?$/.test(url.pathname) ? 'sse' : 'http', url, headers };
    default:
      return null;
  }
}

export function describeTarget(target: Target): string {
  if (target.transport === 'stdio') return `"${[target.command, ...target.args].join(' ')}"`;
  return `${target.url.origin === 'null' ? `${target.url.protocol}//${target.url.host}` : target.url.origin}${target.url.pathname}`;
}
