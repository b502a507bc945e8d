import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime, EmailAddress, nullable } from '../common/schemas.ts';

/** The address of an account, and one that is to take its place. */
export const AccountEmail = Type.Object({
  email: Type.String(),
  pending: nullable(
    Type.Object({
      email: Type.String({
        description: 'Takes the place of the address once the link mailed there is opened',
      }),
      expires_at: DateTime,
    }),
  ),
});
export type AccountEmail = Static<typeof AccountEmail>;

export const RequestEmailChangeBody = Type.Object(
  {
    email: EmailAddress,
    password: Type.String({ maxLength: 1024, description: 'The password of the account' }),
  },
  { additionalProperties: false },
);
export type RequestEmailChangeBody = Static<typeof RequestEmailChangeBody>;

export const ConfirmEmailChangeBody = Type.Object({
  token: Type.String({ maxLength: 200, description: 'From the link in the email to the new address' }),
});
export type ConfirmEmailChangeBody = Static<typeof ConfirmEmailChangeBody>;

export const ConfirmedEmail = Type.Object({
  email: Type.String({ description: 'The address of the account from now on' }),
});
export type ConfirmedEmail = Static<typeof ConfirmedEmail>;

export const accountEmailOperations = operations('accounts', {
  getEmail: {
    route: 'GET /api/v1/user/email',
    summary: 'The email address of the account, and a new one that waits for its confirmation',
    requires: 'session',
    answers: { 200: AccountEmail },
  },

  requestEmailChange: {
    route: 'POST /api/v1/user/email',
    summary: 'Ask for another email address, which takes effect once the link mailed there is opened',
    description:
      'The answer is the same whether or not the new address belongs to another account. The present address gets a mail, too. Of an account with a second factor the session must have a sign-in within 15 minutes as well. A later request replaces an earlier one; a new password cancels it.',
    requires: 'session',
    body: RequestEmailChangeBody,
    invalidFields: 422,
    answers: { 200: AccountEmail },
    refusals: [429],
  },

  cancelEmailChange: {
    route: 'DELETE /api/v1/user/email/pending',
    summary: 'Keep the email address: the one that waits for its confirmation no longer does',
    requires: 'session',
    answers: { 204: NoContent },
    refusals: [404],
  },

  confirmEmailChange: {
    route: 'POST /api/v1/user/email/confirm',
    summary: 'Put a new email address in force with the token from its email',
    requires: 'nothing',
    body: ConfirmEmailChangeBody,
    answers: { 200: ConfirmedEmail },
    refusals: [422],
  },
});
