import { type Static, Type } from 'typebox';

/** Registers a device that was released. */
export const RegistrationCode = Type.Object({
  code: Type.String(),
  expires_in_s: Type.Integer({ minimum: 0, description: 'Seconds until it expires' }),
});
export type RegistrationCode = Static<typeof RegistrationCode>;
