import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DateTime, Id, nullable } from '../common/schemas.ts';
import { PlainName } from '../text/plain-text.ts';

/** How a second factor can be shown. */
export const SECOND_FACTOR_METHODS = ['totp', 'passkey', 'recovery_code'] as const;
export type SecondFactorMethod = (typeof SECOND_FACTOR_METHODS)[number];

const Methods = Type.Array(Type.Enum([...SECOND_FACTOR_METHODS]), {
  description: 'How it can be shown; empty while the account has none and its organization requires one',
});

export const OneTimePassword = Type.String({
  maxLength: 64,
  description: 'Six digits from the authenticator app, or a recovery code; each is accepted once',
});

const SecondFactorToken = Type.String({
  maxLength: 200,
  description: 'From the answer to the sign-in that waits for the second factor',
});

/** A sign-in with the right password that waits for the second factor. */
export const SecondFactorAnswer = Type.Object({
  error: Type.String(),
  next_step: Type.Literal('second_factor'),
  pending_token: Type.String({
    description: 'Signs in once the second factor was shown, within 10 minutes; good once',
  }),
  methods: Methods,
  second_factor_url: Type.String({
    description: 'A page where the person shows the second factor, or sets up a first one',
  }),
});
export type SecondFactorAnswer = Static<typeof SecondFactorAnswer>;

const base64url = (description: string) =>
  Type.String({ maxLength: 16_384, pattern: '^[A-Za-z0-9_-]*$', description });

const credentialFields = {
  id: base64url('The credential, base64url'),
  rawId: base64url('The same'),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(nullable(Type.String({ maxLength: 50 }))),
  clientExtensionResults: Type.Optional(Type.Object({})),
};

/** Result of `navigator.credentials.get` (WebAuthn Level 3, AuthenticationResponseJSON). */
export const PasskeyAssertion = Type.Object(
  {
    ...credentialFields,
    response: Type.Object({
      clientDataJSON: base64url('What was signed, and where'),
      authenticatorData: base64url('What the authenticator says of itself'),
      signature: base64url('Of both'),
      userHandle: Type.Optional(nullable(base64url('Whose credential it is'))),
    }),
  },
  { description: 'What navigator.credentials.get answers, as JSON (WebAuthn Level 3)' },
);
export type PasskeyAssertion = Static<typeof PasskeyAssertion>;

/** Result of `navigator.credentials.create` (WebAuthn Level 3, RegistrationResponseJSON). */
export const PasskeyRegistration = Type.Object(
  {
    ...credentialFields,
    response: Type.Object({
      clientDataJSON: base64url('What was asked for, and where'),
      attestationObject: base64url('The new public key'),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 10 })),
    }),
  },
  { description: 'What navigator.credentials.create answers, as JSON (WebAuthn Level 3)' },
);
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;

const credentialDescriptors = Type.Array(
  Type.Object({
    id: Type.String(),
    type: Type.Literal('public-key'),
    transports: Type.Optional(Type.Array(Type.String())),
  }),
);

/** Options of `navigator.credentials.get` (WebAuthn Level 3, PublicKeyCredentialRequestOptionsJSON). */
export const PasskeyRequestOptions = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer({ description: 'In milliseconds' }),
  allowCredentials: credentialDescriptors,
  userVerification: Type.String(),
});
export type PasskeyRequestOptions = Static<typeof PasskeyRequestOptions>;

/** Options of `navigator.credentials.create` (WebAuthn Level 3, PublicKeyCredentialCreationOptionsJSON). */
export const PasskeyCreationOptions = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ alg: Type.Integer(), type: Type.Literal('public-key') })),
  timeout: Type.Integer({ description: 'In milliseconds' }),
  attestation: Type.String(),
  excludeCredentials: credentialDescriptors,
  authenticatorSelection: Type.Object({
    residentKey: Type.String(),
    requireResidentKey: Type.Boolean(),
    userVerification: Type.String(),
  }),
});
export type PasskeyCreationOptions = Static<typeof PasskeyCreationOptions>;

export const PendingSignInBody = Type.Object({ pending_token: SecondFactorToken });
export type PendingSignInBody = Static<typeof PendingSignInBody>;

