// Who could reach the server, and whether that is what its operator means: beyond this machine nobody is served without
// having proved who they are, and no credential is taken in plain sight, unless the operator says so by name.

import type { Config } from '../config/config.ts';
import { WitboxError } from '../core/errors.ts';
import type { AccessMode } from '../gate/access/access.ts';

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

export function hasAuthentication({ authentication: { keys, certificates, oauth } }: Config): boolean {
  return keys || certificates || oauth.length > 0;
}

export function hasTls({ listen: { tls } }: Config): boolean {
  return tls.selfSigned || tls.certificate !== undefined;
}

/** Throws `bind-refused` or `plain-refused`. */
export function checkExposure(config: Config): void {
  const { host, insecureNoAuth, insecurePlainHttp, trustProxy } = config.listen;
  if (isLoopback(host)) return;
  if (!hasAuthentication(config)) {
    if (!insecureNoAuth) throw new WitboxError('bind-refused', { host });
    return;
  }
  if (!hasTls(config) && !insecurePlainHttp && trustProxy.length === 0)
    throw new WitboxError('plain-refused', { host });
}

/** What is allowed where no rules say anything. */
export function accessMode(config: Config): AccessMode {
  if (hasAuthentication(config)) return 'authenticated';
  return isLoopback(config.listen.host) ? 'open' : 'exposed';
}
