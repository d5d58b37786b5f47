// Who was served, for the log: one line at the start of each session. Where every request introduces its client anew,
// one line per client is enough; how many are remembered is bounded.

import type { Caller } from '../core/caller.ts';
import type { Logger } from '../core/log.ts';
import type { ClientView } from '../server/canonical.ts';
import type { Revision } from './revision.ts';

export interface Introductions {
  met(client: ClientView, revision: Revision, transport: string, caller: Caller): void;
}

const MAX_KNOWN = 1_000;
const MAX_NAMES = 32;

export function createIntroductions(log: Logger): Introductions {
  const known = new Set<string>();
  return {
    met(client, { revision, opening }, transport, caller) {
      const { name, version } = client.info ?? { name: '', version: '' };
      if (opening === 'each-request') {
        const key = JSON.stringify([transport, caller.id, revision, name, version]);
        if (known.has(key)) return;
        if (known.size >= MAX_KNOWN) known.clear();
        known.add(key);
      }
      log.info('session started', {
        transport,
        client: name,
        clientVersion: version,
        revision,
        // Names only: what is in them is the client's, and may be large.
        capabilities: Object.keys(client.capabilities).slice(0, MAX_NAMES),
        caller: caller.id,
      });
    },
  };
}
