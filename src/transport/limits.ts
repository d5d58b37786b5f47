// The bounds that every transport keeps, with what they are when nobody says otherwise.

export interface TransportLimits {
  /** One message, in bytes. */
  readonly maxMessageBytes: number;
  /** Unsent output of one client; beyond it a slow reader is let go, or no longer read from on stdio. */
  readonly maxBacklogBytes: number;
  /** Requests of one client that wait for an answer; beyond it no more is read until some are done. */
  readonly maxInFlight: number;
  /** Open sockets, busy or not. */
  readonly maxConnections: number;
  /** Sessions, legacy streams and WebSockets together. */
  readonly maxSessions: number;
  /** Open response streams of all clients. */
  readonly maxStreams: number;
  /** A session that nobody used for so long is ended. */
  readonly sessionIdleMs: number;
  /** How long a whole HTTP request may take to arrive. */
  readonly requestMs: number;
  /** A comment or ping this often keeps streams open through proxies. */
  readonly keepAliveMs: number;
  /** A request without a message for so long gets its event stream, which such comments can keep open. */
  readonly quietMs: number;
  /** What a client that lost its stream can still get. */
  readonly maxReplayEvents: number;
  readonly maxReplayBytes: number;
  /** How long calls may go on when the server stops. */
  readonly graceMs: number;
}

/**
 * All clients together may have so many times what one client or stream may have: unsent output, and events that can
 * still be replayed.
 */
export const TOGETHER = 16;

export const DEFAULT_LIMITS: TransportLimits = {
  maxMessageBytes: 4 * 1024 * 1024,
  maxBacklogBytes: 16 * 1024 * 1024,
  maxInFlight: 1_024,
  maxConnections: 4_096,
  maxSessions: 1_024,
  maxStreams: 2_048,
  sessionIdleMs: 3_600_000,
  requestMs: 30_000,
  keepAliveMs: 5_000,
  quietMs: 10_000,
  maxReplayEvents: 256,
  maxReplayBytes: 4 * 1024 * 1024,
  graceMs: 10_000,
};
