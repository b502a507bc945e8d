import { Type } from 'typebox';
import { ChangeMemberBody, InviteMemberBody, SiteMemberParams } from '../schemas/members.ts';
import { PageQuery } from '../schemas/page.ts';
import { SiteMember } from '../schemas/site-members.ts';
import { SiteParams } from '../schemas/sites.ts';
import { NoContent, operations } from './operation.ts';

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
});
