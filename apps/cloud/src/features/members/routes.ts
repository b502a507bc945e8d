import {
  ChangeMemberBody,
  InviteMemberBody,
  SiteMember,
  SiteMemberParams,
  SiteParams,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { asForm } from '../../http/form.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { MemberService } from './service.ts';

export function memberRoutes(app: App, members: MemberService, guards: Guards): void {
  app.get(
    '/api/v1/sites/:id/users',
    {
      onRequest: guards.scope('sites:read_all', 'sites:read_single'),
      schema: {
        summary: 'The members of a site, the owner first',
        tags: ['members'],
        operationId: 'listSiteMembers',
        params: SiteParams,
        response: { 200: Type.Array(SiteMember) },
      },
    },
    (request) => members.list(callerOf(request), request.params.id),
  );

  app.post(
    '/api/v1/sites/:id/users',
    {
      onRequest: guards.scope('sites:write_all'),
      ...asForm(InviteMemberBody),
      schema: {
        summary: 'Invite somebody, or change the role of a member',
        tags: ['members'],
        operationId: 'inviteSiteMember',
        params: SiteParams,
        body: InviteMemberBody,
        response: { 200: SiteMember },
      },
    },
    (request) => members.invite(callerOf(request), request.params.id, request.body),
  );

  app.patch(
    '/api/v1/sites/:id/users/:user_id',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: "Change a member's role",
        tags: ['members'],
        operationId: 'updateSiteMember',
        params: SiteMemberParams,
        body: ChangeMemberBody,
        response: { 200: SiteMember },
      },
    },
    (request) =>
      members.changeRole(callerOf(request), request.params.id, request.params.user_id, request.body),
  );

  app.delete(
    '/api/v1/sites/:id/users/:user_id',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Remove a member, or leave the site',
        tags: ['members'],
        operationId: 'removeSiteMember',
        params: SiteMemberParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await members.remove(callerOf(request), request.params.id, request.params.user_id);
      return reply.code(204).send(null);
    },
  );
}
