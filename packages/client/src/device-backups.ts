import type { DeviceCloudBackup, DeviceRestored } from '@heliograph/contracts';
import type { DeviceClient } from './device-client.ts';
import { callFile } from './http/call-file.ts';

/** How long a small computer may take to send hundreds of megabytes, in milliseconds. */
const BACKUP_TIMEOUT_MS = 60 * 60_000;

/** How long a part, and the check of the whole backup, may take, in milliseconds. */
const PART_TIMEOUT_MS = 60_000;
const RESTORE_TIMEOUT_MS = 30 * 60_000;

/** Largest part that a device takes, in bytes. */
const PART_BYTES = 4 * 1024 * 1024;

export interface BackupOptions {
  /** Of the device. */
  readonly password: string;
  /** Encrypts the backup. */
  readonly passphrase: string;
  /** Whether the history goes along; it does when this is left out. */
  readonly history?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An encrypted backup of a device on this network. No method of DeviceClient: first views of pages load that class, and few
 * need this.
 *
 * @throws ApiError with status 422 and a field `password` or `passphrase`, 503 when another one is being made
 */
export function createBackup(client: DeviceClient, { signal, ...body }: BackupOptions): Promise<File> {
  const options = { timeoutMs: BACKUP_TIMEOUT_MS, signal };
  return client.connection.request(callFile, 'POST /api/v1/backup', options, body);
}

export interface RestoreOptions {
  readonly passphrase: string;
  /** Of a device that has one. */
  readonly password?: string | undefined;
  /** Called with the share of the file that has arrived, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Turns a device on this network into the one of a backup; it restarts afterwards.
 *
 * @throws ApiError with status 422 for a wrong passphrase (field `passphrase`) or password, and for a file that cannot be used
 */
export async function restoreBackup(
  client: DeviceClient,
  file: Blob,
  { onProgress, signal, ...body }: RestoreOptions,
): Promise<DeviceRestored> {
  for (let offset = 0; offset < file.size; offset += PART_BYTES) {
    onProgress?.(offset / file.size);
    const part = file.slice(offset, offset + PART_BYTES, 'application/octet-stream');
    const options = { timeoutMs: PART_TIMEOUT_MS, signal, file: part };
    await client.connection.text(`PUT /api/v1/restore?offset=${offset}` as 'PUT /api/v1/restore', options);
  }
  onProgress?.(1);
  return client.connection.json('POST /api/v1/restore', { timeoutMs: RESTORE_TIMEOUT_MS, signal }, body);
}

/** As `restoreBackup`, of the newest backup in the cloud. @throws ApiError with status 422 for an unknown recovery code */
export function restoreFromCloud(
  client: DeviceClient,
  recoveryCode: string,
  password: string | undefined,
): Promise<DeviceRestored> {
  const body = { recovery_code: recoveryCode, ...(password === undefined ? {} : { password }) };
  return client.connection.json('POST /api/v1/restore', { timeoutMs: RESTORE_TIMEOUT_MS }, body);
}

/** Whether the device stores backups in its cloud. @throws ApiError with status 403 for who may not configure it */
export function cloudBackup(client: DeviceClient): Promise<DeviceCloudBackup> {
  return client.connection.json('GET /api/v1/backup/cloud');
}

/**
 * Stores a backup in the cloud every day from now on.
 *
 * @returns the recovery code, which is shown once
 * @throws ApiError with status 422 and the field `password` when that is wrong, 409 without a cloud
 */
export async function startCloudBackup(client: DeviceClient, password: string): Promise<string> {
  const options = { timeoutMs: PART_TIMEOUT_MS };
  const answer = await client.connection.json('POST /api/v1/backup/cloud', options, { password });
  return answer.recovery_code;
}

/** Deletes the backups in the cloud, and stores no more. */
export async function endCloudBackup(client: DeviceClient): Promise<void> {
  await client.connection.text('DELETE /api/v1/backup/cloud', { timeoutMs: PART_TIMEOUT_MS });
}

/** Hides the data that another database cost. @throws ApiError with status 403 for those who may only read */
export async function dismissStoreLoss(client: DeviceClient): Promise<void> {
  await client.connection.text('DELETE /api/v1/store/loss');
}

/**
 * Starts a device whose stored data cannot be used with a new store.
 *
 * @param password where the device knows it
 * @param newIdentity confirms that a device without its identity becomes a new one
 * @throws ApiError with status 422 and the field `password` when that is wrong, 409 without a confirmation
 */
export async function startStore(
  client: DeviceClient,
  password: string | undefined,
  newIdentity: boolean,
): Promise<void> {
  const body = {
    ...(password === undefined ? {} : { password }),
    ...(newIdentity ? { new_identity: true } : {}),
  };
  await client.connection.text('POST /api/v1/store', { timeoutMs: PART_TIMEOUT_MS }, body);
}
