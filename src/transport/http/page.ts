// A page beside MCP, for those who watch: whole, never cached, GET and HEAD only. A page that is not for everybody asks
// who it is for.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../core/caller.ts';
import { WitboxError } from '../../core/errors.ts';

export interface PageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export type Page = (
  request: IncomingMessage,
  /** Says who is asking, or throws. */
  identify: () => Caller | Promise<Caller>,
) => PageAnswer | Promise<PageAnswer>;

export async function replyPage(
  request: IncomingMessage,
  response: ServerResponse,
  identify: () => Caller | Promise<Caller>,
  page: Page,
): Promise<void> {
  const { method = '' } = request;
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    throw new WitboxError('http-method', { method, allowed: 'GET' });
  }
  const { status, type, body } = await page(request, identify);
  if (response.destroyed) return;
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
  });
  response.end(method === 'HEAD' ? '' : body);
}
