// The API keys of the data directory that the flag or the environment names.

import { createKeyStore, type KeyStore } from '../store/keys.ts';
import type { Io } from './command.ts';
import { openStore } from './open-store.ts';

export function openKeys(flag: string | undefined, io: Io): KeyStore {
  return createKeyStore(openStore(flag, io).directory);
}
