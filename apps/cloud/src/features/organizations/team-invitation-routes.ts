import { TeamInvitation, TeamInvitationParams } from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { TeamInvitations } from './team-invitations.ts';

const tags = ['organizations'];

export function teamInvitationRoutes(app: App, invitations: TeamInvitations, guards: Guards): void {
  app.get(
    '/api/v1/user/invitations',
    {
      onRequest: guards.anyToken,
      schema: {
        summary: 'Organizations that invite the caller to their team, in a session only',
        tags,
        operationId: 'listTeamInvitations',
        response: { 200: Type.Array(TeamInvitation) },
      },
    },
    (request) => invitations.received(callerOf(request)),
  );

  app.post(
    '/api/v1/user/invitations/:organization_id/accept',
    {
      onRequest: guards.anyToken,
      schema: {
        summary: 'Accepts an invitation: the caller becomes an employee of the organization',
        tags,
        operationId: 'acceptTeamInvitation',
        params: TeamInvitationParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await invitations.accept(callerOf(request), request.params.organization_id);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/v1/user/invitations/:organization_id',
    {
      onRequest: guards.anyToken,
      schema: {
        summary: 'Declines an invitation',
        tags,
        operationId: 'declineTeamInvitation',
        params: TeamInvitationParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await invitations.decline(callerOf(request), request.params.organization_id);
      return reply.code(204).send(null);
    },
  );
}
