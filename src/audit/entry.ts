// One line of the audit log before it is chained and written: what was decided or done, for whom. Digests stand for
// arguments and results; values are only there if the operator asked for them, with secrets taken out.

import type { Json } from '../core/json.ts';

export interface AuditEntry {
  /** `call` for tools, reads and prompts; `decision` for what was refused before it began; `event` for the rest. */
  readonly kind: 'call' | 'decision' | 'event';
  /** The MCP method, or the name of an event: `key.created`, `config.applied`. */
  readonly action: string;
  readonly caller: string;
  readonly address: string | null;
  readonly session: string | null;
  readonly client: string | null;
  readonly revision: string;
  readonly transport: string;
  readonly component: string | null;
  readonly digest: string | null;
  /** The tool, prompt or resource by name. */
  readonly target: string | null;
  /** `ok`, `tool-error`, `denied`, `limited`, `unauthenticated`, `failed`, `cancelled`, `input-required`, `task`. */
  readonly outcome: string;
  /** The error's code of the table, if it failed. */
  readonly error?: string;
  readonly milliseconds: number;
  readonly granted: readonly string[];
  readonly denied: readonly string[];
  readonly arguments?: Json;
  readonly result?: Json;
}

/** What holds for lines that are no calls: nothing ran, and nobody asked in a session. */
export const NO_CALL = {
  address: null,
  session: null,
  client: null,
  revision: '',
  transport: 'none',
  component: null,
  digest: null,
  target: null,
  milliseconds: 0,
  granted: [],
  denied: [],
} as const satisfies Partial<AuditEntry>;

export interface AuditSink {
  /**
   * Before something is done: throws `audit-unwritable` if lines cannot be written and calls are to stop then.
   */
  check(): void;
  /**
   * Adds a line. Arguments and results are given as values: the sink digests or redacts them. `durable` settles when
   * the line has left the process for the file; for what changed nothing nobody has to wait.
   */
  record(entry: AuditEntry): { readonly durable: Promise<void> };
}
