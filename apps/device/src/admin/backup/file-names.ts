import { HISTORY_FILE } from '../../history/files/history-database.ts';
import { DATABASE_FILE } from '../../storage/database.ts';

/** Names of files in a backup, whatever they are called on the device. */
export const STORE_NAME = DATABASE_FILE;
export const HISTORY_NAME = HISTORY_FILE;
export const CONFIG_NAME = 'device.yaml';
export const PROFILES_FOLDER = 'profiles';
