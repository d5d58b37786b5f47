// The opening handshake of a WebSocket (RFC 6455, section 4.2). The subprotocol `mcp` must be offered.

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { WitboxError } from '../../core/errors.ts';

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const SUBPROTOCOL = 'mcp';

/** The response that opens the WebSocket. Throws for anything that is not a handshake for MCP. */
export function acceptHandshake({ method, headers }: IncomingMessage): string {
  const refuse = (reason: string): never => {
    throw new WitboxError('invalid-request', { reason });
  };
  if (method !== 'GET') refuse('a WebSocket is opened with GET');
  if (headers.upgrade?.toLowerCase() !== 'websocket') refuse('Upgrade must be "websocket"');
  if (headers['sec-websocket-version'] !== '13') refuse('Sec-WebSocket-Version must be 13');
  const key = headers['sec-websocket-key'] ?? '';
  if (!/^[A-Za-z0-9+/]{22}==$/.test(key)) refuse('Sec-WebSocket-Key must be 16 bytes in Base64');
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  if (!offered.includes(SUBPROTOCOL)) refuse(`Sec-WebSocket-Protocol must offer "${SUBPROTOCOL}"`);
  const accept = createHash('sha1').update(key).update(GUID).digest('base64');
  return [
    'HTTP/1.1 101 Switching Protocols',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Accept: ${accept}`,
    `Sec-WebSocket-Protocol: ${SUBPROTOCOL}`,
    '',
    '',
  ].join('\r\n');
}
