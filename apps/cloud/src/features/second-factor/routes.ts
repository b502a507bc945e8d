import {
  AddPasskeyBody,
  ConfirmAuthenticatorAppBody,
  NewAuthenticatorApp,
  PasskeyAdded,
  PasskeyCreationOptions,
  PasskeyParams,
  RecoveryCodes,
  SecondFactor,
  SecondFactorAdded,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, enrolleeOf, type Guards } from '../../http/guards.ts';
import type { RelyingParties, SecondFactorService } from './service.ts';

export interface SecondFactorRouteServices {
  readonly secondFactors: SecondFactorService;
  readonly relyingParties: RelyingParties;
}

export function secondFactorRoutes(
  app: App,
  { secondFactors: { enrolment }, relyingParties }: SecondFactorRouteServices,
  guards: Guards,
): void {
  const tags = ['second factor'];

  app.get(
    '/api/v1/user/second_factor',
    {
      onRequest: guards.session,
      schema: {
        summary: 'The second factors of the account',
        tags,
        operationId: 'getSecondFactor',
        response: { 200: SecondFactor },
      },
    },
    (request) => enrolment.describe(callerOf(request).userId),
  );

  app.post(
    '/api/v1/user/second_factor/totp',
    {
      onRequest: guards.enrolment,
      schema: {
        summary: 'Makes the secret of an authenticator app, which counts once a code of it was sent',
        tags,
        operationId: 'startAuthenticatorApp',
        response: { 200: NewAuthenticatorApp },
      },
    },
    (request) => enrolment.startApp(enrolleeOf(request)),
  );

  app.put(
    '/api/v1/user/second_factor/totp',
    {
      onRequest: guards.enrolment,
      schema: {
        summary:
          'Adds the authenticator app; with a first second factor come recovery codes, shown this once',
        tags,
        operationId: 'confirmAuthenticatorApp',
        body: ConfirmAuthenticatorAppBody,
        response: { 200: SecondFactorAdded },
      },
    },
    (request) => enrolment.confirmApp(enrolleeOf(request), request.body.otp),
  );

  app.delete(
    '/api/v1/user/second_factor/totp',
    {
      onRequest: guards.freshSession,
      schema: {
        summary: 'Removes the authenticator app',
        tags,
        operationId: 'removeAuthenticatorApp',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await enrolment.removeApp(enrolleeOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/user/passkeys/options',
    {
      onRequest: guards.enrolment,
      schema: {
        summary: 'What a browser makes a passkey with, for the host of the page that asks',
        tags,
        operationId: 'startPasskey',
        response: { 200: PasskeyCreationOptions },
      },
    },
    async (request) => enrolment.startPasskey(enrolleeOf(request), await relyingParties.of(request)),
  );

  app.post(
    '/api/v1/user/passkeys',
    {
      onRequest: guards.enrolment,
      schema: {
        summary: 'Adds a passkey; with a first second factor come recovery codes, shown this once',
        tags,
        operationId: 'addPasskey',
        body: AddPasskeyBody,
        response: { 201: PasskeyAdded },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await enrolment.addPasskey(enrolleeOf(request), request.body)),
  );

  app.delete(
    '/api/v1/user/passkeys/:id',
    {
      onRequest: guards.freshSession,
      schema: {
        summary: 'Removes a passkey',
        tags,
        operationId: 'removePasskey',
        params: PasskeyParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await enrolment.removePasskey(enrolleeOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/user/recovery_codes',
    {
      onRequest: guards.freshSession,
      schema: {
        summary: 'Makes ten recovery codes in place of all others, and shows them, this once',
        tags,
        operationId: 'replaceRecoveryCodes',
        response: { 200: RecoveryCodes },
      },
    },
    (request) => enrolment.replaceRecoveryCodes(enrolleeOf(request)),
  );
}
