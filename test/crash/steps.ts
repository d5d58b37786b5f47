// What the process that is killed tells the one that kills it.

/** One change: told when it begins and when it is acknowledged. */
export interface Step {
  readonly thing: string;
  /** What is there afterwards; null for nothing. */
  readonly value: string | null;
  readonly done: boolean;
  /** What only the one who was answered knows. */
  readonly proof?: string;
}

/** The component whose policy and secrets are changed. */
export const OWNER = 'owner';
