import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';

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

const BYTES = { 'application/octet-stream': { schema: Type.Unsafe<Uint8Array>({ description: 'Bytes' }) } };

export const backupOperations = operations('backup', {
  createBackup: {
    route: 'POST /api/v1/backup',
    summary: 'Makes an encrypted backup of identity, configuration and history, on its network alone',
    description:
      'The answer is a file of at most the size of the history and a few MiB. The passphrase never leaves the network of the home.',
    requires: 'own_page',
    body: DeviceBackupBody,
    answers: { 200: { content: BYTES } },
    refusals: [422, 429, 503],
  },

  getCloudBackup: {
    route: 'GET /api/v1/backup/cloud',
    summary: 'Whether the device stores encrypted backups in its cloud, and how the last one went',
    requires: 'configure',
    answers: { 200: DeviceCloudBackup },
  },

  startCloudBackup: {
    route: 'POST /api/v1/backup/cloud',
    summary: 'Stores an encrypted backup in the cloud every day from now on; on its network alone',
    description:
      'The answer has the recovery code, which is shown once: without it the backups cannot be restored, by anyone. Another call makes another code.',
    requires: 'own_page',
    body: DeviceCloudBackupBody,
    answers: { 200: DeviceRecoveryCode },
    refusals: [409, 422, 429],
  },

  endCloudBackup: {
    route: 'DELETE /api/v1/backup/cloud',
    summary: 'Stores no more backups in the cloud, and deletes those that are there',
    requires: 'configure',
    answers: { 204: NoContent },
  },

  uploadRestorePart: {
    route: 'PUT /api/v1/restore',
    summary: 'Uploads a part of a backup to restore; parts follow one another',
    description:
      'The first part has the offset 0 and replaces what was uploaded before. A device that has a password takes parts of signed-in callers alone.',
    requires: 'own_page',
    query: RestorePartQuery,
    body: { description: 'A part of the file', content: BYTES },
    bodyLimit: RESTORE_PART_BYTES,
    answers: { 204: NoContent },
    refusals: [401, 409, 503],
  },

  restoreBackup: {
    route: 'POST /api/v1/restore',
    summary:
      'Turns the device into the one of the uploaded backup, within seconds in which it does not answer',
    description:
      'The device then has the uid, the password, the configuration and the history of the backup. Nothing changes where the passphrase is wrong, or the file is damaged, not whole, or of a newer version.',
    requires: 'own_page',
    body: DeviceRestoreBody,
    answers: { 202: DeviceRestored },
    refusals: [409, 422, 429, 503],
  },
});

export const storeOperations = operations('store', {
  startStore: {
    route: 'POST /api/v1/store',
    summary: 'Sets a store aside that cannot be used, and starts with a new one',
    description:
      'The new store has every row of the former one that can be read, and the identity and the settings that identity.json has; both files are set aside. `store_loss` of the device has what was lost. 409 while the store can be used, and without the identity unless that is confirmed.',
    requires: 'own_page',
    body: DeviceStoreBody,
    answers: { 202: NoContent },
    refusals: [409, 422, 429, 503],
  },

  dismissStoreLoss: {
    route: 'DELETE /api/v1/store/loss',
    summary: 'Forgets the data that another database cost, and clears their alert',
    requires: 'write',
    answers: { 204: NoContent },
  },
});
