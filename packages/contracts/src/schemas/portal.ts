import { type Static, Type } from 'typebox';
import { SignInBody } from './accounts.ts';
import { nullable } from './common.ts';
import { Organization, OwnOrganization } from './organizations.ts';
import { PasskeyAssertion } from './second-factor.ts';
import { User } from './users.ts';

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
