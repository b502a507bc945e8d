import { type Static, Type } from 'typebox';
import { operations } from '../common/operation.ts';
import { DateTime, nullable } from '../common/schemas.ts';
import { SessionTokenAnswer } from './passwords.ts';
import {
  OneTimePassword,
  PasskeyAssertion,
  PasskeyHosts,
  PasskeyRequestOptions,
  SECOND_FACTOR_METHODS,
} from './second-factor.ts';

/** How the person of a session can prove again who they are. */
export const SessionConfirmation = Type.Object({
  methods: Type.Array(Type.Enum(['password', ...SECOND_FACTOR_METHODS])),
  passkey: nullable(PasskeyRequestOptions),
  passkey_hosts: PasskeyHosts,
});
export type SessionConfirmation = Static<typeof SessionConfirmation>;

export const ConfirmSessionBody = Type.Object(
  {
    password: Type.Optional(Type.String({ maxLength: 1024 })),
    otp: Type.Optional(OneTimePassword),
    passkey: Type.Optional(PasskeyAssertion),
  },
  {
    description:
      'One of the three: the password of an account without a second factor, else `otp` or `passkey`',
    anyOf: [{ required: ['password'] }, { required: ['otp'] }, { required: ['passkey'] }],
  },
);
export type ConfirmSessionBody = Static<typeof ConfirmSessionBody>;

export const ConfirmedSession = Type.Object({
  authenticated_at: DateTime,
});
export type ConfirmedSession = Static<typeof ConfirmedSession>;

/** Refusal of an operation that requires a sign-in within the last 15 minutes. */
export const SignInAgainAnswer = Type.Object({
  error: Type.String(),
  next_step: Type.Literal('sign_in'),
});
export type SignInAgainAnswer = Static<typeof SignInAgainAnswer>;

export const sessionConfirmationOperations = operations('accounts', {
  handOverSession: {
    route: 'POST /api/v1/session',
    summary: 'Make a token that signs in another page',
    requires: 'session',
    answers: { 200: SessionTokenAnswer },
  },

  describeSessionConfirmation: {
    route: 'POST /api/v1/session/confirm/options',
    summary: 'How the person of the session can prove again who they are',
    requires: 'session',
    answers: { 200: SessionConfirmation },
  },

  confirmSession: {
    route: 'POST /api/v1/session/confirm',
    summary: 'Prove again who uses the session, for what asks for a fresh sign-in',
    requires: 'session',
    body: ConfirmSessionBody,
    answers: { 200: ConfirmedSession },
    refusals: [422, 429],
  },
});
