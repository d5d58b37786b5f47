// The revisions there are, newest first. To drop one, drop its folder and its two lines here.

import type { Logger } from '../core/log.ts';
import type { Implementation } from '../server/canonical.ts';
import type { Revision } from './revision.ts';
import { createRevision as create20241105 } from './revisions/2024-11-05/revision.ts';
import { createRevision as create20250326 } from './revisions/2025-03-26/revision.ts';
import { createRevision as create20250618 } from './revisions/2025-06-18/revision.ts';
import { createRevision as create20251125 } from './revisions/2025-11-25/revision.ts';
import { createRevision as create20260728 } from './revisions/2026-07-28/revision.ts';

const CREATE = [create20260728, create20251125, create20250618, create20250326, create20241105];

export interface Revisions {
  readonly all: readonly Revision[];
  find(name: string): Revision | undefined;
  /** What `initialize` is answered with if the client wants a version that has no handshake or is unknown. */
  readonly newestWithHandshake: Revision;
  /** For clients that never said a version, on transports where none is implied. */
  readonly oldest: Revision;
  /** For HTTP requests without a version header, which clients of this revision did not send yet. */
  readonly withoutHeader: Revision;
  /** Names of the versions that a request may carry in its `_meta`. */
  readonly perRequest: readonly string[];
  /** Whether only revisions without a handshake have this request. */
  onlyWithoutHandshake(method: string): boolean;
}

export function createRevisions(info: Implementation, log: Logger): Revisions {
  const all = CREATE.map((create) => create(info, log));
  const byName = new Map(all.map((revision) => [revision.revision, revision]));
  const withHandshake = all.filter((revision) => revision.opening === 'handshake');
  return {
    all,
    find: (name) => byName.get(name),
    newestWithHandshake: withHandshake[0]!,
    oldest: withHandshake.at(-1)!,
    withoutHeader: all.find((revision) => revision.http.assumedWithoutHeader) ?? withHandshake.at(-1)!,
    perRequest: all
      .filter((revision) => revision.opening === 'each-request')
      .map((revision) => revision.revision),
    onlyWithoutHandshake: (method) =>
      all.some((revision) => revision.requests.has(method)) &&
      !withHandshake.some((revision) => revision.requests.has(method)),
  };
}
