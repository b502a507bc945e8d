import { type Static, Type } from 'typebox';
import { DateTime, nullable } from './common.ts';
import { SUPPORT_ACCESSES } from './devices.ts';
import { RECOVERY_ACCESSES } from './recovery-sessions.ts';

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
