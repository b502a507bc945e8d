import {
  ChangeOrganizationBody,
  CreateOrganizationBody,
  ListQuery,
  Organization,
  OrganizationParams,
  OwnOrganization,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import { CACHE_ONE_MINUTE } from './caching.ts';
import { documentRoutes } from './document-routes.ts';
import { employeeRoutes } from './employee-routes.ts';
import { logoRoutes } from './logo-routes.ts';
import type { OrganizationService } from './service.ts';
import { teamInvitationRoutes } from './team-invitation-routes.ts';

const tags = ['organizations'];

export function organizationRoutes(app: App, organizations: OrganizationService, guards: Guards): void {
  // No token: pages show the organization before the sign-in.
  app.get(
    '/api/v1/organizations/:id',
    {
      schema: {
        summary: "An organization's name, logo, colours and host; needs no token",
        tags,
        operationId: 'getOrganization',
        params: OrganizationParams,
        response: { 200: Organization },
      },
    },
    async (request, reply) => {
      const organization = await organizations.show(request.params.id);
      return reply.headers(CACHE_ONE_MINUTE).send(organization);
    },
  );

  app.get(
    '/api/v1/organizations',
    {
      onRequest: guards.anyToken,
      schema: {
        summary: 'The organizations that the caller works for, by name; for operators all',
        tags,
        operationId: 'listOrganizations',
        querystring: ListQuery,
        response: { 200: Type.Array(OwnOrganization) },
      },
    },
    (request) => organizations.list(callerOf(request), request.query),
  );

  app.post(
    '/api/v1/organizations',
    {
      onRequest: guards.scope('sites:write_all'),
      ...asForm(CreateOrganizationBody),
      schema: {
        summary: 'Makes an organization, which nobody works for yet; for operators',
        tags,
        operationId: 'createOrganization',
        body: CreateOrganizationBody,
        response: { 201: OwnOrganization },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await organizations.create(callerOf(request), request.body)),
  );

  app.patch(
    '/api/v1/organizations/:id',
    {
      onRequest: guards.scope('sites:write_all'),
      ...asForm(ChangeOrganizationBody),
      schema: {
        summary: "Changes an organization's name, host and colours; for its owners and admins",
        tags,
        operationId: 'updateOrganization',
        params: OrganizationParams,
        body: ChangeOrganizationBody,
        response: { 200: OwnOrganization },
      },
    },
    (request) => organizations.change(callerOf(request), request.params.id, request.body),
  );

  logoRoutes(app, organizations.logos, guards);
  employeeRoutes(app, organizations.employees, guards);
  teamInvitationRoutes(app, organizations.teamInvitations, guards);
  documentRoutes(app, organizations.documents, guards);
}
