import { type Static, Type } from 'typebox';
import { ANY_TOKEN, NoContent, operations } from '../common/operation.ts';
import { PageQuery } from '../common/page.ts';
import { OrganizationParams } from '../common/params.ts';
import { EmailAddress, Id, InviteeName, nullable } from '../common/schemas.ts';
import { SITE_ROLES } from '../common/site-permissions.ts';
import { SiteMember } from '../sites/members.ts';

/** An employee of an organization, or a person invited to become one. */
export const OrganizationMember = Type.Object(
  {
    ...SiteMember.properties,
    pending: Type.Boolean({
      description:
        'Whether the account has yet to accept. Until then the names are those that the inviter gave, and the account ' +
        'sees nothing of the organization',
    }),
    expires_at: nullable(
      Type.String({ format: 'date-time', description: 'Until when it can accept; null for an employee' }),
    ),
  },
  { description: 'An employee of an organization, or a person invited to become one' },
);
export type OrganizationMember = Static<typeof OrganizationMember>;

const OrganizationRole = Type.Enum([...SITE_ROLES], {
  description: 'owner and admin manage the organization, and only an owner makes or unmakes owners',
});

export const AddOrganizationMemberBody = Type.Object({
  email: EmailAddress,
  role: OrganizationRole,
  first_name: InviteeName,
  last_name: InviteeName,
});
export type AddOrganizationMemberBody = Static<typeof AddOrganizationMemberBody>;

export const ChangeOrganizationMemberBody = Type.Object({ role: OrganizationRole });
export type ChangeOrganizationMemberBody = Static<typeof ChangeOrganizationMemberBody>;

export const OrganizationMemberParams = Type.Object({ id: Id, user_id: Id });

/** An invitation to work for an organization, as the invited account sees it. */
export const TeamInvitation = Type.Object({
  organization: Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    logo: nullable(Type.String({ description: 'Where the logo is; null without one' })),
  }),
  role: Type.Enum([...SITE_ROLES], { description: 'What the account becomes in the organization' }),
  invited_by: nullable(Type.String({ description: 'Name of the inviter; null when it is not known' })),
  created_at: Type.String({ format: 'date-time' }),
  expires_at: Type.String({ format: 'date-time', description: 'Until when it can be accepted' }),
});
export type TeamInvitation = Static<typeof TeamInvitation>;

export const TeamInvitationParams = Type.Object({
  organization_id: Id,
});

export const teamOperations = operations('organizations', {
  listOrganizationMembers: {
    route: 'GET /api/v1/organizations/{id}/users',
    summary: 'Who works for an organization, the owners first; to its owners and admins also who is invited',
    requires: ['users:read_all'],
    params: OrganizationParams,
    query: PageQuery,
    answers: { 200: Type.Array(OrganizationMember) },
    refusals: [404],
  },

  addOrganizationMember: {
    route: 'POST /api/v1/organizations/{id}/users',
    summary: 'Invites somebody to the team, or changes the role of an employee',
    requires: ['sites:write_all'],
    params: OrganizationParams,
    body: AddOrganizationMemberBody,
    invalidFields: 422,
    answers: { 200: OrganizationMember },
    refusals: [404, 429],
  },

  updateOrganizationMember: {
    route: 'PATCH /api/v1/organizations/{id}/users/{user_id}',
    summary: 'Changes the role of an employee, or of somebody invited',
    requires: ['sites:write_all'],
    params: OrganizationMemberParams,
    body: ChangeOrganizationMemberBody,
    answers: { 200: OrganizationMember },
    refusals: [404],
  },

  removeOrganizationMember: {
    route: 'DELETE /api/v1/organizations/{id}/users/{user_id}',
    summary: 'Ends somebody working for an organization, withdraws an invitation, or leaves it',
    requires: ['sites:write_all'],
    params: OrganizationMemberParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  listTeamInvitations: {
    route: 'GET /api/v1/user/invitations',
    summary: 'Organizations that invite the caller to their team, in a session only',
    requires: ANY_TOKEN,
    answers: { 200: Type.Array(TeamInvitation) },
    refusals: [403],
  },

  acceptTeamInvitation: {
    route: 'POST /api/v1/user/invitations/{organization_id}/accept',
    summary: 'Accepts an invitation: the caller becomes an employee of the organization',
    requires: ANY_TOKEN,
    params: TeamInvitationParams,
    answers: { 204: NoContent },
    refusals: [403, 404],
  },

  declineTeamInvitation: {
    route: 'DELETE /api/v1/user/invitations/{organization_id}',
    summary: 'Declines an invitation',
    requires: ANY_TOKEN,
    params: TeamInvitationParams,
    answers: { 204: NoContent },
    refusals: [403, 404],
  },
});
