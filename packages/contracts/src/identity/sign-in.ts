import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime } from '../common/schemas.ts';
import { Email, NextStep, PendingToken } from './account-fields.ts';
import { OneTimePassword, PendingSignIn, PendingSignInBody, ShowSecondFactorBody } from './second-factor.ts';
import { OrganizationChoice } from './tokens.ts';
import { User } from './users.ts';

export const Session = Type.Object({
  token: Type.String({ description: 'Bearer token for all other operations' }),
  expires_at: DateTime,
  user: User,
});
export type Session = Static<typeof Session>;

export const SignInBody = Type.Object(
  {
    email: Type.Optional(Email),
    organization_id: Type.Optional(OrganizationChoice),
    password: Type.Optional(Type.String({ maxLength: 1024 })),
    pending_token: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'In place of the password, while the email address waits for its confirmation, or a second factor for being shown',
      }),
    ),
    otp: Type.Optional(OneTimePassword),
    session_token: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'A session handed over from another page; needs no other field',
      }),
    ),
  },
  {
    description:
      '`email` and `organization_id` with one of `password` and `pending_token`, and `otp` where there is a second factor; or `session_token` alone',
    anyOf: [
      { required: ['email', 'organization_id', 'password'] },
      { required: ['email', 'organization_id', 'pending_token'] },
      { required: ['session_token'] },
    ],
  },
);
export type SignInBody = Static<typeof SignInBody>;

export const UnconfirmedAnswer = Type.Object({
  error: Type.String(),
  next_step: NextStep,
  pending_token: PendingToken,
});
export type UnconfirmedAnswer = Static<typeof UnconfirmedAnswer>;

export const signInOperations = operations('accounts', {
  signIn: {
    route: 'POST /api/v1/sign_in',
    summary: 'Sign in',
    requires: 'nothing',
    body: SignInBody,
    answers: { 200: Session },
    refusals: [401, 412, 422, 429],
  },

  describePendingSignIn: {
    route: 'POST /api/v1/sign_in/second_factor/options',
    summary: 'What a sign-in waits for, and what a browser asks the passkeys of the account for',
    requires: 'nothing',
    body: PendingSignInBody,
    answers: { 200: PendingSignIn },
    refusals: [401],
  },

  showSecondFactor: {
    route: 'POST /api/v1/sign_in/second_factor',
    summary: 'Show the second factor of a sign-in that waits: its token then signs in',
    requires: 'nothing',
    body: ShowSecondFactorBody,
    answers: { 204: NoContent },
    refusals: [401, 429],
  },
});

export const signOutOperations = operations('accounts', {
  signOut: {
    route: 'DELETE /api/v1/session',
    summary: 'Sign out: end the session that asks',
    requires: 'session',
    answers: { 204: NoContent },
  },
});
