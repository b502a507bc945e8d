import { type Static, Type } from 'typebox';
import { nullable } from './common.ts';
import { RegistrationCode } from './registration-code.ts';

/**
 * How far a device is on its way into an account. `no_cloud`: none is configured; `not_reached`: the cloud has not
 * answered since the device was started; `waiting_for_activation`, `unclaimed`, `released`, `claimed`: what it answered last.
 */
export const CLAIM_STATES = [
  'no_cloud',
  'not_reached',
  'waiting_for_activation',
  'unclaimed',
  'released',
  'claimed',
] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/** `GET /api/v1/claim` on a device. */
export const DeviceClaim = Type.Object({
  uid: Type.String(),
  state: Type.Enum([...CLAIM_STATES]),
  reason: nullable(Type.String({ description: 'Why it is not reachable from outside, in plain words' })),
  site_id: nullable(Type.Integer()),
  site_name: nullable(Type.String()),
  cloud_url: nullable(Type.String()),
  registration_code: nullable(RegistrationCode),
  portal_url: nullable(
    Type.String({ description: 'Where the device is registered, and which leads back to its own pages' }),
  ),
});
export type DeviceClaim = Static<typeof DeviceClaim>;
