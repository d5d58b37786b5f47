// The contract that every transport keeps at every revision: one suite, run once per transport.

import { after, before, suite, test } from 'node:test';
import { applies, type Case, runCase } from './case.ts';
import { askingCases } from './cases/asking.ts';
import { envelopeCases } from './cases/envelope.ts';
import { featureCases } from './cases/features.ts';
import { httpCases } from './cases/http.ts';
import { messageCases } from './cases/messages.ts';
import { openingCases } from './cases/opening.ts';
import { pipeCases } from './cases/pipes.ts';
import { createHarness, type Harness, type TransportName } from './harness.ts';
import { REVISIONS } from './wire/peer.ts';

export const CASES: readonly Case[] = [
  ...envelopeCases,
  ...openingCases,
  ...featureCases,
  ...messageCases,
  ...askingCases,
  ...httpCases,
  ...pipeCases,
];

export function contract(transport: TransportName): void {
  let harness: Harness;
  before(async () => {
    harness = await createHarness();
  });
  after(() => harness.close());
  for (const revision of REVISIONS) {
    suite(`${transport} at ${revision}`, { concurrency: 8 }, () => {
      for (const one of CASES.filter((each) => applies(each, transport, revision))) {
        test(one.name, () => runCase(one, harness, transport, revision));
      }
    });
  }
}
