// Bytes of one message → a message of the protocol. UTF-8 is checked, never repaired: JSON-RPC over MCP is UTF-8.

import { isUtf8 } from 'node:buffer';
import { WitboxError } from '../core/errors.ts';
import { type Incoming, type InvalidMessage, readMessage, unreadable } from '../protocol/envelope.ts';

export function decodeMessage(bytes: Buffer): Incoming {
  if (!isUtf8(bytes)) return unreadable('it is not valid UTF-8');
  return readMessage(bytes.toString('utf8'));
}

export function tooLarge(limit: number): InvalidMessage {
  return { kind: 'invalid', id: undefined, error: new WitboxError('message-too-large', { limit }) };
}
