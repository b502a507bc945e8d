import { Type } from 'typebox';
import { IdTokenAnswer, IdTokenBody } from '../schemas/identity.ts';
import { SetSiteViewsBody, SiteViews } from '../schemas/site-views.ts';
import {
  JoinedOrganization,
  JoinedOrganizationParams,
  JoinOrganizationBody,
  UpdateProfileBody,
  UpdateUserBody,
  User,
  UserListQuery,
} from '../schemas/users.ts';
import { ANY_TOKEN, NoContent, operations } from './operation.ts';

export const userOperations = operations('users', {
  getCurrentUser: {
    route: 'GET /api/v1/user',
    summary: 'Shows the account of the token',
    requires: ANY_TOKEN,
    takesMcpTokens: true,
    answers: { 200: User },
  },

  updateCurrentUser: {
    route: 'PATCH /api/v1/user',
    summary: 'Changes the language of the account',
    requires: ANY_TOKEN,
    takesMcpTokens: true,
    body: UpdateUserBody,
    answers: { 200: User },
    refusals: [422],
  },

  updateProfile: {
    route: 'PATCH /api/v1/user/profile',
    summary: 'Changes the name and the phone number of the account',
    description:
      'Fields that are left out stay as they are. An empty name is none, and the email address is shown in its place; an empty phone number is null.',
    requires: 'session',
    body: UpdateProfileBody,
    invalidFields: 422,
    answers: { 200: User },
  },

  joinOrganization: {
    route: 'POST /api/v1/user/organizations',
    summary: 'Makes the account a customer of an organization, besides those that it belongs to',
    description:
      'The consent of the person: employees of the organization then see the name, the email address and the phone number of the account, and it may sign in to the organization. Sites stay with the organizations that they have. A repetition changes nothing.',
    requires: 'session',
    body: JoinOrganizationBody,
    invalidFields: 422,
    answers: { 200: JoinedOrganization },
  },

  listJoinedOrganizations: {
    route: 'GET /api/v1/user/organizations',
    summary: 'Lists the organizations that the account became a customer of by its consent',
    description:
      'In the order in which it did. Not the one with which it registered or to which it was invited.',
    requires: 'session',
    answers: { 200: Type.Array(JoinedOrganization) },
  },

  leaveOrganization: {
    route: 'DELETE /api/v1/user/organizations/{id}',
    summary: 'Withdraws the consent with which the account became a customer of an organization',
    description:
      'Unless the account works for the organization or has a role on one of its sites, its sessions and tokens of the organization end. Sites stay with the organizations that they have.',
    requires: 'session',
    params: JoinedOrganizationParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  getSiteViews: {
    route: 'GET /api/v1/user/site_views',
    summary: 'The views of the list of sites that the account saved',
    requires: 'own_token',
    answers: { 200: SiteViews },
  },

  setSiteViews: {
    route: 'PUT /api/v1/user/site_views',
    summary: 'Sets the saved views of the list of sites',
    requires: 'own_token',
    body: SetSiteViewsBody,
    invalidFields: 422,
    answers: { 200: SiteViews },
  },

  listUsers: {
    route: 'GET /api/v1/users',
    summary: 'Lists the accounts that the caller sees, the newest first',
    requires: ['users:read_all'],
    query: UserListQuery,
    answers: { 200: Type.Array(User) },
  },

  createIdToken: {
    route: 'POST /api/v1/id_token',
    summary: 'Exchanges a session for an id_token for an application',
    description:
      'A JWT that tells an application of an organization who is signed in, and that its server or database verifies by itself with the keys at `/oauth/certs`. Its `nonce` is that of the request, `auth_time` when the session was opened.',
    requires: 'session',
    body: IdTokenBody,
    answers: { 200: IdTokenAnswer },
    refusals: [422],
  },
});
