// What an operator says about the audit log: the `audit` section of witbox.yaml, as data.

export interface AuditOptions {
  readonly enabled: boolean;
  /** Folder of the log; `audit` in the data directory unless said otherwise. */
  readonly directory: string | null;
  /** What of arguments and results is kept: their digests, or the values with what looks secret taken out. */
  readonly values: 'digests' | 'redacted';
  /** Names of properties whose values are taken out, besides those that are known. */
  readonly redact: readonly string[];
  /** A file of this many bytes is closed and the next begun. */
  readonly rotateBytes: number;
  /** How many closed files are kept; null keeps all. */
  readonly keep: number | null;
  /** What happens to calls when no line can be written. */
  readonly onFailure: 'stop' | 'continue';
}
