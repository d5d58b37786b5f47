// TLS from files: certificate with its chain, key, and the authorities of client certificates. Read again when they
// change, as tools that renew certificates replace them: new connections get the new ones, those that are open go on.
// Files that cannot be used change nothing.

import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { WitboxError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';

export interface TlsFiles {
  /** PEM: the server's certificate first, then those between it and the authority. */
  readonly certificate: string;
  readonly key: string;
  /** PEM: who signs the certificates of clients. Without it clients are not asked for one. */
  readonly clientCa?: string | undefined;
}

export interface TlsMaterial {
  readonly options: SecureContextOptions;
  /** SHA-256 of the server's certificate, as other programs show it. */
  readonly fingerprint: string;
}

export interface TlsReloader {
  /** Looks now, whether or not something seems to have changed. */
  reload(): void;
  stop(): void;
}

const LOOK_MS = 1_000;

/** Throws `tls-invalid`. */
export function readTls({ certificate, key, clientCa }: TlsFiles): TlsMaterial {
  try {
    const cert = readFileSync(certificate);
    const options: SecureContextOptions = {
      cert,
      key: readFileSync(key),
      minVersion: 'TLSv1.2',
      ...(clientCa !== undefined && { ca: readFileSync(clientCa) }),
    };
    // Throws if they do not belong together.
    createSecureContext(options);
    return { options, fingerprint: new X509Certificate(cert).fingerprint256 };
  } catch (error) {
    const problem = (error as Error).message.replace(/^error:[0-9A-F]+:/, '');
    throw new WitboxError('tls-invalid', { certificate, key, problem }, error);
  }
}

export function watchTls(
  files: TlsFiles,
  apply: (material: TlsMaterial) => void,
  log: Logger,
  lookMs = LOOK_MS,
): TlsReloader {
  let seen = stateOf(files);
  const reload = (): void => {
    seen = stateOf(files);
    try {
      const material = readTls(files);
      apply(material);
      log.info('certificate read', { fingerprint: material.fingerprint });
    } catch (error) {
      log.error('certificate not changed', { reason: (error as Error).message });
    }
  };
  // A name that leads elsewhere from now on, as in mounted volumes, is only seen by looking.
  const timer = setInterval(() => {
    if (stateOf(files) !== seen) reload();
  }, lookMs);
  timer.unref();
  return { reload, stop: () => clearInterval(timer) };
}

function stateOf({ certificate, key, clientCa }: TlsFiles): string {
  const files = [certificate, key, ...(clientCa === undefined ? [] : [clientCa])];
  return files.map(identityOf).join(' ');
}

function identityOf(path: string): string {
  try {
    const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
  } catch {
    return 'none';
  }
}
