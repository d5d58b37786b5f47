// All checks, in the order in which they run and are reported.

import { authorizationChecks } from './checks/authorization.ts';
import { hostileChecks } from './checks/hostile.ts';
import { headerChecks } from './checks/http-headers.ts';
import { httpRequestChecks } from './checks/http-requests.ts';
import { sessionChecks } from './checks/http-sessions.ts';
import { streamChecks } from './checks/http-streams.ts';
import { inputChecks } from './checks/input.ts';
import { jsonRpcChecks } from './checks/json-rpc.ts';
import { listChecks } from './checks/lists.ts';
import { metadataChecks } from './checks/metadata.ts';
import { parityChecks } from './checks/parity.ts';
import { referenceChecks } from './checks/references.ts';
import { requestStateChecks } from './checks/request-state.ts';
import { requestChecks } from './checks/requests.ts';
import { resultChecks } from './checks/results.ts';
import { securityChecks } from './checks/security.ts';
import { stdioChecks } from './checks/stdio.ts';
import { subscriptionChecks } from './checks/subscriptions.ts';
import { taskChecks } from './checks/tasks.ts';
import { toolChecks } from './checks/tools.ts';
import { versionChecks } from './checks/version.ts';
import { workChecks } from './checks/work.ts';
import type { Check } from './model.ts';

export const CHECKS: readonly Check[] = [
  ...stdioChecks,
  ...jsonRpcChecks,
  ...hostileChecks,
  ...versionChecks,
  ...metadataChecks,
  ...resultChecks,
  ...httpRequestChecks,
  ...headerChecks,
  ...sessionChecks,
  ...streamChecks,
  ...listChecks,
  ...toolChecks,
  ...referenceChecks,
  ...requestChecks,
  ...workChecks,
  ...inputChecks,
  ...requestStateChecks,
  ...subscriptionChecks,
  ...parityChecks,
  ...securityChecks,
  ...authorizationChecks,
  ...taskChecks,
];
