import { Type } from 'typebox';
import {
  Application,
  ApplicationParams,
  ApplicationWithSecret,
  ChangeApplicationBody,
  CreateApplicationBody,
} from '../schemas/applications.ts';
import {
  Connection,
  ConnectionParams,
  SiteConnectionParams,
  SiteConnections,
} from '../schemas/connections.ts';
import { OrganizationParams } from '../schemas/organizations.ts';
import { SiteParams } from '../schemas/sites.ts';
import { NoContent, operations } from './operation.ts';

export const connectionOperations = operations('connections', {
  listConnections: {
    route: 'GET /api/v1/user/connections',
    summary: 'What the caller allowed applications and agents, the newest first',
    requires: ['sites:read_all'],
    answers: { 200: Type.Array(Connection) },
  },

  endConnection: {
    route: 'DELETE /api/v1/user/connections/{id}',
    summary: 'Ends what the caller allowed a third party, at once and with all its tokens',
    requires: ['sites:write_all'],
    params: ConnectionParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  listSiteConnections: {
    route: 'GET /api/v1/sites/{id}/connections',
    summary: 'Which organizations and applications may read a site; for its owner and admins',
    requires: ['sites:read_all'],
    params: SiteParams,
    answers: { 200: SiteConnections },
    refusals: [404],
  },

  endSiteConnection: {
    route: 'DELETE /api/v1/sites/{id}/connections/{connection_id}',
    summary: 'Ends what somebody allowed an application for this site',
    requires: ['sites:write_all'],
    params: SiteConnectionParams,
    answers: { 204: NoContent },
    refusals: [404],
  },

  listApplications: {
    route: 'GET /api/v1/organizations/{id}/applications',
    summary: 'The applications of an organization, the newest first; for its owners and admins',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    answers: { 200: Type.Array(Application) },
    refusals: [404],
  },

  createApplication: {
    route: 'POST /api/v1/organizations/{id}/applications',
    summary: 'Makes an application and shows its secret, this once',
    requires: ['sites:write_all'],
    params: OrganizationParams,
    body: CreateApplicationBody,
    invalidFields: 422,
    answers: { 201: ApplicationWithSecret },
    refusals: [404],
  },

  getApplication: {
    route: 'GET /api/v1/organizations/{id}/applications/{client_id}',
    summary: 'One application of an organization',
    requires: ['sites:read_all'],
    params: ApplicationParams,
    answers: { 200: Application },
    refusals: [404],
  },

  updateApplication: {
    route: 'PATCH /api/v1/organizations/{id}/applications/{client_id}',
    summary: "Changes an application's name and where users may be sent back to",
    requires: ['sites:write_all'],
    params: ApplicationParams,
    body: ChangeApplicationBody,
    invalidFields: 422,
    answers: { 200: Application },
    refusals: [404],
  },

  replaceApplicationSecret: {
    route: 'POST /api/v1/organizations/{id}/applications/{client_id}/secret',
    summary: 'Gives an application another secret and shows it, this once; the old one ends at once',
    requires: ['sites:write_all'],
    params: ApplicationParams,
    answers: { 200: ApplicationWithSecret },
    refusals: [404, 422],
  },

  deleteApplication: {
    route: 'DELETE /api/v1/organizations/{id}/applications/{client_id}',
    summary: 'Deletes an application, and ends whatever users allowed it',
    requires: ['sites:write_all'],
    params: ApplicationParams,
    answers: { 204: NoContent },
    refusals: [404],
  },
});
