import { type Static, Type } from 'typebox';
import { DateTime, nullable } from './common.ts';

/** Largest part of a backup that is uploaded at once, in bytes. */
export const RESTORE_PART_BYTES = 4 * 1024 * 1024;

const Password = Type.String({ maxLength: 1000, description: 'The password of the device' });

const Passphrase = Type.String({ maxLength: 1000 });

/** `POST /api/v1/backup` on a device. */
export const DeviceBackupBody = Type.Object({
  password: Password,
  passphrase: Type.String({
    maxLength: 1000,
    description: 'Encrypts the backup, 12 characters or more; without it no backup can be restored',
  }),
  history: Type.Optional(
    Type.Boolean({ description: 'Whether the history goes along, as it does when this is left out' }),
  ),
});
export type DeviceBackupBody = Static<typeof DeviceBackupBody>;

/** `PUT /api/v1/restore` on a device. */
export const RestorePartQuery = Type.Object({
  offset: Type.String({ pattern: '^\\d{1,12}$', description: 'Where in the file the part begins, in bytes' }),
});
export type RestorePartQuery = Static<typeof RestorePartQuery>;

/** `POST /api/v1/restore` on a device. */
export const DeviceRestoreBody = Type.Object({
  passphrase: Type.Optional(Passphrase),
  recovery_code: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'In place of an upload and its passphrase: restores the newest backup in the cloud',
    }),
  ),
  password: Type.Optional(Password),
});
export type DeviceRestoreBody = Static<typeof DeviceRestoreBody>;

/** The device that a backup restores. */
export const DeviceRestored = Type.Object({
  uid: Type.String(),
  site_name: nullable(Type.String()),
  made_at: DateTime,
  history: Type.Boolean({ description: 'Whether the backup has the history' }),
  configuration_problem: nullable(
    Type.String({
      description:
        'Why the configuration of the backup cannot be used on this computer; the one that is here stays then',
    }),
  ),
});
export type DeviceRestored = Static<typeof DeviceRestored>;

/** `POST /api/v1/store` on a device. */
export const DeviceStoreBody = Type.Object({
  password: Type.Optional(Password),
  new_identity: Type.Optional(
    Type.Boolean({ description: 'Confirms that the device becomes a new one, where its identity is lost' }),
  ),
});
export type DeviceStoreBody = Static<typeof DeviceStoreBody>;

/** `GET /api/v1/backup/cloud` on a device. */
export const DeviceCloudBackup = Type.Object({
  enabled: Type.Boolean(),
  stored_at: nullable(Type.String({ description: 'ISO 8601; null before the first one' })),
  size: nullable(Type.Integer({ description: 'In bytes' })),
  history: Type.Boolean({ description: 'Whether the last one has the history, without single readings' }),
  problem: nullable(Type.String({ description: 'Why the last attempt failed' })),
});
export type DeviceCloudBackup = Static<typeof DeviceCloudBackup>;

/** `POST /api/v1/backup/cloud` on a device. */
export const DeviceCloudBackupBody = Type.Object({ password: Password });
export type DeviceCloudBackupBody = Static<typeof DeviceCloudBackupBody>;

export const DeviceRecoveryCode = Type.Object({
  recovery_code: Type.String({
    description: 'Shown once: it opens the backups, and neither the device nor the cloud has it',
  }),
});
export type DeviceRecoveryCode = Static<typeof DeviceRecoveryCode>;
