// `limits`: how often and how much, per caller, per address, per tool and together.

import type { BucketOptions, LimitOptions } from '../../gate/options.ts';
import { list, orNone } from '../collections.ts';
import { rate } from '../quantities.ts';
import { choice, integer, size, text } from '../scalars.ts';
import { field, needed, part, type Section, section } from '../section.ts';
import type { Shape } from '../shape.ts';

const GI = 1024 ** 3;
const COUNT = integer(1, 1_000_000);
const bucket: Shape<BucketOptions> = section({
  rate: needed(rate(), 'How many come back over time'),
  burst: needed(COUNT, 'How many are kept for a burst'),
});

const caller = section({
  requests: field(orNone(bucket), { rate: 100, burst: 200 }, 'Requests of one caller'),
  concurrent: field(orNone(COUNT), 32, 'Calls of one caller that run at once'),
  sessions: field(orNone(COUNT), 64, 'Sessions, streams and WebSockets of one caller'),
  bytesPerDay: field(
    orNone(size([1024, '1Ki'], [1024 * 1024 * GI, '1048576Gi'])),
    null,
    'Bytes of messages in both directions, per day in UTC',
  ),
});

const address = section({
  requests: field(orNone(bucket), { rate: 1_000, burst: 2_000 }, 'Requests from one address'),
  failures: field(
    orNone(bucket),
    { rate: 10 / 60, burst: 20 },
    'Failed attempts from one address to prove who one is',
  ),
  connections: field(orNone(COUNT), 256, 'Open sockets from one address'),
});

const tool = section({
  tool: needed(text(), 'Tools by name; * and ? are wildcards'),
  per: field(
    choice('caller', 'all'),
    'caller',
    "Whose calls are counted together: one caller's, or everybody's",
  ),
  calls: field(orNone(bucket), null, 'Calls of these tools'),
  concurrent: field(orNone(COUNT), null, 'Calls of these tools that run at once'),
});

export const limits: Section<LimitOptions> = section({
  caller: part(caller, 'Of each caller'),
  address: part(address, 'Of each address'),
  tools: field(list(tool), [], 'Of some tools'),
  concurrent: field(COUNT, 64, 'Calls of all callers that run at once; others wait, each caller in turn'),
  queue: field(integer(0, 1_000_000), 256, 'Calls of one caller that may wait'),
});
