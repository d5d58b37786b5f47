// What one call is given of its component's secrets. A key that is granted as environment or configuration is taken from
// the secrets first; what is granted for requests goes to the host alone. Whatever is not granted stays where it is.

import type { HostOptions } from '../host/host.ts';
import type { Policy } from '../policy/policy.ts';
import type { ComponentSpec } from './component.ts';

type Environment = NonNullable<HostOptions['env']>;
type Given = Pick<HostOptions, 'env' | 'config' | 'secrets'>;

/** Costs nothing for a component to which none of this is granted. Throws `secrets-closed`. */
export async function givenSecrets(spec: ComponentSpec, policy: Policy, env: Environment): Promise<Given> {
  const { environment, config, secrets } = policy;
  const granted = environment.allow.length + config.allow.length + secrets.allow.length;
  if (granted === 0 || spec.secrets === undefined) return { env };
  const values = await spec.secrets();
  if (values.size === 0) return { env };
  const named = Object.fromEntries(values);
  return { env: { ...env, ...named }, config: named, secrets: values };
}
