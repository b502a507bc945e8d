import { randomBytes } from 'node:crypto';
import { type Logger, messageOf } from '@heliograph/kit';
import type { KeyValueStore } from './key-value.ts';

export const INSTALLATION_KEY = 'installation_id';

const ID = /^[\w-]{22}$/;

/**
 * Distinguishes the computers that one identity was restored on: each restore is another installation, and the cloud
 * refuses those that a later one replaced.
 *
 * @returns 22 letters and digits of base64url
 */
export function installationOf(store: KeyValueStore): string {
  return storedInstallation(store) ?? newInstallation(store);
}

/** On a full disk a new one cannot be stored: it would be another one at each start. */
export function installationIn(store: KeyValueStore, logger: Logger): string | undefined {
  try {
    return installationOf(store);
  } catch (error) {
    logger.warn({ reason: messageOf(error) }, 'the identity of this installation cannot be stored');
    return undefined;
  }
}

export function storedInstallation(store: KeyValueStore): string | undefined {
  return store.text(INSTALLATION_KEY, ID);
}

export function newInstallation(store: KeyValueStore): string {
  const id = randomBytes(16).toString('base64url');
  store.set(INSTALLATION_KEY, id);
  return id;
}
