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
  StartAuthenticatorAppBody,
} from '../schemas/second-factor.ts';
import { NoContent, operations } from './operation.ts';

export const secondFactorOperations = operations('second factor', {
  getSecondFactor: {
    route: 'GET /api/v1/user/second_factor',
    summary: 'The second factors of the account',
    requires: 'session',
    answers: { 200: SecondFactor },
  },

  startAuthenticatorApp: {
    route: 'POST /api/v1/user/second_factor/totp',
    summary: 'Makes the secret of an authenticator app, which counts once a code of it was sent',
    description: 'For 15 minutes the same session is answered the same secret, until a code confirms it.',
    requires: 'enrolment',
    body: StartAuthenticatorAppBody,
    isBodyOptional: true,
    answers: { 200: NewAuthenticatorApp },
    refusals: [422],
  },

  confirmAuthenticatorApp: {
    route: 'PUT /api/v1/user/second_factor/totp',
    summary: 'Adds the authenticator app; with a first second factor come recovery codes, shown this once',
    requires: 'enrolment',
    body: ConfirmAuthenticatorAppBody,
    answers: { 200: SecondFactorAdded },
    refusals: [422, 429],
  },

  removeAuthenticatorApp: {
    route: 'DELETE /api/v1/user/second_factor/totp',
    summary: 'Removes the authenticator app',
    requires: 'fresh_session',
    answers: { 204: NoContent },
    refusals: [404, 422],
  },

  startPasskey: {
    route: 'POST /api/v1/user/passkeys/options',
    summary: 'What a browser makes a passkey with, for the host of the page that asks',
    requires: 'enrolment',
    answers: { 200: PasskeyCreationOptions },
  },

  addPasskey: {
    route: 'POST /api/v1/user/passkeys',
    summary: 'Adds a passkey; with a first second factor come recovery codes, shown this once',
    requires: 'enrolment',
    body: AddPasskeyBody,
    answers: { 201: PasskeyAdded },
    refusals: [422, 429],
  },

  removePasskey: {
    route: 'DELETE /api/v1/user/passkeys/{id}',
    summary: 'Removes a passkey',
    requires: 'fresh_session',
    params: PasskeyParams,
    answers: { 204: NoContent },
    refusals: [404, 422],
  },

  replaceRecoveryCodes: {
    route: 'POST /api/v1/user/recovery_codes',
    summary: 'Makes ten recovery codes in place of all others, and shows them, this once',
    requires: 'fresh_session',
    answers: { 200: RecoveryCodes },
    refusals: [422, 429],
  },
});
