import {
  Connection,
  ConnectionParams,
  SiteConnectionParams,
  SiteConnections,
  SiteParams,
} from '@heliograph/contracts';
import { Type } from 'typebox';
import type { App } from '../../http/app-type.ts';
import { callerOf, type Guards } from '../../http/guards.ts';
import type { ConnectionService } from './service.ts';

const tags = ['connections'];

export function connectionRoutes(app: App, connections: ConnectionService, guards: Guards): void {
  app.get(
    '/api/v1/user/connections',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'What the caller allowed applications and agents, the newest first',
        tags,
        operationId: 'listConnections',
        response: { 200: Type.Array(Connection) },
      },
    },
    (request) => connections.list(callerOf(request)),
  );

  app.delete(
    '/api/v1/user/connections/:id',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Ends what the caller allowed a third party, at once and with all its tokens',
        tags,
        operationId: 'endConnection',
        params: ConnectionParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await connections.revoke(callerOf(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v1/sites/:id/connections',
    {
      onRequest: guards.scope('sites:read_all'),
      schema: {
        summary: 'Which organizations and applications may read a site; for its owner and admins',
        tags,
        operationId: 'listSiteConnections',
        params: SiteParams,
        response: { 200: SiteConnections },
      },
    },
    (request) => connections.listOfSite(callerOf(request), request.params.id),
  );

  app.delete(
    '/api/v1/sites/:id/connections/:connection_id',
    {
      onRequest: guards.scope('sites:write_all'),
      schema: {
        summary: 'Ends what somebody allowed an application for this site',
        tags,
        operationId: 'endSiteConnection',
        params: SiteConnectionParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { id, connection_id: connectionId } = request.params;
      await connections.revokeOfSite(callerOf(request), id, connectionId);
      return reply.code(204).send(null);
    },
  );
}