export const PasskeyHosts = Type.Array(Type.String(), {
  description: "Hosts of the service at whose pages the account's passkeys work",
});

/** A sign-in that waits, to the person who is to finish it. */
export const PendingSignIn = Type.Object({
  email: Type.String(),
  requested_at: DateTime,
  address: nullable(Type.String({ description: 'Where the sign-in came from' })),
  methods: Methods,
  passkey: nullable(PasskeyRequestOptions),
  passkey_hosts: PasskeyHosts,
});
export type PendingSignIn = Static<typeof PendingSignIn>;

export const ShowSecondFactorBody = Type.Object(
  {
    pending_token: SecondFactorToken,
    otp: Type.Optional(OneTimePassword),
    passkey: Type.Optional(PasskeyAssertion),
  },
  {
    description: 'One of `otp` and `passkey`',
    anyOf: [{ required: ['pending_token', 'otp'] }, { required: ['pending_token', 'passkey'] }],
  },
);
export type ShowSecondFactorBody = Static<typeof ShowSecondFactorBody>;

export const Passkey = Type.Object({
  id: Type.Integer(),
  name: Type.String({ description: 'What its user calls it' }),
  host: Type.String({ description: 'The host at whose pages it works' }),
  credential_id: Type.String({ description: 'The credential, base64url' }),
  backed_up: Type.Boolean({ description: "Whether its owner's other devices have it too" }),
  created_at: DateTime,
  last_used_at: nullable(DateTime),
});
export type Passkey = Static<typeof Passkey>;

export const SecondFactor = Type.Object({
  passkeys: Type.Array(Passkey),
  user_handle: Type.String({
    description: "The account in its passkeys' authenticators, base64url: `user.id` of WebAuthn",
  }),
  totp: nullable(Type.Object({ created_at: DateTime, last_used_at: nullable(DateTime) })),
  recovery_codes_left: Type.Integer({ description: 'Recovery codes that were not used' }),
  required_by: Type.Array(Type.String(), {
    description: 'Organizations that the account works for and that require a second factor',
  }),
});
export type SecondFactor = Static<typeof SecondFactor>;

export const StartAuthenticatorAppBody = Type.Object({
  renew: Type.Optional(
    Type.Boolean({
      description: 'Makes another secret in place of the one that the session was given before',
    }),
  ),
});
export type StartAuthenticatorAppBody = Static<typeof StartAuthenticatorAppBody>;

export const NewAuthenticatorApp = Type.Object({
  secret: Type.String({ description: 'Base32, to be typed into an app' }),
  uri: Type.String({ description: 'otpauth://, for a QR code' }),
});
export type NewAuthenticatorApp = Static<typeof NewAuthenticatorApp>;

export const ConfirmAuthenticatorAppBody = Type.Object({
  otp: Type.String({ maxLength: 64, description: 'Six digits from the app that has the secret' }),
});
export type ConfirmAuthenticatorAppBody = Static<typeof ConfirmAuthenticatorAppBody>;

const RecoveryCodeList = Type.Array(Type.String(), { description: 'Shown this once' });

export const SecondFactorAdded = Type.Object({
  recovery_codes: nullable(RecoveryCodeList),
});
export type SecondFactorAdded = Static<typeof SecondFactorAdded>;

export const AddPasskeyBody = Type.Object({
  name: PlainName({ description: 'What its user calls it, of 1 to 100 characters' }),
  passkey: PasskeyRegistration,
});
export type AddPasskeyBody = Static<typeof AddPasskeyBody>;

export const PasskeyAdded = Type.Object({
  ...Passkey.properties,
  recovery_codes: nullable(RecoveryCodeList),
});
export type PasskeyAdded = Static<typeof PasskeyAdded>;

/** The answer with status 401 to the passkey of no account: `remove_passkey` asks the browser to forget it. */
export interface UnknownPasskeyAnswer {
  readonly error: string;
  readonly next_step: 'remove_passkey';
}

export const PasskeyParams = Type.Object({ id: Id });

export const RecoveryCodes = Type.Object({ recovery_codes: RecoveryCodeList });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

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
