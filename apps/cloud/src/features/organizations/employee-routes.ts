import {
  AddOrganizationMemberBody,
  ChangeOrganizationMemberBody,
  OrganizationMember,
  OrganizationMemberParams,
  OrganizationParams,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { Employees } from './employees.ts';

const tags = ['organizations'];

export function employeeRoutes(app: App, employees: Employees, guards: Guards): void {
  app.get(
    '/api/v1/organizations/:id/users',
    {
      onRequest: guards.scope('users:read_all'),
      schema: {
        summary:
          'Who works for an organization, the owners first; to its owners and admins also who is invited',
        tags,
        operationId: 'listOrganizationMembers',
        params: OrganizationParams,
        response: { 200: Type.Array(OrganizationMember) },
      },
    },
    (request) => employees.list(callerOf(request), request.params.id),
  );

  app.post(
    '/api/v1/organizations/:id/users',
    {
      onRequest: guards.scope('sites:write_all'),
      ...asForm(AddOrganizationMemberBody),
      schema: {
        summary: 'Invites somebody to the team, or changes the role of an employee',
        tags,
        operationId: 'addOrganizationMember',
        params: OrganizationParams,
        body: AddOrganizationMemberBody,
        response: { 200: OrganizationMember },
      },
    },
    (request) => employees.add(callerOf(request), request.params.id, request.body),
  );

  app.patch(
    '/api/v1/organizations/:id/users/:user_id',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Changes the role of an employee, or of somebody invited',
        tags,
        operationId: 'updateOrganizationMember',
        params: OrganizationMemberParams,
        body: ChangeOrganizationMemberBody,
        response: { 200: OrganizationMember },
      },
    },
    (request) => employees.changeRole(callerOf(request), employmentOf(request.params), request.body),
  );

  app.delete(
    '/api/v1/organizations/:id/users/:user_id',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Ends somebody working for an organization, withdraws an invitation, or leaves it',
        tags,
        operationId: 'removeOrganizationMember',
        params: OrganizationMemberParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await employees.remove(callerOf(request), employmentOf(request.params));
      return reply.code(204).send(null);
    },
  );
}

function employmentOf({ id, user_id: userId }: { readonly id: number; readonly user_id: number }) {
  return { organizationId: id, userId };
}
