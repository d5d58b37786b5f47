// A client of one revision, talking to a server that `serve` has started, for the tests of the examples.

import { openHttp } from '../test/mcp/wire/http-wire.ts';
import { Peer, type PeerOptions, type RevisionName } from '../test/mcp/wire/peer.ts';
import type { Served } from './serve.ts';

export async function openPeer(
  { origin }: Served,
  revision: RevisionName,
  options: PeerOptions & { readonly path?: string } = {},
): Promise<Peer> {
  const peer = new Peer(openHttp(`${origin}${options.path ?? '/mcp'}`), revision, options);
  await peer.open();
  return peer;
}

/** The result of a tool, as far as tests look into it. */
export interface Reply {
  readonly content: readonly {
    readonly type: string;
    readonly text: string;
    readonly data: string;
    readonly mimeType: string;
    readonly resource: { readonly uri: string; readonly text: string };
  }[];
  readonly structuredContent: Readonly<Record<string, string>>;
  readonly isError?: boolean;
}

export async function callTool(peer: Peer, name: string, args: object = {}): Promise<Reply> {
  return (await peer.result('tools/call', { name, arguments: args })) as unknown as Reply;
}
