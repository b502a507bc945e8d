import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { nullable } from '../common/schemas.ts';

/** Registers a device that was released. */
export const RegistrationCode = Type.Object({
  code: Type.String(),
  expires_in_s: Type.Integer({ minimum: 0, description: 'Seconds until it expires' }),
});
export type RegistrationCode = Static<typeof RegistrationCode>;

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

export const claimOperations = operations('device', {
  getClaim: {
    route: 'GET /api/v1/claim',
    summary: 'How far the device is on its way into an account',
    requires: 'configure',
    answers: { 200: DeviceClaim },
  },
});
