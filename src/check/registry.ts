// All checks, in the order in which they run and are reported.

import { featureChecks } from './checks/features.ts';
import { httpChecks } from './checks/http.ts';
import { jsonRpcChecks } from './checks/json-rpc.ts';
import { securityChecks } from './checks/security.ts';
import { stdioChecks } from './checks/stdio.ts';
import { versionChecks } from './checks/version.ts';
import type { Check } from './model.ts';

export const CHECKS: readonly Check[] = [
  ...stdioChecks,
  ...jsonRpcChecks,
  ...versionChecks,
  ...httpChecks,
  ...featureChecks,
  ...securityChecks,
];
