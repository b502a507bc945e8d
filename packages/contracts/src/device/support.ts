import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';
import { RECOVERY_ACCESSES } from '../support/recovery-sessions.ts';

/** `ask`: the owner is asked before support is let in. */
export const SUPPORT_ACCESSES = ['ask', 'never'] as const;
export type SupportAccess = (typeof SUPPORT_ACCESSES)[number];

/** `GET /api/v1/support` on a device: whether support may be let in, and who is now. */
export const DeviceSupport = Type.Object({
  access: Type.Enum([...SUPPORT_ACCESSES], {
    description: 'ask: the owner lets support in for a while; never: support is refused',
  }),
  sessions: Type.Array(
    Type.Object({
      id: Type.Integer(),
      access: Type.Enum([...RECOVERY_ACCESSES]),
      reason: nullable(Type.String({ description: 'Null until the cloud has reported it' })),
      firm: nullable(Type.String({ description: 'Null for the operator of the service' })),
      people: Type.Array(Type.String(), { description: 'Who used it here' }),
      expires_at: DateTime,
    }),
  ),
});
export type DeviceSupport = Static<typeof DeviceSupport>;

export const DeviceSupportChange = Type.Object({ access: Type.Enum([...SUPPORT_ACCESSES]) });
export type DeviceSupportChange = Static<typeof DeviceSupportChange>;

export const DeviceSupportSessionParams = Type.Object({
  id: Type.String({ pattern: '^[1-9][0-9]{0,9}$', examples: ['12'] }),
});

export const supportOperations = operations('device', {
  getSupport: {
    route: 'GET /api/v1/support',
    summary: 'Whether support may be let in, and who is now',
    requires: 'read',
    answers: { 200: DeviceSupport },
  },

  changeSupport: {
    route: 'PATCH /api/v1/support',
    summary: 'Allows or forbids that support is let in',
    requires: 'configure',
    body: DeviceSupportChange,
    answers: { 200: DeviceSupport },
  },

  endSupportSession: {
    route: 'DELETE /api/v1/support/sessions/{id}',
    summary: 'Ends a support session at once, also without the cloud',
    requires: 'configure',
    params: DeviceSupportSessionParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
