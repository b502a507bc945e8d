import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { SiteParams } from '../common/params.ts';
import { DateTime, Uid } from '../common/schemas.ts';

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

export const siteBackupOperations = operations('sites', {
  listSiteBackups: {
    route: 'GET /api/v1/sites/{id}/backups',
    summary: 'The backups of its device that the cloud keeps, the newest first',
    description:
      'For owners and admins. The device encrypted them: only the recovery code of its owner opens them.',
    requires: ['sites:read_all'],
    permission: 'connections',
    params: SiteParams,
    answers: { 200: Type.Array(SiteBackup) },
    refusals: [403, 404],
  },
});

const BACKUP = {
  'application/octet-stream': { schema: Type.Unsafe<Uint8Array>({ description: 'An encrypted file' }) },
};

export const deviceBackupOperations = operations('internal', {
  storeDeviceBackup: {
    route: 'PUT /api/v1/devices/backups',
    summary: 'A device stores a backup, which it has encrypted; the newest three stay',
    requires: 'device',
    query: DeviceBackupQuery,
    body: { content: BACKUP },
    bodyLimit: MAX_DEVICE_BACKUP_BYTES,
    answers: { 204: NoContent },
    refusals: [422, 429],
  },

  removeDeviceBackups: {
    route: 'DELETE /api/v1/devices/backups',
    summary: 'A device deletes its backups',
    requires: 'device',
    query: DeviceBackupQuery,
    answers: { 204: NoContent },
  },

  fetchDeviceBackup: {
    route: 'GET /api/v1/devices/backups/newest',
    summary:
      'The newest backup, for a caller with the token that follows from the recovery code of its owner',
    requires: 'nothing',
    answers: { 200: { content: BACKUP } },
    refusals: [401, 404],
  },
});
