// How much one call may hold or move through the host. Every number a guest can influence ends in one of these.

export interface HostLimits {
  /** Open files, directories, sockets, exchanges, buckets. */
  readonly handles: number;
  /** Bytes of stdout, stderr and log messages kept; the rest is counted and dropped. */
  readonly logBytes: number;
  /** Bytes moved by one file or stream operation. */
  readonly chunkBytes: number;
  /** Bytes written to files in one call. */
  readonly writtenBytes: number;
  readonly requestBodyBytes: number;
  readonly responseBodyBytes: number;
  readonly headerBytes: number;
  readonly headerCount: number;
  readonly connectMs: number;
  readonly firstByteMs: number;
  readonly betweenBytesMs: number;
  /** Exchanges and sockets open at the same time. */
  readonly connections: number;
  readonly keyBytes: number;
  readonly valueBytes: number;
  readonly keysPerBucket: number;
  readonly bucketBytes: number;
}

export const DEFAULT_LIMITS: HostLimits = {
  handles: 256,
  logBytes: 1 << 20,
  chunkBytes: 1 << 16,
  writtenBytes: 1 << 30,
  requestBodyBytes: 64 << 20,
  responseBodyBytes: 64 << 20,
  headerBytes: 64 << 10,
  headerCount: 128,
  connectMs: 10_000,
  firstByteMs: 60_000,
  betweenBytesMs: 60_000,
  connections: 32,
  keyBytes: 1024,
  valueBytes: 1 << 20,
  keysPerBucket: 10_000,
  bucketBytes: 64 << 20,
};
