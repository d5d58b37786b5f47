// AES-256-GCM with a random nonce for each value. What a value is for (component and key) is authenticated along with
// it, so that a value moved to another place in the file does not open there.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const KEY_BYTES = 32;

/** Base64 of nonce, encrypted text and tag. */
export function seal(key: Uint8Array, purpose: readonly string[], text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated(purpose));
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
    'base64',
  );
}

/** The text, or null if it was sealed with another key, for another purpose, or has been changed. */
export function unseal(key: Uint8Array, purpose: readonly string[], sealed: string): string | null {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const end = bytes.length - TAG_BYTES;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(associated(purpose));
  decipher.setAuthTag(bytes.subarray(end));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]).toString(
      'utf8',
    );
  } catch {
    return null;
  }
}

/** As JSON, so that no two purposes are written alike. */
function associated(purpose: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify(['witbox', ...purpose]));
}
