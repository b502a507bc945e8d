import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { nullable } from '../common/schemas.ts';
import { Email, NewPassword, VerificationToken } from './account-fields.ts';
import { Session } from './sign-in.ts';
import { OrganizationChoice } from './tokens.ts';

export const RequestPasswordResetBody = Type.Object({
  email: Email,
  verification_token: VerificationToken,
  organization_id: Type.Optional(nullable(OrganizationChoice)),
});
export type RequestPasswordResetBody = Static<typeof RequestPasswordResetBody>;

export const Empty = Type.Object({});
export type Empty = Static<typeof Empty>;

export const PasswordLinkParams = Type.Object({
  token: Type.String({ description: 'From the link in the email' }),
});

export const ResetPasswordBody = Type.Object({
  password: NewPassword,
  password_confirmation: Type.Optional(
    Type.String({ maxLength: 1024, description: 'The password once more; left out, it is not compared' }),
  ),
  organization_id: OrganizationChoice,
});
export type ResetPasswordBody = Static<typeof ResetPasswordBody>;

export const SetPasswordBody = Type.Object({
  ...ResetPasswordBody.properties,
  accepted_terms: Type.Optional(
    Type.Boolean({ description: 'Whether the terms were accepted; not asked when left out' }),
  ),
});
export type SetPasswordBody = Static<typeof SetPasswordBody>;

export const SessionTokenAnswer = Type.Object({
  session_token: Type.String({
    description: 'Signs in another page as the same account and organization; good once, for 60 seconds',
  }),
});
export type SessionTokenAnswer = Static<typeof SessionTokenAnswer>;

export const passwordOperations = operations('accounts', {
  requestPasswordReset: {
    route: 'POST /api/v1/password/reset',
    summary: 'Ask for an email with a link to a new password',
    requires: 'nothing',
    body: RequestPasswordResetBody,
    answers: { 200: Empty },
    refusals: [422, 429],
  },

  resetPassword: {
    route: 'PUT /api/v1/password/reset/{token}',
    summary: 'Set a new password with the token from the email that was asked for',
    requires: 'nothing',
    params: PasswordLinkParams,
    body: ResetPasswordBody,
    answers: { 200: Session },
    refusals: [412, 422],
  },

  setPassword: {
    route: 'PUT /api/v1/password/set/{token}',
    summary: 'Set a first password with the token from an invitation',
    requires: 'nothing',
    params: PasswordLinkParams,
    body: SetPasswordBody,
    answers: { 200: Session },
    refusals: [412, 422],
  },
});
