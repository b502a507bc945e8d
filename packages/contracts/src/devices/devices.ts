import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { DateTime, nullable, Uid } from '../common/schemas.ts';
import { SITE_STATES } from '../sites/states.ts';

/** How far a device has come on its way. */
export const DEVICE_STATES = [
  'provisioned',
  'inactive',
  'unregistered',
  'registered',
  'released',
  'revoked',
] as const;
export type DeviceState = (typeof DEVICE_STATES)[number];

/** A device as operators and organizations see it. */
export const DeviceSummary = Type.Object({
  uid: Type.String({ description: 'The device identifier, which follows from its key' }),
  state: Type.Enum([...DEVICE_STATES], {
    description:
      'provisioned: it has not called yet; inactive: it waits for activation; unregistered: it belongs to no account; registered: it has a site; released: it lost its site, and a code registers it again; revoked: it is refused',
  }),
  organization_id: nullable(
    Type.Integer({
      description: 'The organization that it was activated or provisioned for, else that of its site',
    }),
  ),
  site_id: nullable(Type.Integer()),
  enrolled_at: nullable(
    Type.String({ format: 'date-time', description: 'When it called for the first time' }),
  ),
  activated_at: nullable(DateTime),
  revoked_at: nullable(DateTime),
  online: Type.Boolean({ description: 'Whether a proxy holds its connection now' }),
  presence: Type.Enum([...SITE_STATES], {
    description:
      'How it stands, as `state` of its site: hardware_silent is online without an answer of its hardware',
  }),
  last_seen_at: nullable(
    Type.String({ format: 'date-time', description: 'Kept when the device goes quiet' }),
  ),
  proxy: nullable(Type.String({ description: 'The proxy that holds it, or held it last' })),
  arch: nullable(Type.String()),
  board: nullable(Type.String()),
  version: nullable(Type.String({ description: 'The software on the device' })),
  build_date: nullable(DateTime),
  local_ip: nullable(Type.String({ description: "Its address on the customer's own network" })),
  inverter: nullable(Type.String()),
  inverter_count: Type.Integer(),
  battery: nullable(Type.String()),
  battery_count: Type.Integer(),
});
export type DeviceSummary = Static<typeof DeviceSummary>;

const name = (description: string) => nullable(Type.String({ description }));

/** A device of the list, with names for the operators of the service; null for other callers. */
export const ListedDevice = Type.Object({
  ...DeviceSummary.properties,
  organization_name: name('Of the organization with `organization_id`; for operators alone'),
  site_name: name('For operators alone'),
  owner_name: name("Of the site's owner, their email address where they have no name; for operators alone"),
});
export type ListedDevice = Static<typeof ListedDevice>;

export const DeviceParams = Type.Object({ uid: Uid });

export const DeviceQuery = Type.Object({
  ...PageQuery.properties,
  q: Type.Optional(Type.String({ maxLength: 1000, format: 'uid', description: 'The beginning of the uid' })),
  state: Type.Optional(Type.Enum([...DEVICE_STATES])),
});
export type DeviceQuery = Static<typeof DeviceQuery>;

const deviceOrganization = Type.Optional(
  nullable(
    Type.Integer({
      description: 'The organization that the device is to belong to; left out: that of the caller',
    }),
  ),
);

export const ProvisionDeviceBody = Type.Object({
  uid: Type.String({
    maxLength: 10_000,
    format: 'uid',
    description: 'As printed on the device or shown on its page',
  }),
  organization_id: deviceOrganization,
  activate: Type.Optional(Type.Boolean({ description: 'Activate it too' })),
});
export type ProvisionDeviceBody = Static<typeof ProvisionDeviceBody>;

export const ActivateDeviceBody = Type.Object({ organization_id: deviceOrganization });
export type ActivateDeviceBody = Static<typeof ActivateDeviceBody>;

export const deviceRecordOperations = operations('devices', {
  listDevices: {
    route: 'GET /api/v1/devices',
    summary: 'The devices of the organizations that the caller works for; for operators all',
    requires: ['sites:read_all'],
    query: DeviceQuery,
    answers: { 200: Type.Array(ListedDevice) },
  },

  getDevice: {
    route: 'GET /api/v1/devices/{uid}',
    summary: 'One device',
    requires: ['sites:read_all'],
    params: DeviceParams,
    answers: { 200: DeviceSummary },
    refusals: [404, 429],
  },

  provisionDevice: {
    route: 'POST /api/v1/devices',
    summary: 'Make a device known before its first call; for operators',
    requires: ['sites:write_all'],
    body: ProvisionDeviceBody,
    answers: { 200: DeviceSummary, 201: DeviceSummary },
    refusals: [422],
  },

  activateDevice: {
    route: 'POST /api/v1/devices/{uid}/activate',
    summary: 'Activate a device, so that it can be registered',
    requires: ['sites:write_all'],
    params: DeviceParams,
    body: ActivateDeviceBody,
    isBodyOptional: true,
    answers: { 200: DeviceSummary },
    refusals: [404, 422, 429],
  },

  revokeDevice: {
    route: 'POST /api/v1/devices/{uid}/revoke',
    summary: 'Trust a device no more: it is refused and offline',
    requires: ['sites:write_all'],
    params: DeviceParams,
    answers: { 200: DeviceSummary },
    refusals: [404, 429],
  },

  restoreDevice: {
    route: 'POST /api/v1/devices/{uid}/restore',
    summary: 'Trust a revoked device again',
    requires: ['sites:write_all'],
    params: DeviceParams,
    answers: { 200: DeviceSummary },
    refusals: [404, 429],
  },
});
