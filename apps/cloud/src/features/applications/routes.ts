import {
  Application,
  ApplicationParams,
  ApplicationWithSecret,
  ChangeApplicationBody,
  CreateApplicationBody,
  OrganizationParams,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { ApplicationService } from './service.ts';

const tags = ['connections'];

export function applicationRoutes(app: App, applications: ApplicationService, guards: Guards): void {
  app.get(
    '/api/v1/organizations/:id/applications',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'The applications of an organization, the newest first; for its owners and admins',
        tags,
        operationId: 'listApplications',
        params: OrganizationParams,
        response: { 200: Type.Array(Application) },
      },
    },
    (request) => applications.list(callerOf(request), request.params.id),
  );

  app.post(
    '/api/v1/organizations/:id/applications',
    {
      onRequest: guards.scope('sites:write_all'),
      ...asForm(CreateApplicationBody),
      schema: {
        summary: 'Makes an application and shows its secret, this once',
        tags,
        operationId: 'createApplication',
        params: OrganizationParams,
        body: CreateApplicationBody,
        response: { 201: ApplicationWithSecret },
      },
    },
    async (request, reply) => {
      const made = await applications.create(callerOf(request), request.params.id, request.body);
      return reply.code(201).send(made);
    },
  );

  app.get(
    '/api/v1/organizations/:id/applications/:client_id',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'One application of an organization',
        tags,
        operationId: 'getApplication',
        params: ApplicationParams,
        response: { 200: Application },
      },
    },
    (request) => applications.show(callerOf(request), keyOf(request.params)),
  );

  app.patch(
    '/api/v1/organizations/:id/applications/:client_id',
    {
      onRequest: guards.scope('sites:write_all'),
      ...asForm(ChangeApplicationBody),
      schema: {
        summary: "Changes an application's name and where users may be sent back to",
        tags,
        operationId: 'updateApplication',
        params: ApplicationParams,
        body: ChangeApplicationBody,
        response: { 200: Application },
      },
    },
    (request) => applications.change(callerOf(request), keyOf(request.params), request.body),
  );

  app.post(
    '/api/v1/organizations/:id/applications/:client_id/secret',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Gives an application another secret and shows it, this once; the old one ends at once',
        tags,
        operationId: 'replaceApplicationSecret',
        params: ApplicationParams,
        response: { 200: ApplicationWithSecret },
      },
    },
    (request) => applications.replaceSecret(callerOf(request), keyOf(request.params)),
  );

  app.delete(
    '/api/v1/organizations/:id/applications/:client_id',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Deletes an application, and ends whatever users allowed it',
        tags,
        operationId: 'deleteApplication',
        params: ApplicationParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await applications.remove(callerOf(request), keyOf(request.params));
      return reply.code(204).send(null);
    },
  );
}

function keyOf({ id, client_id: clientId }: { readonly id: number; readonly client_id: string }) {
  return { organizationId: id, clientId };
}
