import { Type } from 'typebox';
import { ChangeMemberBody, InviteMemberBody, SiteMemberParams } from '../schemas/members.ts';
import { PageQuery } from '../schemas/page.ts';
import {
  AcceptSiteInvitationBody,
  SiteInvitation,
  SiteInvitationParams,
} from '../schemas/site-invitations.ts';
import { SiteMember } from '../schemas/site-members.ts';
import { SiteParams } from '../schemas/sites.ts';
import { ANY_TOKEN, NoContent, operations } from './operation.ts';

export const memberOperations = operations('members', {
  listSiteMembers: {
    route: 'GET /api/v1/sites/{id}/users',
    summary: 'The members of a site, the owner first',
    requires: ['sites:read_all', 'sites:read_single'],
    params: SiteParams,
    query: PageQuery,
    answers: { 200: Type.Array(SiteMember) },
    refusals: [404],
  },

  inviteSiteMember: {
    route: 'POST /api/v1/sites/{id}/users',
    summary: 'Invite a person, or change the role of a member',
    requires: ['sites:write_all'],
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
