// The self-signed certificate of a data directory: made once, kept with its key for later runs so that clients who
// trusted it go on doing so, and made anew when it is about to expire or names others than are needed.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { writeAtomic } from '../store/atomic-file.ts';
import { makeSelfSigned } from '../transport/http/self-signed.ts';
import type { TlsFiles } from '../transport/http/tls.ts';

const LOCAL_NAMES = ['localhost', '127.0.0.1', '::1'];
const RENEW_MS = 30 * 86_400_000;

/** `names`: what else clients call this machine. What no certificate could name is left out. */
export async function selfSignedFiles(
  dataDir: string,
  names: readonly string[],
  now: Date,
): Promise<TlsFiles> {
  const folder = join(dataDir, 'tls');
  const files = { certificate: join(folder, 'self-signed.crt'), key: join(folder, 'self-signed.key') };
  const wanted = [...new Set([...LOCAL_NAMES, ...names.filter(isNameable)])];
  if (await isUsable(files, wanted, now)) return files;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { certificate, key } = makeSelfSigned(wanted, now);
  await writeAtomic(folder, files.key, key);
  await writeAtomic(folder, files.certificate, certificate);
  return files;
}

async function isUsable(
  { certificate, key }: TlsFiles,
  wanted: readonly string[],
  now: Date,
): Promise<boolean> {
  try {
    const known = new X509Certificate(await readFile(certificate));
    const covers = (name: string): boolean =>
      (isIP(name) === 0 ? known.checkHost(name) : known.checkIP(name)) !== undefined;
    // Whoever was interrupted between the two left a pair that does not fit.
    if (!known.checkPrivateKey(createPrivateKey(await readFile(key)))) return false;
    return known.validToDate.getTime() - now.getTime() > RENEW_MS && wanted.every(covers);
  } catch {
    return false;
  }
}

function isNameable(name: string): boolean {
  return name !== '0.0.0.0' && name !== '::' && /^[A-Za-z0-9.:_-]{1,253}$/.test(name);
}
