// Who is calling, as transports say it: they know how somebody proved who they are, the rest only passes it on.

export type { Caller } from '../server/canonical.ts';

/** Everybody who did not prove who they are. */
export const ANYBODY = { id: 'anybody' } as const;
