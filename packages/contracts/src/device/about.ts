import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';

/** The data that another database cost. */
export const DeviceStoreLoss = Type.Object(
  {
    at: DateTime,
    cause: Type.Enum(['damaged', 'unreadable', 'replaced'], {
      description:
        'unreadable: the disk could not read a part of the database; replaced: the owner started with a new one',
    }),
    hours: nullable(
      Type.Object(
        {
          from: nullable(Type.String({ format: 'date-time', description: 'Null: from the beginning' })),
          until: nullable(Type.String({ format: 'date-time', description: 'Null: no energy is known' })),
          count: nullable(Type.Integer({ description: 'Null where it is unknown' })),
        },
        { description: 'Hours of energy that were lost, and that the history does not have; null: none' },
      ),
    ),
    days: nullable(
      Type.Object(
        {
          from: nullable(Type.String({ format: 'date', description: 'Null: from the beginning' })),
          until: nullable(Type.String({ format: 'date', description: 'The last day; null: all days' })),
          count: nullable(Type.Integer({ description: 'Null where it is unknown' })),
        },
        { description: 'Days whose totals were lost, and that no hour is known of; null: none' },
      ),
    ),
    settings: Type.Boolean({ description: 'Whether settings were lost' }),
    entries: nullable(
      Type.Integer({ description: 'Entries of logs and alerts that were lost; null where that is unknown' }),
    ),
    kept: nullable(
      Type.Object(
        { hours: Type.Integer(), days: Type.Integer(), entries: Type.Integer() },
        {
          description:
            'Hours and days of energy, and entries of logs and alerts, that are in the present database; null where that is unknown',
        },
      ),
    ),
    history: nullable(
      Type.Object(
        {
          from: nullable(Type.String({ format: 'date-time', description: 'Null: from the beginning' })),
          until: nullable(Type.String({ format: 'date-time', description: 'Null: to the end' })),
        },
        { description: 'Between which moments readings of the history were lost; null: none were' },
      ),
    ),
    new_identity: Type.Boolean({ description: 'Whether the device became a new one to its cloud' }),
  },
  {
    description:
      'The last damage or replacement of the stored data: for 30 days, until its alert is acknowledged or it is dismissed, or until a backup is restored',
  },
);
export type DeviceStoreLoss = Static<typeof DeviceStoreLoss>;

/** `GET /api/v1/device` on a device, for every authenticated caller. */
export const DeviceAbout = Type.Object({
  uid: Type.String(),
  version: Type.String(),
  build_date: nullable(DateTime),
  arch: Type.String(),
  board: nullable(Type.String()),
  local_ip: nullable(Type.String({ description: 'host, or host:port where the port is not 80' })),
  time_zone: Type.String({ description: 'IANA name: where its days begin' }),
  energy_period: Type.Enum(['daily', 'weekly', 'monthly']),
  site_id: nullable(Type.Integer()),
  site_name: nullable(Type.String()),
  store_loss: nullable(DeviceStoreLoss),
});
export type DeviceAbout = Static<typeof DeviceAbout>;

export const aboutOperations = operations('device', {
  getDevice: {
    route: 'GET /api/v1/device',
    summary: 'The device: its identity, version, time zone and site',
    requires: 'read',
    answers: { 200: DeviceAbout },
  },
});

export const administrationOperations = operations('device', {
  restartDevice: {
    route: 'POST /api/v1/restart',
    summary: 'Restarts the device, which does not answer for some seconds',
    requires: 'configure',
    answers: { 202: NoContent },
    refusals: [503],
  },

  removePassword: {
    route: 'DELETE /api/v1/password',
    summary: 'Forgets the device password: its page then asks for a new one',
    description:
      'Until the first one is set on its network, the device admits no caller but those of support recovery sessions. The password is never shown.',
    requires: 'configure',
    answers: { 204: NoContent },
  },
});
