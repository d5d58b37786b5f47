import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applies } from './mcp/case.ts';
import { CASES } from './mcp/contract.ts';
import { TRANSPORTS } from './mcp/harness.ts';
import { REVISIONS } from './mcp/wire/peer.ts';
import { REQUIREMENTS, type Requirement, type RequirementId } from './requirements.ts';

test('every requirement is cited by a case on each of its transports and revisions', () => {
  const uncited: string[] = [];
  for (const [id, requirement] of Object.entries(REQUIREMENTS) as [RequirementId, Requirement][]) {
    const cases = CASES.filter(({ verifies }) => verifies.includes(id));
    for (const transport of TRANSPORTS) {
      for (const revision of REVISIONS) {
        if (!applies(requirement, transport, revision)) continue;
        if (!cases.some((one) => applies(one, transport, revision)))
          uncited.push(`${id} on ${transport} at ${revision}`);
      }
    }
  }
  assert.deepEqual(uncited, []);
});
