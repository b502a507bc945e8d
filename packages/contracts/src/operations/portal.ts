import { Type } from 'typebox';
import {
  AllowBody,
  ConsentAnswer,
  ConsentParams,
  ConsentRequest,
  ConsentSite,
  ConsentSitesQuery,
} from '../schemas/consent.ts';
import {
  HandoverBody,
  LinkEmail,
  PortalLinkBody,
  PortalPasskeyBody,
  PortalPasswordBody,
  PortalSession,
  PortalSignInBody,
} from '../schemas/portal.ts';
import { PasskeyRequestOptions } from '../schemas/second-factor.ts';
import {
  CatalogueChanges,
  CatalogueFile,
  CatalogueQuery,
  MAX_CATALOGUE_SIZE,
  Shop,
} from '../schemas/shop.ts';
import { NoContent, operations } from './operation.ts';

const catalogueFile = {
  'application/yaml': { schema: Type.Unsafe<Uint8Array>({ description: 'The file, at most 1 MiB' }) },
};

/** Operations of the cloud's own pages, which send the session cookie; they may change with any release. */
export const portalOperations = operations('portal', {
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

  getConsentRequest: {
    route: 'GET /oauth/consent/{uid}/request',
    summary: 'What a program asks the person for',
    requires: 'nothing',
    params: ConsentParams,
    answers: { 200: ConsentRequest },
    refusals: [404],
  },

  listConsentSites: {
    route: 'GET /oauth/consent/{uid}/sites',
    summary: 'Sites that the person may choose from',
    requires: 'nothing',
    params: ConsentParams,
    query: ConsentSitesQuery,
    answers: { 200: Type.Array(ConsentSite) },
    refusals: [401, 404],
  },

  allowConsent: {
    route: 'POST /oauth/consent/{uid}/allow',
    summary: 'Allow the program what it asks for',
    requires: 'nothing',
    params: ConsentParams,
    body: AllowBody,
    invalidFields: 422,
    answers: { 200: ConsentAnswer },
    refusals: [401, 404],
  },

  denyConsent: {
    route: 'POST /oauth/consent/{uid}/deny',
    summary: 'Deny the program what it asks for',
    requires: 'nothing',
    params: ConsentParams,
    answers: { 200: ConsentAnswer },
    refusals: [404],
  },

  getShop: {
    route: 'GET /portal/api/shop',
    summary:
      "The shop where the visitor buys: that of the organization whose customer they are, or the operator's",
    requires: 'session',
    answers: { 200: Shop },
  },

  getCatalogue: {
    route: 'GET /portal/api/catalogue',
    summary: "A seller's catalogue, as the file that an import reads",
    requires: 'session',
    query: CatalogueQuery,
    answers: { 200: CatalogueFile },
    refusals: [404],
  },

  previewCatalogue: {
    route: 'POST /portal/api/catalogue/preview',
    summary: 'What an import of a file would change',
    requires: 'session',
    query: CatalogueQuery,
    body: { content: catalogueFile },
    bodyLimit: MAX_CATALOGUE_SIZE,
    answers: { 200: CatalogueChanges },
    refusals: [404, 422],
  },

  importCatalogue: {
    route: 'PUT /portal/api/catalogue',
    summary: "Makes a seller's catalogue that of a file",
    requires: 'session',
    query: CatalogueQuery,
    body: { content: catalogueFile },
    bodyLimit: MAX_CATALOGUE_SIZE,
    answers: { 200: CatalogueChanges },
    refusals: [404, 422],
  },
});
