// `audit`, `secrets`, `metrics` and `log`: what is written down, what is kept closed, what is told.

import type { SecretKeyOptions } from '../../core/secret-key-options.ts';
import { list, oneOf, optional, orNone } from '../collections.ts';
import { choice, flag, integer, path, size, text } from '../scalars.ts';
import { field, section } from '../section.ts';
import type { Shape } from '../shape.ts';

const MI = 1024 * 1024;
const ON: Shape<true> = {
  schema: { const: true },
  read: (node, place) =>
    flag().read(node, place) ? true : place.fail(node, `${place.path} can only be true`),
  write: () => true,
};

/** `enabled` is undefined where the document does not say: on with authentication, or with this section. */
export const audit = section({
  enabled: field(
    optional(flag()),
    undefined,
    'Write the audit log; without this key it is written if the section is there, or callers must authenticate',
  ),
  directory: field(
    optional(path()),
    undefined,
    'Folder of the log; "audit" in the data directory if left out',
  ),
  values: field(
    choice('digests', 'redacted'),
    'digests',
    'What is kept of arguments and results: digests, or values with what looks secret taken out',
  ),
  redact: field(list(text()), [], 'Names of properties whose values are taken out too'),
  rotateBytes: field(
    size([4096, '4Ki'], [1024 * MI, '1Gi']),
    64 * MI,
    'A file this large is closed and the next begun',
    'rotate',
  ),
  keep: field(orNone(integer(1, 100_000)), null, 'How many closed files are kept; none keeps them all'),
  onFailure: field(choice('stop', 'continue'), 'stop', 'What happens to calls when no line can be written'),
});

export const secrets = section({
  key: field(
    optional<SecretKeyOptions>(
      oneOf({
        file: path(),
        environment: text('^[A-Za-z_][A-Za-z0-9_]*$', 'the name of an environment variable'),
        keyring: ON,
      }),
    ),
    undefined,
    'Where the key that encrypts secrets is: a file, an environment variable, or the system keyring',
  ),
});

export const metrics = section({
  enabled: field(flag(), false, 'Serve Prometheus text on /metrics'),
  address: field(
    choice('loopback', 'any'),
    'loopback',
    'Who may read it without credentials; others need management access',
  ),
});

const LEVEL = '(trace|debug|info|warn|error|silent)';
const LEVELS = `^\\s*([\\w-]+\\s*=\\s*)?${LEVEL}\\s*(,\\s*([\\w-]+\\s*=\\s*)?${LEVEL}\\s*)*$`;

export const log = section({
  levels: field(
    text(LEVELS, '"info", "warn" or such, or levels per area: "info,protocol=trace"'),
    'info',
    'What is logged, at all or per area; WITBOX_LOG beats it',
  ),
});
