import { type Static, Type } from 'typebox';
import { DateTime, MAX_ID, nullable, Uid } from './common.ts';
import { DeviceSummary } from './devices.ts';
import { PlainLines } from './plain-text.ts';
import { SiteWithToken } from './sites.ts';

export const RequestActivationBody = Type.Object({
  uid: Uid,
  message: Type.Optional(
    nullable(PlainLines({ maxLength: 2000, description: 'For the person who decides about the request' })),
  ),
  code: Type.Optional(
    nullable(
      Type.String({
        maxLength: 100,
        description:
          'An activation code, or the registration code of a device that was released; case, spaces and dashes do not matter',
      }),
    ),
  ),
});
export type RequestActivationBody = Static<typeof RequestActivationBody>;

/** The device now belongs to the caller, or the request waits for a decision. */
export const RequestActivationAnswer = Type.Union([
  Type.Object({ status: Type.Literal('activated'), ...SiteWithToken.properties }),
  Type.Object({
    status: Type.Literal('requested'),
    site_id: nullable(Type.Integer({ description: 'Null until the device is activated' })),
    site_name: nullable(Type.String()),
    trial_expires_at: nullable(DateTime),
  }),
]);
export type RequestActivationAnswer = Static<typeof RequestActivationAnswer>;

/** A pending request to activate a device. */
export const ActivationRequest = Type.Object({
  uid: Type.String(),
  user: Type.Object({ id: Type.Integer(), email: Type.String(), name: Type.String() }),
  organization_id: nullable(Type.Integer({ description: 'The organization whose admins may decide too' })),
  message: Type.String(),
  requested_at: DateTime,
  device: DeviceSummary,
});
export type ActivationRequest = Static<typeof ActivationRequest>;

/** Most devices that one code activates. */
export const MAX_ACTIVATION_USES = 100_000;

export const CreateActivationCodeBody = Type.Object({
  uses: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_ACTIVATION_USES,
      description: 'How many devices it activates; 1 when left out',
    }),
  ),
  expires_at: Type.Optional(nullable(DateTime)),
});
export type CreateActivationCodeBody = Static<typeof CreateActivationCodeBody>;

const codeFields = {
  id: Type.Integer(),
  uses_left: Type.Integer(),
  expires_at: nullable(DateTime),
};

export const CreatedActivationCode = Type.Object({
  ...codeFields,
  code: Type.String({ description: 'Shown here and never again' }),
});
export type CreatedActivationCode = Static<typeof CreatedActivationCode>;

export const ActivationCode = Type.Object({
  ...codeFields,
  created_at: DateTime,
  created_by: nullable(Type.Integer({ description: 'The account that made it' })),
});
export type ActivationCode = Static<typeof ActivationCode>;

export const ServiceActivationCodeParams = Type.Object({
  code_id: Type.Integer({ minimum: 1, maximum: MAX_ID }),
});

export const ActivationCodeParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The organization' }),
  code_id: Type.Integer({ minimum: 1, maximum: MAX_ID }),
});
