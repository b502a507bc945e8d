import { Type } from 'typebox';
import { OrganizationSite, OrganizationSiteParams, ShareSiteBody } from '../schemas/organization-sites.ts';
import {
  AddOrganizationMemberBody,
  ChangeDocumentBody,
  ChangeOrganizationBody,
  ChangeOrganizationMemberBody,
  CreateOrganizationBody,
  DocumentParams,
  LegalPageParams,
  LegalPageQuery,
  LogoParams,
  Organization,
  OrganizationClosing,
  OrganizationDocument,
  OrganizationMember,
  OrganizationMemberParams,
  OrganizationParams,
  OwnOrganization,
} from '../schemas/organizations.ts';
import { PageQuery } from '../schemas/page.ts';
import { ListQuery } from '../schemas/sites.ts';
import { TeamInvitation, TeamInvitationParams } from '../schemas/team-invitations.ts';
import { ANY_TOKEN, NoContent, operations } from './operation.ts';

const Image = Type.Unsafe<Uint8Array>({ description: 'The image as it is, at most 256 KiB' });
const imageContent = { 'image/svg+xml': { schema: Image }, 'image/png': { schema: Image } };

export const organizationOperations = operations('organizations', {
  getOrganization: {
    route: 'GET /api/v1/organizations/{id}',
    summary: "An organization's name, logo, colours and host; needs no token",
    requires: 'nothing',
    params: OrganizationParams,
    answers: { 200: Organization },
    refusals: [404],
  },

  listOrganizations: {
    route: 'GET /api/v1/organizations',
    summary: 'The organizations that the caller works for, by name; for operators all',
    requires: ANY_TOKEN,
    query: ListQuery,
    answers: { 200: Type.Array(OwnOrganization) },
  },

  createOrganization: {
    route: 'POST /api/v1/organizations',
    summary: 'Makes an organization, which nobody works for yet; for operators',
    requires: ['sites:write_all'],
    body: CreateOrganizationBody,
    invalidFields: 422,
    answers: { 201: OwnOrganization },
  },

  updateOrganization: {
    route: 'PATCH /api/v1/organizations/{id}',
    summary: "Changes an organization's name, host and colours; for its owners and admins",
    requires: ['sites:write_all'],
    params: OrganizationParams,
    body: ChangeOrganizationBody,
    invalidFields: 422,
    answers: { 200: OwnOrganization },
    refusals: [404],
  },

  getOrganizationClosing: {
    route: 'GET /api/v1/organizations/{id}/closing',
    summary: 'What stands in the way of closing an organization; for its owners and operators',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    answers: { 200: OrganizationClosing },
    refusals: [403, 404],
  },

  closeOrganization: {
    route: 'DELETE /api/v1/organizations/{id}',
    summary: 'Closes an organization for good; for its owners and operators',
    description:
      'Refused while it has sites, open orders or open tickets. Its tokens, sessions, applications, connections, invitations and legal texts end at once, its products are archived, its employees and customers keep their accounts. Its name and host are free. Orders, tickets and audit records keep the name.',
    requires: 'fresh_session',
    params: OrganizationParams,
    answers: { 204: NoContent },
    refusals: [403, 404, 422],
  },

  addOrganizationSite: {
    route: 'POST /api/v1/organization_sites',
    summary: "Let the organization of the caller's application read the site, for good",
    requires: ['sites:read_single'],
    body: ShareSiteBody,
    answers: { 200: OrganizationSite },
    refusals: [404],
    errorShape: 'nested',
  },

  removeOrganizationSite: {
    route: 'DELETE /api/v1/organization_sites/{organization_id}/{site_id}',
    summary: 'Take a shared site away from an organization; for operators',
    requires: ['sites:write_all'],
    params: OrganizationSiteParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  getOrganizationLogo: {
    route: 'GET /api/v1/organizations/{id}/logo',
    summary: 'Leads to the logo; needs no token',
    requires: 'nothing',
    params: OrganizationParams,
    answers: { 302: NoContent },
    refusals: [404],
  },

  getOrganizationLogoVersion: {
    route: 'GET /api/v1/organizations/{id}/logo/{digest}',
    summary: 'One version of a logo; needs no token. A former one leads to the present one',
    requires: 'nothing',
    params: LogoParams,
    answers: { 200: { description: 'The image', content: imageContent }, 302: NoContent },
    refusals: [404],
  },

  removeOrganizationLogo: {
    route: 'DELETE /api/v1/organizations/{id}/logo',
    summary: 'Removes the logo; for owners and admins of the organization',
    requires: ['sites:write_all'],
    params: OrganizationParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  setOrganizationLogo: {
    route: 'PUT /api/v1/organizations/{id}/logo',
    summary: 'Sets the logo; for owners and admins of the organization',
    requires: ['sites:write_all'],
    params: OrganizationParams,
    body: { content: imageContent },
    bodyLimit: 256 * 1024,
    answers: { 204: NoContent },
    refusals: [404, 422],
  },

  getLegalText: {
    route: 'GET /api/v1/legal/portal/{name}',
    summary: 'A legal text as HTML; needs no token',
    requires: 'nothing',
    params: LegalPageParams,
    query: LegalPageQuery,
    answers: {
      200: {
        description: 'A page, or a part of one',
        content: { 'text/html': { schema: Type.String() } },
      },
    },
    refusals: [404],
  },

  getOrganizationDocument: {
    route: 'GET /api/v1/organizations/{id}/documents/{name}',
    summary: 'A legal text as it was written; for those who work for the organization',
    requires: ['sites:read_all'],
    params: DocumentParams,
    answers: { 200: OrganizationDocument },
    refusals: [404],
  },

  setOrganizationDocument: {
    route: 'PUT /api/v1/organizations/{id}/documents/{name}',
    summary: 'Sets a legal text; for owners and admins of the organization',
    requires: ['sites:write_all'],
    params: DocumentParams,
    body: ChangeDocumentBody,
    // The longest text, of any script.
    bodyLimit: 640 * 1024,
    invalidFields: 422,
    answers: { 200: OrganizationDocument },
    refusals: [404],
  },

  removeOrganizationDocument: {
    route: 'DELETE /api/v1/organizations/{id}/documents/{name}',
    summary: "Goes back to the service's text; for owners and admins of the organization",
    requires: ['sites:write_all'],
    params: DocumentParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

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
