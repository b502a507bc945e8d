import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { nullable } from '../common/schemas.ts';
import { PasskeyAssertion, PasskeyRequestOptions } from '../identity/second-factor.ts';
import { SignInBody } from '../identity/sign-in.ts';
import { User } from '../identity/users.ts';
import { Organization, OwnOrganization } from '../organizations/organizations.ts';

/** The signed-in account and the organization of the pages, which the portal needs before its first view. */
export const PortalSession = Type.Object({
  user: nullable(User),
  is_operator: Type.Boolean({ description: 'Whether the user runs the service' }),
  organizations: Type.Array(OwnOrganization, {
    description: 'Those that the user works for; of an operator none that they have no role in',
  }),
  home: nullable(Organization),
  may_join: Type.Boolean({
    description: 'Whether the page is at the own host of `home`, and the user does not belong to it',
  }),
  has_shop: Type.Boolean({ description: 'Whether something is for sale to the user' }),
  has_mailbox: Type.Boolean({ description: 'Whether mails are shown at /mailbox instead of being sent' }),
  map_tiles: nullable(
    Type.Object(
      {
        url: Type.String({ description: 'With {z}, {x} and {y}' }),
        attribution: nullable(Type.String({ description: 'To be shown on the map' })),
      },
      { description: 'The server of tiles of maps; null for none' },
    ),
  ),
});
export type PortalSession = Static<typeof PortalSession>;

/** As at the API, except that without an organization the session is restricted to none. */
export const PortalSignInBody = Type.Object(SignInBody.properties, {
  anyOf: [
    { required: ['email', 'password'] },
    { required: ['email', 'pending_token'] },
    { required: ['session_token'] },
  ],
});
export type PortalSignInBody = Static<typeof PortalSignInBody>;

/** A sign-in by a passkey alone. */
export const PortalPasskeyBody = Type.Object({ passkey: PasskeyAssertion });
export type PortalPasskeyBody = Static<typeof PortalPasskeyBody>;

/** The link of a mail, opened by its reader. */
export const PortalLinkBody = Type.Object({ token: Type.String({ maxLength: 4096 }) });
export type PortalLinkBody = Static<typeof PortalLinkBody>;

export const HandoverBody = Type.Object({ session_token: Type.String({ maxLength: 4096 }) });
export type HandoverBody = Static<typeof HandoverBody>;

/** The email address that a link is about. */
export const LinkEmail = Type.Object({ email: Type.String() });
export type LinkEmail = Static<typeof LinkEmail>;

export const PortalPasswordBody = Type.Object({
  token: Type.String({ maxLength: 4096 }),
  password: Type.String({ maxLength: 1000 }),
  accepted_terms: Type.Optional(Type.Boolean()),
});
export type PortalPasswordBody = Static<typeof PortalPasswordBody>;

export const entryOperations = operations('portal', {
  getPortalSession: {
    route: 'GET /portal/session',
    summary: 'The account that is signed in, and the organization of the pages',
    requires: 'nothing',
    answers: { 200: PortalSession },
  },

  signInToPortal: {
    route: 'POST /portal/sign_in',
    summary: 'Sign in: the answer sets the cookie',
    requires: 'nothing',
    body: PortalSignInBody,
    answers: { 200: PortalSession },
    refusals: [401, 412, 422, 429],
  },

  startPasskeySignIn: {
    route: 'POST /portal/passkey/options',
    summary: 'Options of a passkey that signs in without a password',
    requires: 'nothing',
    answers: { 200: PasskeyRequestOptions },
    refusals: [429],
  },

  signInWithPasskey: {
    route: 'POST /portal/passkey',
    summary: 'Sign in with a passkey alone: the answer sets the cookie',
    requires: 'nothing',
    body: PortalPasskeyBody,
    answers: { 200: PortalSession },
    refusals: [401, 429],
  },

  signOutOfPortal: {
    route: 'POST /portal/sign_out',
    summary: 'Sign out: the answer removes the cookie',
    requires: 'nothing',
    answers: { 204: NoContent },
  },

  confirmEmail: {
    route: 'POST /portal/confirm',
    summary: 'Confirm an email address with the link of its mail, and sign in',
    requires: 'nothing',
    body: PortalLinkBody,
    answers: { 200: PortalSession },
    refusals: [412, 422, 429],
  },

  checkConfirmationLink: {
    route: 'POST /portal/confirm/check',
    summary: 'The address that the link of a confirmation mail confirms; it is not spent',
    requires: 'nothing',
    body: PortalLinkBody,
    answers: { 200: LinkEmail },
    refusals: [422, 429],
  },

  checkEmailChangeLink: {
    route: 'POST /portal/email/check',
    summary: 'The new address that the link of its mail puts in force; it is not spent',
    requires: 'nothing',
    body: PortalLinkBody,
    answers: { 200: LinkEmail },
    refusals: [422, 429],
  },

  chooseResetPassword: {
    route: 'POST /portal/password/reset',
    summary: 'Set a new password with the link of the mail that was asked for, and sign in',
    requires: 'nothing',
    body: PortalPasswordBody,
    invalidFields: 422,
    answers: { 200: PortalSession },
    refusals: [412, 429],
  },

  checkResetLink: {
    route: 'POST /portal/password/reset/check',
    summary: 'Whether the link of a reset mail still sets a password',
    requires: 'nothing',
    body: PortalLinkBody,
    answers: { 204: NoContent },
    refusals: [422, 429],
  },

  checkHandover: {
    route: 'POST /portal/handover/check',
    summary: 'The account that a handed-over session is of; it is not spent',
    requires: 'nothing',
    body: HandoverBody,
    answers: { 200: LinkEmail },
    refusals: [401],
  },

  chooseFirstPassword: {
    route: 'POST /portal/password/set',
    summary: 'Set a first password with the link of an invitation, and sign in',
    requires: 'nothing',
    body: PortalPasswordBody,
    invalidFields: 422,
    answers: { 200: PortalSession },
    refusals: [412, 429],
  },

  checkInvitationLink: {
    route: 'POST /portal/password/set/check',
    summary: 'Whether the link of an invitation still sets a password',
    requires: 'nothing',
    body: PortalLinkBody,
    answers: { 204: NoContent },
    refusals: [422, 429],
  },
});
