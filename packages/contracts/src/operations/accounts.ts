import { AccountDeletion } from '../schemas/account-deletion.ts';
import {
  AccountEmail,
  ConfirmEmailChangeBody,
  ConfirmedEmail,
  ConfirmUserBody,
  Empty,
  PasswordLinkParams,
  RegisterAnswer,
  RegisterBody,
  RequestEmailChangeBody,
  RequestPasswordResetBody,
  ResetPasswordBody,
  Session,
  SessionTokenAnswer,
  SetPasswordBody,
  SignInBody,
} from '../schemas/accounts.ts';
import {
  ConfirmedSession,
  ConfirmSessionBody,
  PendingSignIn,
  PendingSignInBody,
  SessionConfirmation,
  ShowSecondFactorBody,
} from '../schemas/second-factor.ts';
import { NoContent, operations } from './operation.ts';

export const accountOperations = operations('accounts', {
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

  register: {
    route: 'POST /api/v1/register',
    summary: 'Make an account as a customer of an organization',
    requires: 'nothing',
    body: RegisterBody,
    invalidFields: 422,
    answers: { 201: RegisterAnswer },
    refusals: [429],
  },

  confirmUser: {
    route: 'POST /api/v1/user/confirm',
    summary: 'Confirm an email address with the token from its email',
    requires: 'nothing',
    body: ConfirmUserBody,
    answers: { 200: Session },
    refusals: [412, 422],
  },

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

  getAccountDeletion: {
    route: 'GET /api/v1/user/deletion',
    summary: 'Shows whether the account is to be deleted, and what stands in the way',
    requires: 'session',
    answers: { 200: AccountDeletion },
  },

  requestAccountDeletion: {
    route: 'POST /api/v1/user/deletion',
    summary: 'Deletes the account after seven days',
    description:
      'Other sessions, API tokens and connections of the account end at once, and do not come back if the request is taken back. A repetition changes nothing.',
    requires: 'fresh_session',
    answers: { 200: AccountDeletion },
    refusals: [422],
  },

  cancelAccountDeletion: {
    route: 'DELETE /api/v1/user/deletion',
    summary: 'Keeps the account that was to be deleted',
    requires: 'session',
    answers: { 204: NoContent },
    refusals: [404],
  },

  signOut: {
    route: 'DELETE /api/v1/session',
    summary: 'Sign out: end the session that asks',
    requires: 'session',
    answers: { 204: NoContent },
  },
});
