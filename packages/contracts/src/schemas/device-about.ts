import { type Static, Type } from 'typebox';
import { DateTime, nullable } from './common.ts';

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
});
export type DeviceAbout = Static<typeof DeviceAbout>;
