import {
  ConfirmedSession,
  ConfirmSessionBody,
  ConfirmUserBody,
  Empty,
  LenientConfirmUserBody,
  PasswordLinkParams,
  PendingSignIn,
  PendingSignInBody,
  RegisterAnswer,
  RegisterBody,
  RequestPasswordResetBody,
  ResetPasswordBody,
  Session,
  SessionConfirmation,
  SessionTokenAnswer,
  SetPasswordBody,
  ShowSecondFactorBody,
  SignInBody,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import { clientAddressFrom } from '../../common/client-address.ts';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { RelyingParties } from '../second-factor/service.ts';
import type { Confirmations } from './confirmations.ts';
import type { PasswordLinks } from './password-links.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import type { AccountRegistration } from './registration.ts';
import type { SessionConfirmations } from './session-confirmations.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';

export interface AccountRouteServices {
  readonly accountRegistration: AccountRegistration;
  readonly confirmations: Confirmations;
  readonly passwordLinks: PasswordLinks;
  readonly pendingSignIns: PendingSignIns;
  readonly sessionConfirmations: SessionConfirmations;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly relyingParties: RelyingParties;
}

export function accountRoutes(app: App, services: AccountRouteServices, guards: Guards): void {
  const { accountRegistration, confirmations, passwordLinks, signIn } = services;
  const { pendingSignIns, relyingParties, sessionConfirmations, sessions } = services;

  app.post(
    '/api/v1/sign_in',
    {
      schema: {
        summary: 'Sign in',
        tags: ['accounts'],
        operationId: 'signIn',
        body: SignInBody,
        response: { 200: Session },
      },
    },
    (request) => signIn.withCredentials(request.body, clientAddressFrom(request.ip)),
  );

  app.post(
    '/api/v1/sign_in/second_factor/options',
    {
      schema: {
        summary: 'What a sign-in waits for, and what a browser asks the passkeys of the account for',
        tags: ['accounts'],
        operationId: 'describePendingSignIn',
        body: PendingSignInBody,
        response: { 200: PendingSignIn },
      },
    },
    async (request) => pendingSignIns.describe(request.body.pending_token, await relyingParties.of(request)),
  );

  app.post(
    '/api/v1/sign_in/second_factor',
    {
      schema: {
        summary: 'Show the second factor of a sign-in that waits: its token then signs in',
        tags: ['accounts'],
        operationId: 'showSecondFactor',
        body: ShowSecondFactorBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await pendingSignIns.verifySecondFactor(request.body, clientAddressFrom(request.ip));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/register',
    {
      ...asForm(RegisterBody),
      schema: {
        summary: 'Make an account as a customer of an organization',
        tags: ['accounts'],
        operationId: 'register',
        body: RegisterBody,
        response: { 201: RegisterAnswer },
      },
    },
    async (request, reply) => {
      const answer = await accountRegistration.register(request.body, clientAddressFrom(request.ip));
      return reply.code(201).send(answer);
    },
  );

  app.post(
    '/api/v1/user/confirm',
    {
      schema: {
        summary: 'Confirm an email address with the token from its email',
        tags: ['accounts'],
        operationId: 'confirmUser',
        body: confirmations.isOrganizationOptional ? LenientConfirmUserBody : ConfirmUserBody,
        response: { 200: Session },
      },
    },
    (request) => confirmations.confirm(request.body, clientAddressFrom(request.ip)),
  );

  app.post(
    '/api/v1/password/reset',
    {
      schema: {
        summary: 'Ask for an email with a link to a new password',
        tags: ['accounts'],
        operationId: 'requestPasswordReset',
        body: RequestPasswordResetBody,
        response: { 200: Empty },
      },
    },
    (request) => passwordLinks.request(request.body, clientAddressFrom(request.ip)),
  );

  app.put(
    '/api/v1/password/reset/:token',
    {
      schema: {
        summary: 'Set a new password with the token from the email that was asked for',
        tags: ['accounts'],
        operationId: 'resetPassword',
        params: PasswordLinkParams,
        body: ResetPasswordBody,
        response: { 200: Session },
      },
    },
    ({ params, body, ip }) => passwordLinks.use('reset', params.token, body, clientAddressFrom(ip)),
  );

  app.put(
    '/api/v1/password/set/:token',
    {
      schema: {
        summary: 'Set a first password with the token from an invitation',
        tags: ['accounts'],
        operationId: 'setPassword',
        params: PasswordLinkParams,
        body: SetPasswordBody,
        response: { 200: Session },
      },
    },
    ({ params, body, ip }) => passwordLinks.use('invite', params.token, body, clientAddressFrom(ip)),
  );

  app.post(
    '/api/v1/session',
    {
      onRequest: guards.session,
      schema: {
        summary: 'Make a token that signs in another page',
        tags: ['accounts'],
        operationId: 'handOverSession',
        response: { 200: SessionTokenAnswer },
      },
    },
    (request) => sessions.createHandover(callerOf(request)),
  );

  app.post(
    '/api/v1/session/confirm/options',
    {
      onRequest: guards.session,
      schema: {
        summary: 'How the person of the session can prove again who they are',
        tags: ['accounts'],
        operationId: 'describeSessionConfirmation',
        response: { 200: SessionConfirmation },
      },
    },
    async (request) => sessionConfirmations.describe(callerOf(request), await relyingParties.of(request)),
  );

  app.post(
    '/api/v1/session/confirm',
    {
      onRequest: guards.session,
      schema: {
        summary: 'Prove again who uses the session, for what asks for a fresh sign-in',
        tags: ['accounts'],
        operationId: 'confirmSession',
        body: ConfirmSessionBody,
        response: { 200: ConfirmedSession },
      },
    },
    (request) => sessionConfirmations.confirm(callerOf(request), request.body),
  );

  app.delete(
    '/api/v1/session',
    {
      onRequest: guards.session,
      schema: {
        summary: 'Sign out: end the session that asks',
        tags: ['accounts'],
        operationId: 'signOut',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await sessions.end(callerOf(request));
      return reply.code(204).send(null);
    },
  );
}
