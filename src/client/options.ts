// What a caller can say about a connection. Defaults are in client.ts.

import type {
  AuthProvider,
  Client,
  ClientCapabilities,
  Implementation,
  OAuthClientProvider,
} from '@modelcontextprotocol/client';
import type { LogLevel } from '../core/mcp.ts';
import type { Handlers } from './handlers.ts';
import type { Consent } from './oauth.ts';

export type Revision = '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

export const REVISIONS: readonly Revision[] = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
];

export interface ConnectOptions {
  /** How this client introduces itself. */
  readonly info?: Implementation;
  /** Exactly this revision, or nothing; left out: the newest that both sides have. */
  readonly revision?: Revision;
  readonly handlers?: Handlers;
  /** Declared beside those that follow from the handlers. */
  readonly capabilities?: ClientCapabilities;
  /** A token, a provider of the official client, or a person's consent. */
  readonly auth?: AuthProvider | OAuthClientProvider | Consent;
  readonly logLevel?: LogLevel;
  /** How long opening may take. */
  readonly openTimeoutMs?: number;
  /** How long a request may be silent; progress counts as a word. */
  readonly timeoutMs?: number;
  /** Ends the opening. */
  readonly signal?: AbortSignal;
  /** What a server that was started says on its standard error. */
  onStderr?(text: string): void;
  /** What went wrong beside any call. */
  onProblem?(error: Error): void;
  /** The connection is gone; the next call opens another. */
  onLost?(): void;
}

export interface LinkOptions extends ConnectOptions {
  readonly info: Implementation;
  readonly handlers: Handlers;
  readonly openTimeoutMs: number;
  readonly timeoutMs: number;
  /** Before each connection is opened. */
  prepare?(client: Client): void;
}
