// A case of the contract: what it shows, where it holds, and how. Run for every transport and revision it names.

import type { RequirementId } from '../requirements.ts';
import type { Harness, TransportName } from './harness.ts';
import { Peer, type PeerOptions, type RevisionName } from './wire/peer.ts';
import type { Wire } from './wire/wire.ts';

export interface Case {
  readonly name: string;
  readonly verifies: readonly RequirementId[];
  /** All, if not given. */
  readonly revisions?: readonly RevisionName[];
  readonly transports?: readonly TransportName[];
  run(stage: Stage): Promise<void>;
}

/** What a case has at hand; wires are closed after it. */
export interface Stage {
  readonly harness: Harness;
  readonly transport: TransportName;
  readonly revision: RevisionName;
  readonly modern: boolean;
  wire(): Promise<Wire>;
  /** A client that has opened as its revision wants. */
  peer(options?: PeerOptions): Promise<Peer>;
}

export async function runCase(
  one: Case,
  harness: Harness,
  transport: TransportName,
  revision: RevisionName,
): Promise<void> {
  const wires: Wire[] = [];
  const wire = async (): Promise<Wire> => {
    const opened = await harness.open(transport);
    wires.push(opened);
    return opened;
  };
  try {
    await one.run({
      harness,
      transport,
      revision,
      modern: revision === '2026-07-28',
      wire,
      async peer(options) {
        const peer = new Peer(await wire(), revision, options);
        await peer.open();
        return peer;
      },
    });
  } finally {
    for (const opened of wires) await opened.close();
  }
}

export function applies(
  one: Pick<Case, 'revisions' | 'transports'>,
  transport: TransportName,
  revision: RevisionName,
) {
  return (one.transports?.includes(transport) ?? true) && (one.revisions?.includes(revision) ?? true);
}

export const SESSIONS: readonly RevisionName[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
export const STREAMABLE: readonly RevisionName[] = ['2025-03-26', '2025-06-18', '2025-11-25'];
export const MODERN: readonly RevisionName[] = ['2026-07-28'];
