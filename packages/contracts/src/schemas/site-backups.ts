import { type Static, Type } from 'typebox';
import { DateTime, Uid } from './common.ts';

/** Largest backup of a device that the cloud keeps, in bytes. */
export const MAX_DEVICE_BACKUP_BYTES = 16 * 1024 * 1024;

/** `PUT` and `DELETE /api/v1/devices/backups`. The device proves its key with the bearer token. */
export const DeviceBackupQuery = Type.Object({
  uid: Uid,
  fetch_hash: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'SHA-256 of the token that the backup is fetched with, in hexadecimal',
    }),
  ),
});
export type DeviceBackupQuery = Static<typeof DeviceBackupQuery>;

/** A backup that the cloud keeps for a site. */
export const SiteBackup = Type.Object({
  id: Type.Integer(),
  device_uid: Type.String(),
  made_at: DateTime,
  size: Type.Integer({ description: 'In bytes' }),
});
export type SiteBackup = Static<typeof SiteBackup>;
