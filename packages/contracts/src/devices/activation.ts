import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { OrganizationParams } from '../common/params.ts';
import { DateTime, Id, MAX_ID, nullable, Uid } from '../common/schemas.ts';
import { SiteWithToken } from '../sites/site.ts';
import { PlainLines } from '../text/plain-text.ts';
import { DeviceParams, DeviceSummary } from './devices.ts';

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
  code_id: Id,
});

export const ActivationCodeParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The organization' }),
  code_id: Id,
});

export const activationOperations = operations('devices', {
  requestActivation: {
    route: 'POST /api/v1/sites/request_activation',
    summary: 'Register a device, activating it if that may be, or ask for its activation',
    requires: ['sites:write_all'],
    body: RequestActivationBody,
    answers: { 200: RequestActivationAnswer },
    refusals: [404, 422, 429],
    errorShape: 'nested',
  },

  listActivationRequests: {
    route: 'GET /api/v1/activation_requests',
    summary: 'Who waits for the activation of a device, the longest wait first',
    requires: ['sites:read_all'],
    query: PageQuery,
    answers: { 200: Type.Array(ActivationRequest) },
  },

  declineActivationRequest: {
    route: 'DELETE /api/v1/activation_requests/{uid}',
    summary: 'Decline to activate a device, for which somebody may ask again',
    requires: ['sites:write_all'],
    params: DeviceParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  createActivationCode: {
    route: 'POST /api/v1/organizations/{id}/activation_codes',
    summary: 'Make a code that activates devices',
    requires: ['sites:write_all'],
    params: OrganizationParams,
    body: CreateActivationCodeBody,
    isBodyOptional: true,
    invalidFields: 422,
    answers: { 201: CreatedActivationCode },
    refusals: [404],
  },

  listActivationCodes: {
    route: 'GET /api/v1/organizations/{id}/activation_codes',
    summary: 'The activation codes of an organization, without the codes themselves, the newest first',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    query: PageQuery,
    answers: { 200: Type.Array(ActivationCode) },
    refusals: [404],
  },

  revokeActivationCode: {
    route: 'DELETE /api/v1/organizations/{id}/activation_codes/{code_id}',
    summary: 'Withdraw an activation code',
    requires: ['sites:write_all'],
    params: ActivationCodeParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  createServiceActivationCode: {
    route: 'POST /api/v1/activation_codes',
    summary: 'Make a code that activates devices of no organization; for operators',
    requires: ['sites:write_all'],
    body: CreateActivationCodeBody,
    isBodyOptional: true,
    invalidFields: 422,
    answers: { 201: CreatedActivationCode },
  },

  listServiceActivationCodes: {
    route: 'GET /api/v1/activation_codes',
    summary: 'The activation codes of no organization, the newest first; for operators',
    requires: ['sites:read_all'],
    query: PageQuery,
    answers: { 200: Type.Array(ActivationCode) },
  },

  revokeServiceActivationCode: {
    route: 'DELETE /api/v1/activation_codes/{code_id}',
    summary: 'Withdraw an activation code of no organization; for operators',
    requires: ['sites:write_all'],
    params: ServiceActivationCodeParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
