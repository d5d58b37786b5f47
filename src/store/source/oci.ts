// `oci:` references name a component in a registry. They are refused until they can be fetched with their digests and
// signatures checked, so that nobody takes an unchecked pull for a checked one.

import { WitboxError } from '../../core/errors.ts';

export function refuseOci(reference: string): never {
  throw new WitboxError('source-unsupported', {
    source: reference,
    problem: 'registries are not supported yet; download the component and load the file',
  });
}
