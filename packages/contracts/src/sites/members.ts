import { type Static, Type } from 'typebox';
import { ANY_TOKEN, NoContent, operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { SiteParams } from '../common/params.ts';
import { DateTime, EmailAddress, Id, InviteeName, MAX_ID, nullable } from '../common/schemas.ts';
import { SITE_ROLES } from '../common/site-permissions.ts';

export const SiteMember = Type.Object(
  {
    id: Type.Integer(),
    email: Type.String({ examples: ['ada@example.org'] }),
    first_name: Type.String({ examples: ['Ada'] }),
    last_name: Type.String({ examples: ['Example'] }),
    role: Type.Enum([...SITE_ROLES]),
    pending: Type.Optional(
      Type.Boolean({
        description:
          'Present and true until the person has accepted. Until then address and names are those that the inviter gave, ' +
          'and nothing of the site is sent to the person',
      }),
    ),
  },
  { description: 'A person with access to a site, and their role' },
);
export type SiteMember = Static<typeof SiteMember>;

/** Roles as clients may write them: `viewer` is an older word for `member`. */
export const WritableRole = Type.Enum([...SITE_ROLES, 'viewer'], {
  description: 'owner hands the ownership of the site over; viewer is another word for member',
});
export type WritableRole = Static<typeof WritableRole>;

export const InviteMemberBody = Type.Object({
  email: EmailAddress,
  role: WritableRole,
  first_name: InviteeName,
  last_name: InviteeName,
});
export type InviteMemberBody = Static<typeof InviteMemberBody>;

export const ChangeMemberBody = Type.Object({ role: WritableRole });
export type ChangeMemberBody = Static<typeof ChangeMemberBody>;

export const SiteMemberParams = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The site' }),
  user_id: Id,
});

/** Site tokens for a site that are no longer good. */
export const SiteRevocation = Type.Object({
  site_id: Type.Integer(),
  subject: Type.Optional(
    Type.String({
      description:
        'user:<id>: those issued to the account before; token:<id> or grant:<id>: all that were issued for this session or API token, or for what a user allowed a third party. Left out by a cloud of an earlier release, which means user:<user_id>',
    }),
  ),
  user_id: Type.Integer({ description: 'The account; proxies of an earlier release know nothing narrower' }),
  revoked_at: DateTime,
});
export type SiteRevocation = Static<typeof SiteRevocation>;

/** A role on a site that was given to the caller, who has not accepted it. */
export const SiteInvitation = Type.Object(
  {
    site: Type.Object({ id: Type.Integer(), name: nullable(Type.String()) }),
    role: Type.Enum([...SITE_ROLES], { description: 'The role, which the account has already' }),
    invited_by: nullable(
      Type.String({ description: 'Name of the inviter, or the email address; null for an operator' }),
    ),
    former_owner: nullable(
      Type.String({
        description: 'Who gets the site back when it is declined; null unless it was handed over',
      }),
    ),
    created_at: Type.String({ format: 'date-time' }),
  },
  { description: 'A role on a site that the account has not accepted yet' },
);
export type SiteInvitation = Static<typeof SiteInvitation>;

export const SiteInvitationParams = Type.Object({
  site_id: Id,
});

export const AcceptSiteInvitationBody = Type.Object({
  keep_former_owner: Type.Optional(
    Type.Boolean({
      description: 'Of a site that was handed over: whether the former owner stays an admin. Default: false',
    }),
  ),
});
export type AcceptSiteInvitationBody = Static<typeof AcceptSiteInvitationBody>;

export const memberOperations = operations('members', {
  listSiteMembers: {
    route: 'GET /api/v1/sites/{id}/users',
    summary: 'The members of a site, the owner first',
    requires: ['sites:read_all', 'sites:read_single'],
    permission: 'read',
    params: SiteParams,
    query: PageQuery,
    answers: { 200: Type.Array(SiteMember) },
    refusals: [404],
  },

  inviteSiteMember: {
    route: 'POST /api/v1/sites/{id}/users',
    summary: 'Invite a person, or change the role of a member',
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteParams,
    body: InviteMemberBody,
    invalidFields: 422,
    answers: { 200: SiteMember },
    refusals: [404, 429],
  },

  updateSiteMember: {
    route: 'PATCH /api/v1/sites/{id}/users/{user_id}',
    summary: "Change a member's role",
    requires: ['sites:write_all'],
    permission: 'manage',
    params: SiteMemberParams,
    body: ChangeMemberBody,
    answers: { 200: SiteMember },
    refusals: [404],
  },

  removeSiteMember: {
    route: 'DELETE /api/v1/sites/{id}/users/{user_id}',
    summary: 'Remove a member, or leave the site',
    requires: ['sites:write_all'],
    params: SiteMemberParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  recallSite: {
    route: 'POST /api/v1/sites/{id}/recall',
    summary: 'Take a site back that the caller handed over, while the new owner has not accepted it',
    requires: ['sites:write_all'],
    params: SiteParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  listSiteInvitations: {
    route: 'GET /api/v1/user/site_invitations',
    summary: 'Roles on sites that the caller has not accepted, in a session only',
    requires: ANY_TOKEN,
    answers: { 200: Type.Array(SiteInvitation) },
    refusals: [403],
  },

  acceptSiteInvitation: {
    route: 'POST /api/v1/user/site_invitations/{site_id}/accept',
    summary: 'Accept a role on a site, or its ownership',
    requires: ANY_TOKEN,
    params: SiteInvitationParams,
    body: AcceptSiteInvitationBody,
    answers: { 204: NoContent },
    refusals: [403, 404],
  },

  declineSiteInvitation: {
    route: 'DELETE /api/v1/user/site_invitations/{site_id}',
    summary: 'Decline a role on a site, or give the site back to its former owner',
    requires: ANY_TOKEN,
    params: SiteInvitationParams,
    answers: { 204: NoContent },
    refusals: [403, 404],
  },
});
